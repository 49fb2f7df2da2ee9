# Programs that the prelude runs. Code of modules uses Ruby's own methods.
module Plumb
  module Programs
    Result = Struct.new(:status, :out, :err)

    module_function

    # Runs a program to its end. `out` and `err`: `string` collects until all writers have closed the pipe, `file` until the
    # program ends; `null`; `inherit`. `err` can be `out`.
    def run(command, out: 'string', err: 'string', input: nil, env: {}, cwd: nil, **options)
      outputs = { out: Output.of(out, $stdout), err: err == 'out' ? nil : Output.of(err, $stderr) }
      source = input ? Input.new(input) : nil
      redirections = { in: source ? source.target : File::NULL, out: outputs[:out].target, err: (outputs[:err] || outputs[:out]).target }
      pid = start(command, env.to_h { |name, value| [name.to_s, value&.to_s] }, { **(cwd ? { chdir: cwd } : {}), **redirections }, options)
      [source, *outputs.values].compact.each(&:started)
      Process.wait(pid)
      ended = true
      Result.new($CHILD_STATUS, *outputs.values.map { |each| each ? each.text : +'' })
    ensure
      stop(pid) if pid && !ended
      [source, *outputs&.values].compact.each(&:close)
    end

    # Starts a program as this user, or as another one. Raises the error of a program that cannot be started.
    def start(command, env, redirections, options)
      words = command.is_a?(Array) ? [[command[0], command[0]], *command.drop(1).map(&:to_s)] : [command.to_s]
      reader, writer = IO.pipe
      pid = fork do
        change_user(options[:uid], options[:gid])
        File.umask(options[:umask]) if options[:umask]
        exec(env, *words, **redirections)
      rescue SystemCallError, ArgumentError => error
        writer.write(Marshal.dump(error))
      ensure
        exit!(127)
      end
      writer.close
      failure = reader.read
      return pid if failure.empty?

      Process.wait(pid)
      raise Marshal.load(failure)
    ensure
      [reader, writer].compact.each(&:close)
    end

    def change_user(uid, gid)
      Process::Sys.setgid(gid) if gid
      return unless uid

      user = Etc.getpwuid(uid)
      Process.initgroups(user.name, gid || user.gid) if Process.euid.zero?
      Process::Sys.setuid(uid)
    rescue ArgumentError
      Process::Sys.setuid(uid)
    end

    def stop(pid)
      Process.kill('KILL', pid)
      Process.wait(pid)
    rescue SystemCallError
      nil
    end

    # Text for a program's standard input, written by a thread.
    class Input
      attr_reader :target

      def initialize(text)
        @text = text
        @target, @writer = IO.pipe
      end

      def started
        @target.close
        @thread = Thread.new do
          @writer.write(@text)
        rescue Errno::EPIPE
          nil
        ensure
          @writer.close
        end
      end

      def close
        @thread&.kill&.join
        [@target, @writer].each(&:close)
      end
    end

    # The destination of a program's output.
    class Output
      attr_reader :target

      def self.of(kind, own)
        case kind
        when 'inherit' then new(own)
        when 'null' then new(File::NULL)
        when 'file' then Collected.new
        else Piped.new
        end
      end

      def initialize(target) = @target = target
      def started = nil
      def text = +''
      def close = nil
    end

    # Output collected in a file: a daemon that keeps it open is not waited for.
    class Collected < Output
      def initialize = super(Tempfile.new('plumb-ruby'))

      def text
        target.rewind
        target.read.force_encoding(Encoding.default_external)
      end

      def close = target.close!
    end

    # Output read from a pipe by a thread, until all writers have closed it.
    class Piped < Output
      def initialize
        @reader, writer = IO.pipe
        super(writer)
      end

      def started
        target.close
        @thread = Thread.new { @reader.read }
      end

      def text = @thread.value.force_encoding(Encoding.default_external)

      def close
        @thread&.kill&.join
        [@reader, target].each(&:close)
      end
    end
  end
end

module Timeout
  # An installed Ruby interrupts programs itself.
  def self.remaining = nil
end

module Puppet
  module Util
    # Runs a block in a new process.
    def self.safe_posix_fork(stdin = $stdin, stdout = $stdout, stderr = $stderr)
      fork do
        { STDIN => stdin, STDOUT => stdout, STDERR => stderr }.each { |own, given| own.reopen(given) unless own.equal?(given) }
        yield
      end
    end
  end
end
