# Resources of a catalog, and references to them.
module PlumbSpec
  # A reference in a parameter.
  class Reference < Puppet::Resource
    def initialize(type, title)
      super(type, title.to_s)
    end

    def to_hash = {}
    def parameters = {}
    def [](name) = name.to_sym == :title ? @title : nil
    def to_ref = ref
    def exported? = false
    def virtual? = false
    def builtin_type? = !class? && !Definitions.defined_type?(@type)
    def uniqueness_key = [@title]
  end

  # Names of types that the catalogs of this process have as defined types.
  module Definitions
    NAMES = {}

    def self.add(type) = NAMES[type] = true
    def self.defined_type?(type) = NAMES.key?(type) || type.include?('::')
  end

  # A resource of a catalog. Values are converted when an example looks at them.
  class Resource < Puppet::Resource
    attr_reader :kind, :tags, :namevars

    def initialize(catalog, description, namevars)
      type, title, @kind, @file, @line, @exported, @tags, @sensitive, @raw = description
      super(type, title)
      @catalog = catalog
      @namevars = namevars
      Definitions.add(@type) if @kind == 'defined_type'
    end

    def [](name)
      name = name.to_sym
      return @title if name == :title

      known[name == :name ? namevar : name]
    end

    def []=(name, value)
      known[name.to_sym] = value
    end

    def delete(name) = known.delete(name.to_sym)
    def to_hash = known.dup
    alias to_h to_hash
    def parameters = known
    def each(&) = known.each(&)
    def include?(name) = known.key?(name.to_sym)
    alias key? include?
    alias has_key? include?
    def name = self[:name] || @title
    def sensitive_parameters = @sensitive.map(&:to_sym)
    def builtin_type? = @kind == 'compilable_type'
    def class? = @type == 'Class'
    def stage? = @type == 'Stage'
    def exported? = @exported
    def exported = @exported
    def virtual? = false
    def tagged?(*names) = names.flatten.any? { |name| @tags.include?(name.to_s.downcase) }
    def namevar = builtin_type? ? (@namevars.first || 'name').to_sym : :name
    def to_ref = ref
    def isomorphic? = true
    def uniqueness_key = builtin_type? ? @namevars.map { |name| known[name.to_sym] } : [@title]
    def inspect = "#{ref}#{known.inspect}"
    def ==(other) = equal?(other) || (other.is_a?(Puppet::Resource) && other.ref == ref)
    alias eql? ==
    def hash = ref.hash
    # The names of attributes that Puppet's resource type has.
    def resource_type = builtin_type? ? super || KnownType.new(@namevars) : nil
    def to_ral = Puppet::Type.type(@type.downcase).new(self)

    private

    def known
      @known ||= begin
        values = @raw.each_slice(2).to_h { |name, value| [name.to_sym, CatalogValues.in(value)] }
        # The title of a package is its name, although it has several namevars.
        values[namevar] = @title unless values.key?(namevar) || (@namevars.size > 1 && @type != 'Package')
        values
      end
    end
  end

  # The namevars of a type without Ruby code.
  KnownType = Struct.new(:namevars) do
    def key_attributes = namevars.map(&:to_sym)
  end
end
