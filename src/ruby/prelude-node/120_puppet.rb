# Puppet itself on a node: settings, features, logging in somebody's name, and files.
module Puppet
  class << self
    # What is logged for an error: its message, or another one instead.
    def log_exception(error, message = :default, options = {})
      text = message == :default || message.nil? ? error.message : message.to_s
      send_log(options[:level] || :err, text)
    end

    def deprecation_warning(message, *) = warn_once('deprecations', message.to_s, message, :default, :default)
    alias puppet_deprecation_warning deprecation_warning

    # The place is added to the message, unless it is `:default`.
    def warn_once(kind, key, message, file = nil, line = nil, level = :warning)
      @warned ||= {}
      return if @warned.key?(key) || Array(Puppet[:disable_warnings]).include?(kind)

      @warned[key] = true
      place = Util::Errors.error_location(file, line) unless [file, line] == %i[default default]
      place = '(file & line not available)' if place == ''
      send_log(level, place ? "#{message}\n   #{place}" : message)
    end

    def lookup(name)
      case name
      when :current_environment then Node::Environment.current
      when :environments then Environments
      when :ssl_context then @ssl_context ||= SSL::SSLProvider.new.load_context
      else block_given? ? yield : nil
      end
    end

    def push_context(*) = nil
    def pop_context = nil
    def initialize_settings(*) = nil
    def [](name) = @overridden.fetch(name.to_sym) { setting(name.to_s) }

    def []=(name, value)
      @overridden[name.to_sym] = value
    end

    private

    def setting(name)
      value = Plumb::Node.ask('setting', name)
      %w[strict log_level].include?(name) && value ? value.to_sym : value
    end
  end

  module RunMode
    class << self
      attr_writer :name

      def name = @name || :agent
      def server? = %i[server master].include?(name)
      alias master? server?
      def agent? = name == :agent
      def user? = name == :user
    end
  end

  # What this machine and its Ruby have: named by Puppet, or by files of modules below puppet/feature.
  module Features
    @known = {}

    class << self
      def add(name, options = {}, &block)
        @known[name.to_sym] = block ? -> { block.call } : -> { Array(options[:libs]).all? { |library| loads?(library) } }
        remember(name)
      end

      def has?(name) = public_send("#{name}?")
      alias feature? has?

      def posix? = true
      def root? = Process.euid.zero?
      def manages_symlinks? = true
      # Its binding is a library of C's.
      def augeas? = false
      def selinux? = File.directory?('/sys/fs/selinux')
      def microsoft_windows? = false
      def cfpropertylist? = false

      def method_missing(name, *)
        return super unless name.end_with?('?')

        feature = name.to_s.chomp('?').to_sym
        load_feature(feature) unless @known.key?(feature)
        @known.key?(feature) && @known[feature].call ? true : false
      end

      private

      def remember(name)
        singleton_class.undef_method("#{name}?") if singleton_class.method_defined?("#{name}?", false)
      end

      def load_feature(name)
        require "puppet/feature/#{name}"
      rescue LoadError
        nil
      end

      def loads?(library)
        require library
        true
      rescue LoadError
        false
      end
    end
  end

  def self.features = Features

  module Util
    module Logging
      LEVELS = %i[debug info notice warning err alert emerg crit].freeze

      LEVELS.each do |level|
        define_method(level) do |*words, &block|
          next if level == :debug && !Puppet.debugging

          Plumb::Lines.add(level, block ? block.call : words.flatten.join(' '), log_source)
        end
      end

      def send_log(level, message) = Plumb::Lines.add(level, message, log_source)
      def log_exception(error, message = :default, options = {}) = Puppet.log_exception(error, message, options)
      def warn_once(...) = Puppet.warn_once(...)
      def deprecation_warning(message, *) = Puppet.deprecation_warning(message)
      alias puppet_deprecation_warning deprecation_warning
      def format_exception(error, message = :default, _trace = true) = message == :default ? error.message : message

      # In whose name: a resource and its attributes have a path, all else says what it is.
      def log_source = is_a?(Type) || is_a?(Parameter) ? path : to_s
    end

    module Log
      def self.level = Puppet.debugging ? :debug : :notice

      def self.create(level:, message:, source: nil, **)
        name = source.nil? ? nil : source.respond_to?(:path) ? source.path : source.to_s
        Plumb::Lines.add(level, message, name)
      end
    end

    module Package
      def versioncmp(one, other, *) = Plumb::Node.ask('versioncmp', one.to_s, other.to_s)
      module_function :versioncmp
    end
  end

  module FileSystem
    module_function

    def writable?(path) = File.writable?(path)
    def stat(path) = File.stat(path)
    def lstat(path) = File.lstat(path)
    def symlink(target, path, **options) = options[:force] ? FileUtils.ln_sf(target, path) : File.symlink(target, path)
    def readlink(path) = File.readlink(path)
    def unlink(*paths) = File.unlink(*paths)
    def touch(path, **options) = FileUtils.touch(path, **options)
    def mkpath(path) = FileUtils.mkdir_p(path)
    def dir_mkpath(path) = FileUtils.mkdir_p(File.dirname(path))
    def chmod(mode, path) = File.chmod(mode, path)
    def compare_stream(path, stream) = File.binread(path) == stream.read
    def exclusive_open(path, mode, options = 'r', _timeout = 300, &block) = File.open(path, options, mode, &block)
    def exclusive_create(path, mode, &block) = File.open(path, File::CREAT | File::EXCL | File::WRONLY, mode, &block)

    def open(path, mode, options = 'r', &block)
      mode ? File.open(path, options, mode, &block) : File.open(path, options, &block)
    end

    # Whole, or not at all.
    def replace_file(path, mode = nil, &) = Util.replace_file(path.to_s, mode || (File.exist?(path) ? File.stat(path).mode & 0o7777 : 0o640), &)
  end

  class Node
    class Environment
      def name = Puppet[:environment].to_sym
      def modulepath = []
      def modules = []
      def manifest = nil
    end
  end

  # A module is known by what it left in the load path.
  class Module
    def self.find(name, _environment = nil)
      folder = $LOAD_PATH.map { |path| File.dirname(path) }.find { |path| File.basename(path) == name.to_s && File.directory?(path) }
      folder && new(name.to_s, folder)
    end
  end
end

module Facter
  def self.value(name) = Plumb::Node.ask('fact', name.to_s)
  def self.to_hash = Plumb::Node.ask('all_facts')
end

module SemanticPuppet
  class Version
    def <=>(other)
      return nil unless other.is_a?(Version)

      [major, minor, patch].then { |own| own <=> [other.major, other.minor, other.patch] }.nonzero? || compare_prereleases(other)
    end

    private

    def compare_prereleases(other)
      return 0 if prerelease == other.prerelease
      return prerelease ? -1 : 1 if prerelease.nil? || other.prerelease.nil?

      prerelease.zip(other.prerelease).each do |mine, its|
        return 1 if its.nil?

        numbers = [mine, its].map { |part| part.match?(/\A\d+\z/) }
        order = numbers.all? ? mine.to_i <=> its.to_i : numbers[0] == numbers[1] ? mine <=> its : (numbers[0] ? -1 : 1)
        return order unless order.zero?
      end
      prerelease.size <=> other.prerelease.size
    end
  end
end
