# Facter's API for facts that modules bring, on top of the core facts, which the host has found.
require 'tsort'
$LOADED_FEATURES.push(*%w[facter facter/util/fact facter/util/resolution facter/core/execution puppet/type/service puppet/type/package]
  .map { |name| "#{name}.rb" })

module Plumb
  # The facts of a collection: the core ones by name, those that are added, and the folders with files of them.
  module Facts
    class << self
      attr_accessor :folders, :timing, :providers
      attr_reader :added, :loaded, :known, :durations

      def begin(core, blocked: [], folders: [], timing: false, providers: {})
        @core = core
        @blocked = blocked
        @folders = folders
        @timing = timing
        @providers = providers
        @searching = true
        forget
      end

      # Another look at everything; what was added is gone.
      def forget
        @added = {}
        @loaded = []
        @complete = false
        @warned = {}
        refresh
      end

      # The values are found anew.
      def refresh
        @known = {}
        @durations = {}
      end

      def core = @core ||= Node.ask('all_facts')
      def blocked?(name) = (@blocked ||= []).any? { |each| name == each || name.start_with?("#{each}.") }

      def search_path
        given = ENV['FACTERLIB'].to_s.split(File::PATH_SEPARATOR)
        paths = Plumb.module_folders.map { |path| File.expand_path('facter', path) } + given + (@folders || [])
        paths.select { |path| File.directory?(path) }.uniq
      end

      # Loads the files named like a fact; where facts are only asked for, those of facts that the host has not.
      def load(name)
        return unless @searching || core_value(name).nil?

        search_path.each do |folder|
          path = File.join(folder, "#{name}.rb")
          load_file(path) if File.file?(path)
        end
      end

      def load_all
        return if @complete || !@searching

        @complete = true
        search_path.each do |folder|
          Dir.glob(File.join(folder, '*.rb')).sort.each { |path| load_file(path) if File.file?(path) }
        end
      end

      def load_file(path)
        return if @loaded.include?(path)

        @loaded << path
        Kernel.load(path)
      rescue ScriptError => error
        @loaded.delete(path)
        Facter.log_exception(error, "Error loading fact #{path}: #{error.message}")
      rescue StandardError => error
        Facter.log_exception(error, "error while resolving custom facts in #{path} #{error.message}")
      end

      # The fact of a name, or the one whose value has a dotted path.
      def fact(name)
        load(name)
        return @added[name] if @added.key?(name)
        return nil unless core_value(name).nil?

        load_all
        @added[name]
      end

      # The value at a dotted path of the core facts.
      def core_value(path)
        return core[path] if core.key?(path)

        dig(core, path.split('.'))
      end

      def dig(values, words)
        words.reduce(values) do |value, word|
          case value
          when Hash then value.key?(word) ? value[word] : value[word.to_sym]
          when Array then word.match?(/\A\d+\z/) ? value[word.to_i] : nil
          end
        end
      end

      # The value of a fact, or of a part of it.
      def value(name)
        return nil if blocked?(name)

        found = fact(name)
        return stringified(found.value) if found
        return core_value(name) unless core_value(name).nil?

        words = name.split('.')
        (words.size - 1).downto(1) do |length|
          whole = @added[words.first(length).join('.')] or next
          return dig(stringified(whole.value), words.drop(length))
        end
        nil
      end

      def stringified(value)
        case value
        when Hash then value.to_h { |key, each| [key.to_s, stringified(each)] }
        when Array then value.map { |each| stringified(each) }
        else value
        end
      end

      def all
        load_all
        values = @added.reject { |name, _| blocked?(name) }.transform_values { |fact| stringified(fact.value) }
        core.merge(values.compact)
      end

      def once(level, message)
        return if (@warned ||= {}).key?([level, message])

        @warned[[level, message]] = true
        Facter.tell(level, message)
      end

      # Facter's types of Puppet's: one can be made, to learn its default provider.
      def native_type(name)
        provider = (@providers || {})[name.to_s] or return nil
        type = Object.new
        type.define_singleton_method(:defaultprovider) { Struct.new(:name).new(provider.to_sym) }
        %W[new new#{name}].each { |creator| type.define_singleton_method(creator) { |*, **given| { provider: provider.to_sym }.merge(given) } }
        type
      end
    end
    @added = {}
    @loaded = []
    @known = {}
    @durations = {}
    @folders = []
  end

  module NativeTypesForFacts
    def type(name) = Facts.native_type(name) || super
  end
  Puppet::Type.singleton_class.prepend(NativeTypesForFacts)
end

# What the prelude says of facts for the compiling of catalogs.
Facter::Util.__send__(:remove_const, :Resolution)
Facter::Core.__send__(:remove_const, :Execution)

module Facter
  VERSION = '4.10.0'.freeze unless const_defined?(:VERSION)

  class ResolveCustomFactError < StandardError; end

  # A value that was asked for.
  class ResolvedFact
    attr_reader :name, :value

    def initialize(name, value)
      @name = name
      @value = value
    end

    def to_s = @value.to_s
  end

  class << self
    def value(query) = fact(query)&.value

    def fact(query)
      name = query.to_s.downcase
      known = Plumb::Facts.known
      return known[name] if known.key?(name)

      value = Plumb::Facts.value(name)
      return nil if value.nil? && !Plumb::Facts.added.key?(name)

      known[name] = ResolvedFact.new(name, value)
    end
    alias [] fact

    def core_value(query) = Plumb::Facts.core_value(query.to_s)
    def to_hash = Plumb::Facts.all
    def list = to_hash.keys.sort
    def version = VERSION

    def each(&block)
      to_hash.each(&block)
      self
    end

    def add(name, options = {}, &block)
      fact = fact_named(name, options)
      Plumb::Facts.known.delete(fact.name.to_s)
      fact.add(options.merge(fact_type: options[:fact_type] || :custom), &block)
      fact
    end

    def define_fact(name, options = {}, &block)
      fact = fact_named(name, options)
      fact.instance_eval(&block) if block
      fact
    rescue StandardError => error
      log_exception(error, "Unable to add fact #{name}: #{error}")
    end

    def clear
      flush
      Plumb::Facts.forget
      nil
    end

    def reset
      Plumb::Facts.folders = []
      Plumb::Facts.forget
      nil
    end

    def flush
      Plumb::Facts.added.each_value(&:flush)
      Plumb::Facts.refresh
      nil
    end

    def loadfacts = Plumb::Facts.load_all && nil
    def search(*folders) = (Plumb::Facts.folders += folders) && nil
    def search_path = Plumb::Facts.folders
    def search_external(_folders) = nil
    def search_external_path = []
    def load_external(_enabled) = nil

    def tell(level, message, source = 'Facter') = Plumb::Lines.add(level, message, source)
    def debugging? = Puppet.debugging ? true : false
    def debugging(value) = Puppet.debugging = value
    def trace? = @trace ? true : false
    def trace(value) = @trace = value
    def http_debug? = false
    def http_debug(_value) = nil
    def sequential? = true
    def enable_sequential = nil
    def disable_sequential = nil
    def on_message = nil
    def clear_messages = nil

    def debug(message) = debugging? ? tell('debug', message.to_s) && nil : nil
    def debugonce(message) = debugging? ? Plumb::Facts.once('debug', message.to_s) && nil : nil
    def info(message) = tell('info', message.to_s) && nil
    def warn(message) = tell('warn', message.to_s) && nil
    def warnonce(message) = Plumb::Facts.once('warn', message.to_s) && nil

    # An error, with its own words where none are given.
    def log_exception(exception, message = nil)
      text = message.to_s.empty? ? (exception.is_a?(Exception) ? exception.message : exception.to_s) : message.to_s
      text = [text, 'backtrace:', *exception.backtrace].join("\n") if trace? && exception.is_a?(Exception) && exception.backtrace
      tell('error', text)
      nil
    end

    private

    def fact_named(name, options)
      name = name.to_s.downcase
      Plumb::Facts.added[name] ||= Util::Fact.new(name, options)
    end
  end
end
