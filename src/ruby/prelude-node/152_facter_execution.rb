# Programs for facts, and the files that they read.
module Facter
  module Core
    module Execution
      class ExecutionFailure < StandardError; end

      LIMIT = 300
      VALID_OPTIONS = %i[on_fail expand logger timeout].freeze
      IN_C = { 'LC_ALL' => 'C', 'LANG' => 'C' }.freeze

      module_function

      def impl = self
      def search_paths = Plumb::Windows.search_folders + (Plumb::Windows.begun? ? [] : ['/sbin', '/usr/sbin'])
      def absolute_path?(path, platform = nil) = Puppet::Util.absolute_path?(path, platform)

      def which(program)
        # A command of cmd.exe that Facter makes an exception for.
        return program if Plumb::Windows.begun? && program.casecmp?('echo')
        return program_at(program) if absolute_path?(program)

        search_paths.lazy.flat_map { |folder| Plumb::Windows.program_names(File.join(folder, program)) }.filter_map { |path| program_at(path) }.first
      end

      def program_at(path) = File.executable?(path) && File.file?(path) ? path : nil

      # The command with the path of its program; nil where that is not there.
      def expand_command(command)
        quoted = command.match(/\A"(.+?)"(?:\s+(.*))?/) || command.match(/\A'(.+?)'(?:\s+(.*))?/)
        program, rest = quoted ? quoted.captures : command.split(' ', 2)
        path = program && which(program) or return nil
        path = Plumb::Windows.begun? ? "\"#{path}\"" : "'#{path}'" if path.match?(/\s/)
        rest ? "#{path} #{rest}" : path.dup
      end

      def with_env(values)
        before = values.to_h { |name, _| [name, ENV[name]] }
        values.each { |name, value| ENV[name] = value }
        yield
      ensure
        before&.each { |name, value| ENV[name] = value }
      end

      def exec(command) = execute(command, on_fail: nil)

      def execute(command, options = {})
        if Plumb::Windows.begun? && !options.fetch(:expand, true)
          raise ArgumentError, 'Unsupported argument on Windows expand with value false'
        end

        on_fail = options.fetch(:on_fail, :raise)
        limit = (options[:timeout] || options[:time_limit] || options[:limit]).to_i
        unknown = options.keys - VALID_OPTIONS
        unless unknown.empty?
          Facter.tell('warn', "Unexpected key passed to Facter::Core::Execution.execute option: #{unknown.join(',')}" \
                              " - valid keys: #{VALID_OPTIONS.join(',')}", 'Facter::Core::Execution::Posix')
        end
        as_it_is = options[:logger] || (options[:expand] == false && builtin?(command))
        expanded = as_it_is ? command : expand_command(command)
        if expanded.nil?
          raise ExecutionFailure, "Could not execute '#{command}': command not found" if on_fail == :raise

          return on_fail
        end

        output, = execute_command(expanded, on_fail, options[:logger], limit.positive? ? limit : nil)
        output
      end

      # Output and errors of a command line, run by a shell where it needs one.
      def execute_command(command, on_fail = nil, logger = nil, limit = nil)
        Facter.debug("Executing command: #{command}")
        outer = Timeout.remaining
        result = begin
          ended(command, limit || LIMIT, outer)
        rescue Timeout::Error
          raise if outer && outer < (limit || LIMIT)

          message = "Timeout encounter after #{limit || LIMIT}s, killing process"
          raise ExecutionFailure, "Failed while executing '#{command}': #{message}" if on_fail == :raise

          Facter.debug(message)
          Plumb::Programs::Result.new(nil, +'', +'')
        end
        tell_errors(result.err, command)
      rescue Timeout::Error, ExecutionFailure
        raise
      rescue StandardError => error
        message = "Failed while executing '#{command}': #{error.message}"
        Facter.debug(message) if logger
        return +'' if logger
        return on_fail unless on_fail == :raise

        raise ExecutionFailure, message
      else
        [utf8(result.out).strip, utf8(result.err)]
      end

      # A limit of the resolution that comes before is not this one's.
      def ended(command, limit, outer)
        return Plumb::Programs.run(command, out: 'string', err: 'string', env: IN_C) if outer && outer < limit

        Timeout.timeout(limit) { Plumb::Programs.run(command, out: 'string', err: 'string', env: IN_C) }
      end

      def tell_errors(text, command)
        return if text.to_s.empty?

        Facter.debug("Command #{command} completed with the following stderr message: #{utf8(text).strip}")
      end

      def utf8(text) = text.to_s.dup.force_encoding(Encoding::UTF_8)
      def builtin?(command) = Plumb::Programs.run(['/bin/sh', '-c', "type #{command}"], out: 'string', err: 'null').out.include?('builtin')
    end
  end

  module Util
    Resolution.extend(Core::Execution)
    Resolution.singleton_class.__send__(:public, :which, :exec, :with_env, :execute, :execute_command, :expand_command, :search_paths)

    class FileHelper
      class << self
        def safe_read(path, default = '') = File.readable?(path) ? File.read(path, encoding: Encoding::UTF_8) : absent(path, default)

        def safe_readlines(path, default = [], separator = "\n", chomp: false)
          File.readable?(path) ? File.readlines(path, separator, chomp: chomp, encoding: Encoding::UTF_8) : absent(path, default)
        end

        def dir_children(path) = Dir.children(path)

        private

        def absent(path, default)
          Facter.debug("File at: #{path} is not accessible.")
          default
        end
      end
    end
  end
end
