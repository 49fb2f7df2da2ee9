# Puppet's ways to run programs, and the small tools around files and users that providers take from Puppet::Util.
$LOADED_FEATURES.push('puppet/util/log.rb', 'puppet/util/pidlock.rb')

module Puppet
  module Util
    module Execution
      DEFAULT_VARIABLES = { 'LANG' => 'C', 'LC_ALL' => 'C' }.freeze
      USER_VARIABLES = %w[HOME USER LOGNAME].freeze
      LOCALE_VARIABLES = %w[LANG LC_ALL LC_MESSAGES LANGUAGE LC_COLLATE LC_CTYPE LC_MONETARY LC_NUMERIC LC_TIME].freeze
      NONE_GIVEN = {}.freeze

      module_function

      def execute(command, options = NONE_GIVEN)
        plain = NONE_GIVEN.equal?(options)
        options = { failonfail: plain, combine: plain, override_locale: true, custom_environment: {} }.merge(options)
        words = command.is_a?(Array) ? command.flatten.map(&:to_s) : command
        # One word alone is a line for a shell, as with `exec`; on Windows it is a word.
        words = words[0] if words.is_a?(Array) && words.size == 1 && !Plumb::Windows.begun?
        shown = options[:sensitive] ? '[redacted]' : Array(words).join(' ')
        announce(shown, options)
        raise ArgumentError, "Working directory #{options[:cwd]} does not exist!" if options[:cwd] && !File.directory?(options[:cwd])

        result = started(words, options)
        output = options[:squelch] ? '' : result.out
        if options[:failonfail] && result.status.exitstatus != 0
          raise ExecutionFailure, "Execution of '#{shown}' returned #{result.status.exitstatus}: #{output.strip}"
        end

        ProcessOutput.new(output, result.status.exitstatus)
      end

      def execpipe(command, failonfail = true)
        line = command.is_a?(Array) ? command.join(' ') : command
        Puppet.debug { "Executing '#{line}'" }
        merged = "#{line} 2>&1"
        result = Plumb::Programs.run(Plumb::Windows.begun? ? merged : ['/bin/sh', '-c', merged], out: 'pipe', env: DEFAULT_VARIABLES)
        output = yield StringIO.new(result.out)
        raise ExecutionFailure, output.to_s if failonfail && result.status.exitstatus != 0

        output
      end

      def ruby_path = RbConfig.ruby

      def announce(shown, options)
        who = options.values_at(:uid, :gid).zip(%w[uid gid]).filter_map { |value, name| " #{name}=#{value}" if value }.join
        Puppet.debug { "Executing#{" with#{who}" unless who.empty?}: '#{shown}'" }
      end

      def started(words, options)
        output = options[:squelch] ? 'null' : 'file'
        Plumb::Programs.run(
          words, out: output, err: options[:combine] ? 'out' : 'null', env: variables(options), cwd: options[:cwd],
                 input: options[:stdinfile] && File.binread(options[:stdinfile]),
                 uid: options[:uid] && Util.uid(options[:uid]), gid: options[:gid] && Util.gid(options[:gid]), umask: 0o022, **reader_of(words)
        )
      rescue SystemCallError => error
        raise error.class, 'CreateProcess' if Plumb::Windows.begun?

        raise ExecutionFailure, "Could not execute posix command: #{error.message}"
      end

      # On Windows, Puppet starts the program of a line without a shell.
      def reader_of(words) = Plumb::Windows.begun? && words.is_a?(String) ? { line: 'program' } : {}

      # What a program is told of the world: no locale but C, no user but its own.
      def variables(options)
        cleared = USER_VARIABLES.to_h { |name| [name, nil] }
        cleared.merge!(LOCALE_VARIABLES.to_h { |name| [name, nil] }, DEFAULT_VARIABLES) if options[:override_locale]
        cleared.merge(options[:custom_environment].to_h { |name, value| [name.to_s, value&.to_s] })
      end
    end

    module SUIDManager
      module_function

      %i[uid euid gid egid groups].each do |name|
        define_method(name) { Process.public_send(name) }
        module_function name
      end
      def root? = Process.euid.zero?
      def asuser(_uid = nil, _gid = nil) = yield
      def run_and_capture(command, uid = nil, gid = nil, options = {})
        output = Execution.execute(command, { failonfail: false, combine: true, uid: uid, gid: gid }.merge(options))
        [output, $CHILD_STATUS]
      end
    end

    module POSIX
      module_function

      # The groups that name a user as a member.
      def groups_of(user)
        names = []
        Etc.group { |group| names << group.name if group.mem.include?(user) }
        names.uniq
      end

      def uid(given) = number(given, :getpwnam, :getpwuid, :uid)
      def gid(given) = number(given, :getgrnam, :getgrgid, :gid)
      def get_posix_field(space, field, id)
        Etc.public_send(id.is_a?(Integer) ? (space.to_sym == :gid ? :getgrgid : :getpwuid) : (space.to_sym == :gid ? :getgrnam : :getpwnam), id).public_send(field)
      rescue ArgumentError
        nil
      end

      # A number, as it is or by name; nothing where there is no such user or group.
      def number(given, by_name, by_number, field)
        return Etc.public_send(by_number, given).public_send(field) if given.is_a?(Integer)
        return given.to_i if given.to_s.match?(/\A-?\d+\z/)

        Etc.public_send(by_name, given.to_s).public_send(field)
      rescue ArgumentError
        nil
      end
    end

    class << self
      def uid(given) = POSIX.uid(given)
      def gid(given) = POSIX.gid(given)

      def which(program)
        return program if absolute_path?(program) && executable_file?(program)
        return nil if absolute_path?(program) || program.nil?

        Plumb::Windows.search_folders.flat_map { |folder| Plumb::Windows.program_names(File.join(folder, program)) }
                   .find { |path| executable_file?(path) }
      end

      def executable_file?(path) = File.file?(path) && File.executable?(path)

      def withenv(variables, *)
        before = ENV.to_h
        variables.each { |name, value| ENV[name.to_s] = value&.to_s }
        yield
      ensure
        ENV.replace(before)
      end

      def withumask(mask)
        before = File.umask(mask)
        yield
      ensure
        File.umask(before)
      end

      # A file with new content, or the old one: written beside it, and renamed.
      def replace_file(path, mode = nil)
        path = path.to_s
        known = File.exist?(path) ? File.stat(path) : nil
        mode = mode.is_a?(String) ? mode.to_i(8) : mode
        beside = "#{path}.plumb-#{Process.pid}-#{rand(1 << 32).to_s(36)}"
        begin
          File.open(beside, File::WRONLY | File::CREAT | File::EXCL, 0o600) do |file|
            yield file
            file.fsync
          end
          File.chown(known.uid, known.gid, beside) if known && Process.euid.zero?
          File.chmod(known ? known.mode & 0o7777 : mode || 0o640, beside)
          File.rename(beside, path)
        ensure
          File.unlink(beside) if File.exist?(beside)
        end
      end

      def execpipe(...) = Execution.execpipe(...)
      def execfail(command, exception)
        Execution.execute(command, failonfail: true, combine: true)
      rescue ExecutionFailure => error
        raise exception, error.message
      end

      def exit_on_fail(_message, _code = 1) = yield
      def safe_posix_fork(*) = raise(NotImplementedError, 'fork() function is unimplemented on this machine')
      def get_env(name, *) = ENV[name]
      def set_env(name, value = nil, *) = ENV[name] = value
      def symbolizehash!(hash) = hash.transform_keys!(&:to_sym)
      def benchmark(*arguments)
        started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        value = yield
        seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
        level, message = arguments
        Puppet.send_log(level, "#{message} in #{format('%0.2f', seconds)} seconds") if level && level != :none && message
        value.nil? ? seconds : seconds
      end
      def rand_str(length) = SecureRandom.alphanumeric(length)
    end

    # For who mixes the module in.
    %i[uid gid execute execpipe execfail get_env set_env withumask replace_file benchmark symbolizehash!].each do |name|
      define_method(name) { |*arguments, **options, &block| Util.public_send(name, *arguments, **options, &block) }
    end

    # Messages that are logged once for each class of what logs them.
    module Warnings
      module_function

      def notice_once(message) = Warnings.maybe_log(message, self.class) { Puppet.notice(message) }
      def warnonce(message) = Warnings.maybe_log(message, self.class) { Puppet.warning(message) }
      def debug_once(message) = Puppet.debugging ? Warnings.maybe_log(message, self.class) { Puppet.debug(message) } : nil

      def clear_warnings
        @stampwarnings = {}
        nil
      end

      def self.maybe_log(message, kind)
        @stampwarnings ||= {}
        logged = @stampwarnings[kind] ||= []
        return if logged.include?(message)

        yield
        logged << message
        nil
      end
    end

    module Diff
      module_function

      # As the diff program shows it.
      def diff(old, new)
        Plumb::Programs.run(['diff', *Puppet[:diff_args].to_s.split.then { |words| words.empty? ? ['-u'] : words }, old.to_s, new.to_s]).out
      end

      def string_file_diff(path, text)
        Tempfile.create('plumb-diff') do |file|
          file.write(text)
          file.flush
          diff(path, file.path)
        end
      end

      def lcs_diff(old, new, *)
        Tempfile.create('plumb-old') do |file|
          file.write(old)
          file.flush
          string_file_diff(file.path, new).sub(/\A--- .*\n\+\+\+ .*\n/, '')
        end
      end
    end

    module SymbolicFileMode
      def valid_symbolic_mode?(value)
        value.nil? || value.to_s.match?(/\A0?[0-7]{1,4}\z/) || value.to_s.match?(/\A(?:[ugoa]*[-=+][-=+rstwxXugo]*)(?:,[ugoa]*[-=+][-=+rstwxXugo]*)*\z/)
      end

      def display_mode(value) = value.to_s.match?(/\A0?[0-7]{1,4}\z/) ? value.to_s.rjust(4, '0') : value.to_s
      def normalize_symbolic_mode(value) = value.to_s.match?(/\A0?[0-7]{1,4}\z/) ? value.to_s.to_i(8).to_s(8) : value
    end

    # A lock by a file that holds the number of a process.
    class Pidlock
      attr_reader :file_path

      def initialize(path) = @file_path = path
      def lock_pid = File.exist?(@file_path) ? File.read(@file_path).to_i : nil
      def locked? = !lock_pid.nil? && File.exist?("/proc/#{lock_pid}")
      def mine? = lock_pid == Process.pid

      def lock
        return mine? if locked?

        File.write(@file_path, Process.pid.to_s)
        true
      end

      def unlock = mine? ? File.unlink(@file_path) && true : false
    end
  end

end
