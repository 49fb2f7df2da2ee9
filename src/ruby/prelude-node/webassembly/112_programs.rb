# Programs: started by the host, who waits for their end.
module Plumb
  # How a program ended; stands in for Process::Status.
  class Ended
    attr_reader :pid, :exitstatus, :termsig

    def initialize(pid, exitstatus, termsig)
      @pid = pid
      @exitstatus = exitstatus
      @termsig = termsig
    end

    def success? = @termsig ? nil : @exitstatus == 0
    def exited? = @termsig.nil?
    def signaled? = !@termsig.nil?
    def stopped? = false
    def coredump? = false
    def to_i = @termsig || (@exitstatus << 8)
    def to_s = @termsig ? "pid #{@pid} SIGNAL (signal #{@termsig})" : "pid #{@pid} exit #{@exitstatus}"
    def inspect = "#<Process::Status: #{self}>"
    def ==(other) = other.is_a?(Integer) ? to_i == other : other.is_a?(Ended) && other.to_i == to_i
    def >>(bits) = to_i >> bits
    def &(bits) = to_i & bits
  end

  module Programs
    Result = Struct.new(:status, :out, :err)
    # A command line that no shell is needed for, as Ruby sees it.
    PLAIN = /\A[^*?{}\[\]<>()~&|\\$;'`"\n#=%!]+\z/
    BUILTINS = %w[. : alias bg break case cd command continue do done elif else esac eval exec exit export fc fg fi for getopts
                  hash if jobs read readonly return set shift then times trap type ulimit umask unalias unset until wait while].freeze

    module_function

    # Runs a program to its end. `input` for it; its output is `out` unless that is nil, and then our own.
    def run(command, out: :string, err: nil, input: nil, env: {}, cwd: nil, **options)
      limit = Timeout.remaining
      answer = Node.ask('run', {
        'command' => argv(command), 'line' => Windows.reader_of(command), 'out' => out.to_s, 'err' => err.to_s, 'input' => input && [input].pack('m0'),
        'env' => (options.delete(:clean) ? {} : ENV.to_h).merge(env.to_h { |name, value| [name.to_s, value&.to_s] }),
        'cwd' => cwd || Dir.pwd, 'seconds' => limit, 'umask' => File.umask, **options.transform_keys(&:to_s)
      })
      $plumb_status = Ended.new(answer['pid'], answer['status'], answer['signal'])
      raise Timeout.current_error if answer['timed_out']

      Result.new($plumb_status, text(answer['out']), text(answer['err']))
    end

    def text(base64) = base64.to_s.unpack1('m').force_encoding(Encoding.default_external)

    # The words of a command; a line with signs for a shell is one for a shell.
    def argv(command)
      return command.map { |each| each.is_a?(Array) ? each[0] : each.to_s } if command.is_a?(Array)
      return [command.lstrip] if Windows.begun?

      words = command.strip.split
      return words if command.match?(PLAIN) && words.any? && !BUILTINS.include?(words[0])

      ['/bin/sh', '-c', command]
    end

    # The variables, words and options of `spawn` and its kin.
    def call_of(words, options)
      env = words[0].is_a?(Hash) ? words.shift : {}
      options = words.pop.merge(options) if words.last.is_a?(Hash)
      command = words.size == 1 && words[0].is_a?(String) ? words[0] : words
      [command, env, options]
    end

    # Runs as `spawn` would: output goes where its options say.
    def run_as_spawned(words, options, out: 'inherit', err: 'inherit', input: nil)
      command, env, options = call_of(words.dup, options)
      out = target(options, out, :out, $stdout, 1)
      err = target(options, err, :err, $stderr, 2)
      input = source(options.values_at(:in, $stdin, 0).compact.first) || input
      both = options.keys.find { |key| key.is_a?(Array) && key.include?(:out) && key.include?(:err) }
      out = err = options[both] if both
      result = run(command, out: kept(out), err: err == [:child, :out] || err == :out || both ? 'out' : kept(err), input: input, env: env,
                            cwd: options[:chdir], clean: options[:unsetenv_others])
      give(out, result.out)
      give(err, result.err) unless both
      result
    end

    def target(options, default, *names)
      names.each { |name| return options[name] if options.key?(name) }
      default
    end

    def source(given)
      case given
      when nil, :close then nil
      when String then File.binread(given)
      when Array then File.binread(given[0])
      when Integer then ''
      else given.respond_to?(:read) ? given.read : nil
      end
    end

    # Where the host is to put output: into our hands, or where ours goes.
    def kept(target) = target == 'inherit' ? 'inherit' : target == 'string' ? 'string' : [File::NULL, :close].include?(target) ? 'null' : 'string'

    def give(target, text)
      case target
      when 'inherit', 'string', :close, :out, File::NULL then nil
      when String then File.binwrite(target, text)
      when Array
        File.open(target[0], target[1] || 'w', *target[2]) { |file| file.write(text) } unless target == [:child, :out]
      when Integer then nil
      else target.write(text)
      end
    end
  end

  # The two ends of a program that was opened: it runs once all is written to it, or when it is read or closed.
  class Pipe
    include Enumerable
    attr_reader :pid

    def initialize(words, mode, options)
      @words = words
      @options = options
      @reads = mode.to_s.match?(/r|\+/)
      @input = String.new
      @pid = -1
    end

    def write(*texts) = texts.sum { |text| (@input << text.to_s.b) && text.to_s.bytesize }
    def print(*texts) = write(*texts) && nil
    def puts(*texts) = StringIO.new.tap { |each| each.puts(*texts) }.string.then { |text| write(text) } && nil
    def <<(text) = write(text) && self
    def printf(...) = print(format(...))
    def sync=(value); end
    def sync = true
    def flush = self
    def binmode = self
    def set_encoding(*) = self
    def fileno = -1
    def close_write = output && nil
    def close_read = nil
    def closed? = @closed ? true : false
    def tty? = false

    def close
      output
      @closed = true
      nil
    end

    %i[read gets each_line each readline readlines getc eof? each_char each_byte readpartial sysread read_nonblock lineno].each do |name|
      define_method(name) { |*arguments, **options, &block| output.public_send(name, *arguments, **options, &block) }
    end
    alias eof eof?

    private

    def output
      @output ||= begin
        result = Programs.run_as_spawned(@words, @options, out: @reads ? 'string' : 'inherit', input: @input)
        StringIO.new(result.out)
      end
    end
  end

  # A program that was spawned and is waited for, or left to itself.
  module Children
    WAITING = {}

    module_function

    def add(words, options)
      number = -2 - WAITING.size
      WAITING[number] = [words, options]
      number
    end

    def wait(number = nil)
      number = WAITING.keys.first if number.nil? || number == -1
      words, options = WAITING.delete(number) || raise(Errno::ECHILD)
      Programs.run_as_spawned(words, options)
      number
    end

    # Starts what nobody waited for, as a program of its own.
    def leave
      WAITING.each_value do |words, options|
        command, env, options = Programs.call_of(words.dup, options)
        Node.ask('start', { 'command' => Programs.argv(command), 'line' => Windows.reader_of(command), 'cwd' => options[:chdir] || Dir.pwd,
                            'env' => ENV.to_h.merge(env.transform_values { |value| value&.to_s }) })
      end
      WAITING.clear
    end
  end
end

$plumb_status = nil
alias $? $plumb_status
alias $CHILD_STATUS $plumb_status

module Kernel
  def system(*words, exception: false, **options)
    status = Plumb::Programs.run_as_spawned(words, options).status
    raise "Command failed with exit #{status.exitstatus}: #{words.grep(String).first}" if exception && !status.success?

    status.success?
  rescue SystemCallError
    raise if exception

    $plumb_status = Plumb::Ended.new(0, 127, nil)
    nil
  end

  def `(command)
    Plumb::Programs.run(command, out: 'string', err: 'inherit').out
  end

  def spawn(*words, **options) = Plumb::Children.add(words, options)
  def exec(*) = raise(NotImplementedError, 'exec() cannot be used in a provider')
  def fork = raise(NotImplementedError, 'fork() function is unimplemented on this machine')

  def open(path, ...)
    return IO.popen(path.delete_prefix('|').strip, ...) if path.is_a?(String) && path.start_with?('|')
    return path.to_open(...) if path.respond_to?(:to_open)

    File.open(path, ...)
  end
  module_function :system, :`, :spawn, :exec, :fork, :open
end

class IO
  def self.popen(*words, **options)
    env = words[0].is_a?(Hash) ? words.shift : {}
    command = words.shift
    mode = words.grep(String).first || options.delete(:mode) || 'r'
    command = command.dup if command.is_a?(Array)
    env = command.shift if command.is_a?(Array) && command[0].is_a?(Hash)
    options = command.pop.merge(options) if command.is_a?(Array) && command.last.is_a?(Hash)
    pipe = Plumb::Pipe.new([env, *command], mode, options.reject { |name, _| %i[external_encoding internal_encoding].include?(name) })
    return pipe unless block_given?

    begin
      yield pipe
    ensure
      pipe.close
    end
  end
end

module Process
  Status = Plumb::Ended if remove_const(:Status)
  WNOHANG = 1 unless const_defined?(:WNOHANG)

  class << self
    def last_status = $plumb_status
    def spawn(*words, **options) = Plumb::Children.add(words, options)
    def wait(pid = -1, *) = Plumb::Children.wait(pid)
    alias waitpid wait

    def wait2(pid = -1, *)
      [Plumb::Children.wait(pid), $plumb_status]
    end
    alias waitpid2 wait2
    def waitall = Plumb::Children::WAITING.keys.map { |pid| wait2(pid) }

    def detach(_pid)
      Plumb::Children.leave
      Thread.new { nil }
    end
  end
end

module Open3
  module_function

  def capture3(*words, stdin_data: nil, binmode: false, **options)
    result = Plumb::Programs.run_as_spawned(words, options, out: 'string', err: 'string', input: stdin_data)
    [result.out, result.err, result.status]
  end

  def capture2(*words, stdin_data: nil, binmode: false, **options)
    result = Plumb::Programs.run_as_spawned(words, options, out: 'string', input: stdin_data)
    [result.out, result.status]
  end

  def capture2e(*words, stdin_data: nil, binmode: false, **options)
    result = Plumb::Programs.run_as_spawned(words, options, out: 'string', err: :out, input: stdin_data)
    [result.out, result.status]
  end

  # The program runs when its output is read, or its input closed.
  def popen3(*words, **options, &block) = opened(words, options, false, &block)

  def popen2e(*words, **options)
    opened(words, options, true) { |input, output, _, waiter| return block_given? ? yield(input, output, waiter) : [input, output, waiter] }
  end
  alias popen2 popen2e
  module_function :popen2

  def opened(words, options, merged)
    given = StringIO.new
    result = nil
    run = -> { result ||= Plumb::Programs.run_as_spawned(words, options, out: 'string', err: merged ? :out : 'string', input: given.string) }
    lazy = ->(part) { Plumb::LazyText.new { run.call.public_send(part) } }
    waiter = Plumb::Waiter.new { run.call.status }
    ends = [given, lazy.call(:out), lazy.call(:err), waiter]
    return ends unless block_given?

    value = yield(*ends)
    run.call
    value
  end
end

module Plumb
  # Output that is there once somebody reads it.
  class LazyText
    def initialize(&made) = @made = made
    def close = nil
    def closed? = false
    def to_io = self
    def method_missing(...) = (@text ||= StringIO.new(@made.call)).public_send(...)
    def respond_to_missing?(name, *) = StringIO.method_defined?(name)
  end

  # The thread that waits for a program.
  class Waiter
    def initialize(&ended) = @ended = ended
    def value = @ended.call
    def pid = value.pid
    def join(*) = value && self
    def alive? = false
  end
end

module Plumb
  # At the end of a call, the programs that nobody waited for are started.
  module LeavingAtTheEnd
    private

    def run(message)
      super
    ensure
      Children.leave
    end
  end
  Bridge.singleton_class.prepend(LeavingAtTheEnd)
end
