# Puppet::Type: the types of resources that modules define. On a server they say what their attributes are called and
# what makes two resources the same; no provider is ever run, and none is loaded.
$LOADED_FEATURES.push(*%w[
  type provider provider/exec provider/nameservice provider/nameservice/objectadd provider/package
  provider/parsedfile provider/service type/exec type/file type/file/content type/file/ensure type/file/group
  type/file/mode type/file/owner type/file/source type/group type/package type/service type/user confine
  resource/catalog feature/base file_serving/content file_serving/metadata network/http util/diff util/docs
  util/inifile util/monkey_patches util/network_device util/posix util/suidmanager util/windows
].map { |name| "puppet/#{name}.rb" })

module Puppet
  PUPPETVERSION = ::PUPPETVERSION

  # What a class body of a provider may say; none of it counts here.
  class Provider
    include Util
    include Util::Errors
    include Util::Logging

    class << self
      include Util
      include Util::Errors
      include Util::Logging
      attr_accessor :name, :resource_type, :doc, :default_target

      %i[
        commands optional_commands has_command confine defaultfor notdefaultfor has_feature has_features
        mk_resource_methods initvars desc text_line record_line options
      ].each { |declaration| define_method(declaration) { |*, **| nil } }

      def suitable?(*) = false
      def feature?(*) = false
      def features = []
      def instances = []
    end

    attr_accessor :resource

    def initialize(resource = nil)
      @resource = resource
    end

    class ParsedFile < Provider; end
    class Package < Provider; end
    class NameService < Provider
      class ObjectAdd < NameService; end
    end
  end

  class Type
    include Util
    include Util::Errors
    include Util::Logging

    METAPARAMETERS = %i[noop schedule audit loglevel alias tag require subscribe before notify stage].freeze
    ERROR_WITHOUT_PATTERNS = 'you must specify title patterns when there are two or more key attributes'
    @types = {}

    class << self
      include Util
      include Util::Errors
      include Util::Logging
      attr_reader :name, :properties
      attr_accessor :doc, :self_refresh, :providerloader

      # All types

      def newtype(name, options = {}, &block)
        name = name.to_s.downcase.to_sym
        made = Class.new(Type)
        made.start(name)
        define_constant(self, '', name, made)
        options.each { |option, value| made.public_send("#{option}=", value) if made.respond_to?("#{option}=") }
        made.class_eval(&block) if block
        made.ensurable if made.ensurable? && !made.validproperty?(:ensure)
        Type.types[name] = made
        made.providify if provided?(name)
        made
      end

      # The type of that name, loaded if need be.
      def type(name)
        name = name.to_s.downcase.to_sym
        return nil if name.to_s.include?(':')

        Type.load_type(name) unless Type.types.key?(name)
        Type.types[name]
      end

      def types = @types
      def eachtype(&block) = Type.types.each_value.select(&:itself).each(&block)
      def rmtype(name) = Type.types.delete(name.to_s.to_sym)

      def load_type(name)
        return load_builtin(name) unless (path = type_file(name))

        begin
          Plumb::Loading.file(path)
        rescue Plumb::HostError
          raise
        rescue StandardError, ScriptError => error
          raise Puppet::Error.new("Could not autoload puppet/type/#{name}: #{error.message}", error)
        end
        return if Type.types.key?(name)

        Puppet.warning("Loaded puppet/type/#{name} but no class was created")
        Type.types[name] = nil
      end

      def load_builtin(name)
        shape = builtin_shape(name) or return Type.types[name] = nil
        newtype(name) do
          shape['parameters'].each { |each| newparam(each, namevar: shape['namevars'].include?(each)) }
          shape['properties'].each { |each| newproperty(each) }
          @isomorphic = shape['isomorphic']
        end
      end

      def const_missing(constant)
        found = equal?(Type) ? type(constant) : nil
        found || super
      end

      # One type

      def start(name)
        @name = name
        @parameters = []
        @properties = []
        @paramhash = {}
        @validproperties = {}
        @features = {}
        @doc = ''
      end

      def newparam(name, options = {}, &block)
        made = attribute(name, options[:parent] || Parameter, options[:attributes] || {}, 'Parameter', @paramhash, block)
        made.required_features = options[:required_features] if options[:required_features]
        made.isnamevar if options[:namevar]
        define_method("#{made.name}?") { %w[true].include?(self[name].to_s) } if options[:boolean]
        @parameters << made
        made
      end

      def newproperty(name, options = {}, &block)
        raise DevError, "Options must be a hash, not #{options.inspect}" unless options.is_a?(Hash)
        raise DevError, "Class #{self.name} already has a property named #{name}" if @validproperties.key?(name.to_sym)

        options = options.dup
        made = attribute(name, options.delete(:parent) || Property, options, '', @validproperties, block)
        made.name == :ensure ? @properties.unshift(made) : @properties << made
        made
      end

      def newmetaparam(name, options = {}, &block) = newparam(name, options, &block)

      def ensurable(&block)
        block ||= -> { defaultvalues }
        newproperty(:ensure, parent: Property::Ensure) { class_exec(&block) }
      end

      def ensurable? = %i[exists? create destroy].all? { |method| public_method_defined?(method) }
      def desc(text) = @doc = text
      def validate(&block) = define_method(:validate, &block)
      def feature(name, description, _methods = {}, &) = @features[name] = description
      def features = @features
      def provider_feature(name) = @features[name]

      %i[autorequire autobefore autosubscribe autonotify apply_to_device apply_to_host apply_to_all].each do |declaration|
        define_method(declaration) { |*| nil }
      end

      def apply_to = :host
      def can_apply_to(_target) = true
      def instances = []

      # Attributes

      def parameters = @parameters.map(&:name)
      def validproperties = @validproperties.keys
      def metaparams = METAPARAMETERS
      def metaparam?(name) = METAPARAMETERS.include?(name.to_sym)
      def metaparamclass(name) = metaparam?(name) ? Parameter : nil
      def allattrs = key_attributes | (parameters & [:provider]) | @properties.map(&:name) | parameters | metaparams
      def paramclass(name) = @paramhash[name.to_sym]
      def propertybyname(name) = @validproperties[name.to_sym]
      def attrclass(name) = propertybyname(name) || paramclass(name) || metaparamclass(name)
      def validproperty?(name) = @validproperties.key?(name.to_sym)
      def validparameter?(name) = @paramhash.key?(name.to_sym) || metaparam?(name)
      def validattr?(name) = name.to_sym == :name || validproperty?(name) || validparameter?(name)
      alias valid_parameter? validattr?

      def attrtype(name)
        name = name.to_sym
        if validproperty?(name) then :property
        elsif @paramhash.key?(name) then :param
        elsif metaparam?(name) then :meta
        end
      end

      def parameters_to_include = []

      # Identity

      def key_attribute_parameters = @parameters.select { |each| each.isnamevar? || each.name == :name }
      def key_attributes = key_attribute_parameters.map(&:name)
      def isomorphic? = @isomorphic.nil? || @isomorphic

      def title_patterns
        names = key_attributes
        raise DevError, ERROR_WITHOUT_PATTERNS if names.size > 1

        names.map { |name| [/(.*)/m, [[name]]] }
      end

      # Providers

      def provide(name, options = {})
        parent = options[:parent].is_a?(Class) ? options[:parent] : Provider
        made = Class.new(parent)
        made.name = name.to_sym
        made.resource_type = self
        providify
        provider_hash[name.to_sym] = made
      end

      def providify
        return if @paramhash.key?(:provider)

        newparam(:provider).parenttype = self
      end

      def provider_hash = @provider_hash ||= {}
      def provider(name) = provider_hash[name.to_sym]
      def providers = provider_hash.keys
      def suitableprovider = []
      def defaultprovider = nil

      def to_s = instance_variable_defined?(:@name) ? "Puppet::Type::#{@name.to_s.capitalize}" : super

      private

      def provided?(name) = Plumb::Bridge.ask('has_providers', name.to_s)
      def type_file(name) = Plumb::Bridge.ask('type_file', name.to_s)
      def builtin_shape(name) = Plumb::Bridge.ask('builtin_type', name.to_s)

      def attribute(name, parent, options, prefix, table, block)
        name = name.to_s.downcase.to_sym
        made = Class.new(parent) { @name = name }
        define_constant(self, prefix, name, made)
        made.initvars
        options.each { |option, value| made.public_send("#{option}=", value) if made.respond_to?("#{option}=") }
        made.class_eval(&block) if block
        table[name] = made
      end

      def define_constant(owner, prefix, name, made)
        constant = prefix + name.to_s.capitalize
        return unless constant.match?(/\A[A-Z]\w*\z/)

        owner.__send__(:remove_const, constant) if owner.const_defined?(constant, false)
        owner.const_set(constant, made)
      end
    end
  end
