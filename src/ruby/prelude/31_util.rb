# Puppet::Util and what hangs on it.
module Puppet
  module Util
    module Errors
      def self.error_location(file, line = nil, column = nil)
        place = [file && "file: #{file}", line && "line: #{line}", column && "column: #{column}"].compact
        place.empty? ? '' : "(#{place.join(', ')})"
      end

      def self.error_location_with_space(file, line = nil, column = nil)
        place = error_location(file, line, column)
        place.empty? ? '' : " #{place}"
      end

      def fail(*arguments)
        kind = arguments.first.is_a?(Class) ? arguments.shift : Puppet::Error
        raise kind, arguments.join(' ')
      end
    end

    module Logging
      %i[debug info notice warning err alert emerg crit].each do |level|
        define_method(level) { |message = nil, &block| Puppet.public_send(level, message, &block) }
      end
    end

    module Package
      def versioncmp(one, other, *)
        Plumb::Bridge.ask('call', 0, 'versioncmp', [one.to_s, other.to_s])
      end
      module_function :versioncmp
    end

    module Json
      class ParseError < StandardError; end

      def self.load(text, *)
        JSON.parse(text)
      end

      def self.dump(value, *)
        JSON.generate(value)
      end
    end

    module Yaml
      class YamlLoadError < Puppet::Error; end

      def self.safe_load(text, allowed = [], _path = nil)
        YAML.safe_load(text, permitted_classes: allowed, aliases: true) || false
      end

      def self.safe_load_file(path, allowed = [])
        safe_load(File.read(path), allowed, path)
      end

      def self.dump(value)
        YAML.dump(value)
      end
    end

    # No program runs while a catalog is compiled, but those of `generate`.
    module Execution
      class ProcessOutput < String
        attr_reader :exitstatus

        def initialize(text, exitstatus)
          super(text)
          @exitstatus = exitstatus
        end
      end

      def self.execute(command, *)
        raise ExecutionFailure, "Programs cannot be run while a catalog is compiled: #{Array(command).join(' ')}"
      end

      def self.execpipe(command, *)
        execute(command)
      end
    end

    module Platform
      def self.windows? = false
      def self.actually_windows? = false
      def self.jruby? = false
    end

    class << self
      def absolute_path?(path, platform = nil)
        return path.to_s.match?(%r{\A(?:[A-Za-z]:[\\/]|[\\/][\\/][^\\/]+[\\/][^\\/]+|[\\/][\\/]\?[\\/][^\\/]+)}) if platform.to_s == 'windows'

        path.to_s.start_with?('/')
      end

      def deterministic_rand(seed, maximum)
        deterministic_rand_int(seed, maximum).to_s
      end

      def deterministic_rand_int(seed, maximum)
        Random.new(seed).rand(maximum)
      end

      def symbolizehash(hash)
        hash.transform_keys { |key| key.is_a?(Symbol) ? key : key.to_s.to_sym }
      end

      def execute(...)
        Execution.execute(...)
      end

      def which(_program) = nil

      def create_erb(content)
        ERB.new(content, trim_mode: '-')
      end

      def uri_encode(path)
        URI::DEFAULT_PARSER.escape(path)
      end

      def logmethods(...) = nil
    end

    def symbolizehash(hash) = Util.symbolizehash(hash)
  end
end
