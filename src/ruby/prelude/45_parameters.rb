# Parameters and properties of the types that modules define: what they are called, which values they take, and what
# they make of them.
$LOADED_FEATURES.push(*%w[
  parameter parameter/boolean parameter/package_options parameter/path parameter/value parameter/value_collection
  property property/boolean property/ensure property/keyvalue property/list property/ordered_list coercion
].map { |name| "puppet/#{name}.rb" })

module Puppet
  module Coercion
    module_function

    def boolean(value)
      case value.respond_to?(:downcase) ? value.downcase.to_s : value
      when true, 'true', 'yes' then true
      when false, 'false', 'no' then false
      else raise ArgumentError, 'expected a boolean value'
      end
    end

    def boolean_values = %w[true false yes no]
  end

  class Parameter
    include Util
    include Util::Errors
    include Util::Logging

    # A value that a parameter takes: a word with its other names, or a pattern.
    class Value
      attr_reader :name, :aliases, :event
      attr_accessor :block, :method, :required_features, :invalidate_refreshes

      def self.word(value)
        value.is_a?(Symbol) || value == '' ? value : value.to_s.to_sym
      end

      def initialize(name)
        @name = name.is_a?(Regexp) ? name : Value.word(name)
        @aliases = []
      end

      def alias(name) = @aliases << Value.word(name)
      def regex? = @name.is_a?(Regexp)

      def event=(value)
        @event = Value.word(value)
      end

      def match?(value)
        return @name.match?(value.to_s) if regex?

        word = Value.word(value)
        @name == word || @aliases.include?(word)
      end
    end

    class ValueCollection
      def initialize
        @all = {}
      end

      def newvalue(name, options = {}, &block)
        value = Value.new(name)
        options.each { |option, given| value.public_send("#{option}=", given) unless option == :call }
        if block
          value.block = block
          value.method ||= "set_#{value.name}" unless value.regex?
        end
        @all[value.name] = value
      end

      def newvalues(*names) = names.each { |name| newvalue(name) }

      def aliasvalue(name, other)
        value = match?(other.to_sym) or raise DevError, "Cannot alias nonexistent value #{other}"
        value.alias(name)
      end

      def empty? = @all.empty?
      def value(name) = @all[name]
      def values = words.map(&:name)
      def regexes = patterns.map { |each| each.name.inspect }
      def match?(value) = words.find { |each| each.match?(value) } || patterns.find { |each| each.match?(value) }

      def munge(value)
        found = match?(value)
        found.nil? || found.regex? ? value : found.name
      end

      def validate(value)
        return if empty? || match?(value)

        text = "Invalid value #{value.inspect}."
        text += " Valid values are #{values.join(', ')}." unless values.empty?
        text += " Valid values match #{regexes.join(', ')}." unless regexes.empty?
        raise ArgumentError, text
      end

      private

      def words = @all.values.reject(&:regex?)
      def patterns = @all.values.select(&:regex?)
    end

    class << self
      include Util
      include Util::Errors
      attr_reader :name, :required_features, :value_collection
      attr_accessor :metaparam, :parenttype
      attr_writer :doc

      def initvars = @value_collection = ValueCollection.new

      def defaultto(value = nil, &block)
        raise DevError, 'Either a default value or block must be provided' if value.nil? && block.nil?

        define_method(:default, &(block || -> { value }))
      end

      def nodefault
        undef_method(:default) if public_method_defined?(:default)
      end

      def sensitive(value = nil, &block) = define_method(:is_sensitive, &(block || -> { value }))
      def desc(text) = @doc = text
      def doc = @doc ||= ''
      def munge(&block) = define_method(:unsafe_munge, &block)
      def unmunge(&block) = define_method(:unsafe_unmunge, &block)
      def validate(&block) = define_method(:unsafe_validate, &block)
      def newvalues(*names) = @value_collection.newvalues(*names)
      def aliasvalue(name, other) = @value_collection.aliasvalue(name, other)
      def isnamevar = @isnamevar = @required = true
      def isnamevar? = @isnamevar
      def isrequired = @required = true
      def required? = @required

      def required_features=(*names)
        @required_features = names.flatten.map { |name| name.to_s.downcase.to_sym }
      end

      def proxymethods(*names)
        names.each { |name| define_method(name) { self.class.public_send(name) } }
      end

      def format_value_for_display(value) = value.inspect
    end

    proxymethods('required?', 'isnamevar?')
    attr_accessor :resource, :parent, :sensitive

    def initialize(resource: nil, value: nil, should: nil)
      raise DevError, "No resource set for #{self.class.name}" unless resource

      @resource = resource
      self.value = value if value
      self.should = should if should
    end

    def name = self.class.name
    def to_s = name.to_s
    def metaparam? = self.class.metaparam
    def provider = @resource.provider
    def tags = [name.to_s]
    def unsafe_validate(value) = self.class.value_collection.validate(value)
    def unsafe_munge(value) = self.class.value_collection.munge(value)
    def unsafe_unmunge(value) = value
    def unmunge(value) = unsafe_unmunge(value)

    def validate(value)
      unsafe_validate(value)
    rescue ArgumentError => error
      raise Puppet::Error.new(error.to_s, error)
    end

    def munge(value) = unsafe_munge(value)
    def value = @value.nil? ? nil : unmunge(@value)

    def value=(value)
      validate(value)
      @value = munge(value)
    end

    class Boolean < Parameter
      def self.initvars
        super
        @value_collection.newvalues(*Coercion.boolean_values)
      end

      def unsafe_munge(value) = Coercion.boolean(value)
    end

    class Path < Parameter
      def self.accept_arrays(accepted = true) = @accept_arrays = accepted ? true : false
      def self.arrays? = @accept_arrays

      def validate_path(paths)
        fail("#{name} only accepts a single path, not an array of paths") if paths.is_a?(Array) && !self.class.arrays?
        fail("#{name} must be a fully qualified path") unless Array(paths).all? { |path| Util.absolute_path?(path) }
        paths
      end

      def unsafe_validate(paths) = validate_path(paths)
      def unsafe_munge(paths) = paths
    end

    class PackageOptions < Parameter
      def unsafe_munge(values)
        (values.is_a?(Array) ? values : [values]).map do |value|
          case value
          when Hash then value.to_h { |key, each| [quote(key), quote(each)] }
          when String then quote(value)
          else fail('Expected either a string or hash of options')
          end
        end
      end

      def quote(value) = value.include?(' ') ? %("#{value.gsub('"', '\"')}") : value
    end
  end

  class Property < Parameter
    class << self
      attr_accessor :unmanaged
      attr_writer :idempotent

      def array_matching = @array_matching ||= :first

      def array_matching=(value)
        value = value.to_sym
        raise ArgumentError, "Supported values for Property#array_matching are 'first' and 'all'" unless %i[first all].include?(value)

        @array_matching = value
      end

      def idempotent = @idempotent.nil? ? @idempotent = true : @idempotent
      def value_name(name) = value_collection.match?(name)&.name
      def value_option(name, option) = value_collection.value(name)&.public_send(option)

      def newvalue(name, options = {}, &block)
        value = value_collection.newvalue(name, options, &block)
        define_method(value.method, &value.block) if value.method && value.block
        value
      end
    end

    def match_all? = self.class.array_matching == :all

    def should
      return nil unless @should

      match_all? ? @should.map { |each| unmunge(each) } : unmunge(@should[0])
    end

    def should=(values)
      values = [values] unless values.is_a?(Array)
      values.each { |each| validate(each) }
      @should = values.map { |each| munge(each) }
    end

    def value = should

    def value=(values)
      self.should = values
    end

    def is_to_s(value) = value.to_s
    def should_to_s(value) = value.to_s

    class Boolean < Property
      def unsafe_munge(value) = Coercion.boolean(value)
    end

    class Ensure < Property
      @name = :ensure

      def self.defaultvalues
        newvalue(:present) { provider.create }
        newvalue(:absent) { provider.destroy }
        defaultto { :present }
      end
    end

    class List < Property
      def membership = :membership
      def delimiter = ','
      def dearrayify(values) = values.sort.join(delimiter)
      def add_should_with_current(should, current) = (should + Array(current)).uniq
      def inclusive? = @resource[membership] == :inclusive
    end

    class OrderedList < List
      def dearrayify(values) = values.join(delimiter)
    end

    class KeyValue < Property
      class << self
        attr_accessor :log_only_changed_or_new_keys
      end

      def membership = :key_value_membership
      def delimiter = ';'
      def separator = '='
      def inclusive? = @resource[membership] == :inclusive
    end
  end
end