end

module Plumb
  # A type as plain data.
  module Reflection
    module_function

    def of(type)
      {
        'parameters' => type.parameters.map(&:to_s),
        'properties' => type.properties.map { |each| each.name.to_s },
        'namevars' => type.key_attributes.map(&:to_s),
        'values' => values_of(type),
        'isomorphic' => type.isomorphic? ? true : false,
        'patterns' => patterns_of(type)
      }
    end

    # The values of each attribute that takes only some.
    def values_of(type)
      attributes = type.parameters.map { |name| type.paramclass(name) } + type.properties
      attributes.reject { |each| each.value_collection.empty? }.to_h do |each|
        [each.name.to_s, each.value_collection.values.map(&:to_s) + each.value_collection.regexes]
      end
    end

    # Nothing where the title is the one namevar, as for most types.
    def patterns_of(type)
      return nil if type.method(:title_patterns).owner == Puppet::Type.singleton_class && type.key_attributes.size > 0

      patterns = type.title_patterns || [[/(.*)/m, [[:name]]]]
      patterns.map { |regexp, parts| [regexp, parts.map { |name, change| [name.to_s, !(change.nil? || same?(change))] }] }
    end

    # Whether a proc only gives what it was given, as most do.
    def same?(change)
      code = RubyVM::InstructionSequence.of(change)&.to_a&.last or return false
      code.select { |each| each.is_a?(Array) }.map(&:first) in [:getlocal | :getlocal_WC_0, :leave]
    end

    # What a type makes of a part of a title.
    def changed_part(type, pattern, part, text)
      Puppet::Type.type(type).title_patterns[pattern][1][part][1].call(text)
    end
  end
end
