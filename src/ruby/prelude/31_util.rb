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

      def self.load_file(path, *) = load(File.read(path))
      def self.load_file_if_valid(path, *) = load_file(path)

      def self.dump(value, pretty: false, **)
        pretty ? JSON.pretty_generate(value) : JSON.generate(value)
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

    # What types mix in, and runs on nodes only.
    %i[Backups Diff Docs FileType IniConfig MethodHelper POSIX SUIDManager SymbolicFileMode Warnings Windows].each do |name|
      const_set(name, ::Module.new)
    end

    # What a name is to be for a tag.
    module Tagging
      ValidTagRegex = /\A[0-9A-Za-z_][0-9A-Za-z_:.-]*\Z/
    end

    # Digests of texts.
    module Checksums
      KINDS = { md5: Digest::MD5, sha1: Digest::SHA1, sha256: Digest::SHA256, sha384: Digest::SHA384, sha512: Digest::SHA512 }.freeze
      module_function

      KINDS.each do |name, digest|
        define_method(name) { |text| digest.hexdigest(text) }
        module_function name
      end

      def known_checksum_types = KINDS.keys
    end

    module Log
      LEVELS = %i[debug info notice warning err alert emerg crit].freeze

      def self.level = Puppet.debugging ? :debug : :notice
      def self.levels = LEVELS
      def self.create(level:, message:, **) = Puppet.send_log(level, message)
    end

    module Platform
      def self.windows? = false
      def self.actually_windows? = false
      def self.jruby? = false
    end

    class << self
      def absolute_path?(path, platform = nil)
        on_windows = platform ? platform.to_s == 'windows' : Platform.windows?
        return path.to_s.match?(%r{\A(?:[A-Za-z]:[\\/]|[\\/][\\/][^\\/]+[\\/][^\\/]+|[\\/][\\/]\?[\\/][^\\/]+)}) if on_windows

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

      def uri_query_encode(text) = URI::DEFAULT_PARSER.escape(text, /[^A-Za-z0-9\-._~]/)
      def uri_unescape(text) = URI::DEFAULT_PARSER.unescape(text)
      def path_to_uri(path) = URI.parse("file://#{uri_encode(path)}")
      def uri_to_path(uri) = uri_unescape(uri.path)

      # `ENV` as it is said to be, for as long as the block runs.
      def withenv(variables, *)
        Plumb::Notes.spoil('sets variables of the process')
        before = ENV.to_h
        ENV.update(variables.to_h { |name, value| [name.to_s, value&.to_s] })
        yield
      ensure
        ENV.replace(before)
      end

      def benchmark(*) = yield
      def thinmark = yield && 0.0
      def logmethods(...) = nil
    end

    # The store of nodes, as PuppetDB's package lets it be asked.
    module Puppetdb
      def self.query_puppetdb(query) = Plumb::Bridge.ask('puppetdb_query', query)
    end

    def symbolizehash(hash) = Util.symbolizehash(hash)
    def uri_encode(path) = Util.uri_encode(path)
    def uri_query_encode(text) = Util.uri_query_encode(text)
    def withenv(...) = Util.withenv(...)
    def which(program) = Util.which(program)
    def absolute_path?(...) = Util.absolute_path?(...)
  end
end
