# Providers as they work on a node: in place of those of the prelude, which are declarations only.
module Puppet
  remove_const(:Provider)

  class Provider
    include Comparable
    include Util
    include Util::Errors
    include Util::Warnings
    include Util::Logging
    extend Confiner

    # A program that a provider has as a method.
    class Command
      attr_reader :executable, :name

      # Finds the program with `which` of `resolver`, and runs it with `execute` of `executor`.
      def initialize(name, executable, resolver, executor, options = {})
        @name = name
        @executable = executable
        @resolver = resolver
        @executor = executor
        @options = options
      end

      def execute(*arguments)
        found = @resolver.which(@executable) or raise MissingCommand, "Command #{@name} is missing"
        @executor.execute([found, *arguments], @options)
      end
    end

    # What a block of has_command may say.
    class CommandDefiner
      attr_reader :optional, :variables

      def initialize = @variables = {}
      def is_optional = @optional = true
      def environment(variables) = @variables = @variables.merge(variables)
    end

    class << self
      include Util
      include Util::Errors
      include Util::Warnings
      include Util::Logging
      attr_accessor :name, :resource_type, :doc
      attr_writer :source

      def inherited(made)
        super
        made.initvars
      end

      def initvars
        @defaults = []
        @notdefaults = []
        @commands = {}
      end

      def desc(text) = @doc = text
      def source = @source ||= name
      def execute(...) = Util::Execution.execute(...)
      def execpipe(...) = Util::Execution.execpipe(...)
      def get_env(...) = Util.get_env(...)

      # Programs

      def commands(programs) = programs.each { |name, path| has_command(name, path) }
      def optional_commands(programs) = programs.each { |name, path| has_command(name, path) { is_optional } }

      def has_command(name, path, &block)
        definer = CommandDefiner.new
        definer.instance_eval(&block) if block
        confine(exists: path, for_binary: true) unless definer.optional
        @commands[name.to_sym] = path
        options = { failonfail: true, combine: true, custom_environment: definer.variables }
        command = Command.new(name, path, Util, Util::Execution, options)
        define_singleton_method(name) { |*arguments| command.execute(*arguments) } unless singleton_class.method_defined?(name)
        define_method(name) { |*arguments| self.class.public_send(name, *arguments) } unless method_defined?(name)
      end

      def command(name)
        found = @commands && @commands[name.to_sym]
        found ||= superclass.command(name) if superclass.respond_to?(:command)
        raise DevError, "No command #{name} defined for provider #{self.name}" unless found

        Util.which(found)
      end

      # Choice

      def defaultfor(facts) = @defaults << facts
      def notdefaultfor(facts) = @notdefaults << facts
      def default? = default_match ? true : false
      def default_match = matching(@notdefaults) ? nil : matching(@defaults)
      def specificity = (default_match&.size.to_i * 100) + ancestors.grep(Class).size

      # Features

      def declared_feature?(name) = (@declared_features || []).include?(name) || false
      def supports_parameter?(attribute)
        found = attribute.is_a?(Class) ? attribute : resource_type.attrclass(attribute)
        raise DevError, "'#{attribute}' is not a valid parameter for #{resource_type.name}" unless found

        found.required_features.nil? || satisfies?(*found.required_features)
      end

      # Things

      def instances
        raise DevError, "To support listing resources of this type the '#{name}' provider needs to implement an 'instances' class " \
                        'method returning the current set of resources. We recommend porting your module to the simpler Resource API ' \
                        'instead: https://puppet.com/search/docs?keys=resource+api'
      end

      def mk_resource_methods
        [*resource_type.validproperties, *resource_type.parameters].each do |name|
          next if name == :name

          define_method(name) { @property_hash[name].nil? ? :absent : @property_hash[name] }
          define_method("#{name}=") { |value| @property_hash[name] = value }
        end
      end

      def to_s = name && resource_type ? "Puppet::Type::#{resource_type.name.to_s.capitalize}::Provider#{name.to_s.capitalize}" : super

      private

      def matching(wishes)
        wishes.find { |facts| facts.all? { |name, values| name == :feature ? Puppet.features.public_send("#{values}?") : fact?(name, values) } }
      end

      def fact?(name, values)
        known = Facter.value(name).to_s.downcase
        return false if known.empty?

        Array(values).any? { |value| value.is_a?(Regexp) ? known.match?(value) : known == value.to_s.downcase }
      end
    end

    initvars
    attr_accessor :resource

    def initialize(resource = nil)
      @property_hash = resource.is_a?(Hash) ? resource : {}
      @resource = resource unless resource.is_a?(Hash) || resource.nil?
    end

    def clear = @resource = nil
    def command(name) = self.class.command(name)
    def execute(...) = Util::Execution.execute(...)
    def execpipe(...) = Util::Execution.execpipe(...)
    def get(name) = @property_hash[name.to_sym] || :absent
    def set(values) = values.each { |name, value| @property_hash[name.to_sym] = value }

    def name
      return @property_hash[:name] if @property_hash[:name]

      resource&.name or raise DevError, "No resource and no name in property hash in #{self.class.name} instance"
    end

    def to_s = "#{@resource}(provider=#{self.class.name})"
    alias inspect to_s
    def <=>(other) = other.is_a?(Provider) ? self.class.name <=> other.class.name : nil
  end

  # The features of a type: those that its providers have, by saying so or by having the methods.
  class ProviderFeature
    attr_reader :name, :docs, :methods

    def initialize(name, docs, methods: nil)
      @name = name.to_sym
      @docs = docs
      @methods = methods
    end

    def available?(provider)
      !methods.nil? && methods.all? { |name| provider.is_a?(Class) ? provider.public_method_defined?(name) : provider.respond_to?(name) }
    end

    # What providers of a type have for its features, as class and as object.
    def self.module_for(features)
      ::Module.new do
        define_method(:feature?) { |name| respond_to?("#{name}?") && public_send("#{name}?") ? true : false }
        define_method(:features) { features.keys.select { |name| feature?(name) }.sort_by(&:to_s) }
        define_method(:satisfies?) { |*needed| needed.flatten.all? { |name| feature?(name) } }
        define_method(:has_features) { |*names| @declared_features = (@declared_features || []) + names.flatten.map(&:to_sym) }
        alias_method :has_feature, :has_features
        features.each do |name, feature|
          define_method("#{name}?") do
            kind = is_a?(Class) ? self : self.class
            kind.declared_feature?(name) || feature.available?(self)
          end
        end
      end
    end
  end
end
