# Resources as data, the catalog that they are in, and what of it types and providers ask.
$LOADED_FEATURES.push('puppet/relationship.rb')

module Puppet
  class Resource
    attr_accessor :file, :line, :catalog, :path
    attr_writer :sensitive_parameters, :exported, :virtual, :title
    attr_reader :resource_type

    # Of a type, a reference, or a thing that has both.
    def initialize(type, title = nil, parameters: {}, catalog: nil, strict: false, environment: nil, **)
      @resource_type = type if type.is_a?(Class)
      type = type.name.to_s if type.is_a?(Class)
      type, title = self.class.type_and_title(type) if title.nil? && type.to_s.include?('[')
      @type = type.to_s.sub(/\A::/, '').split('::').map(&:capitalize).join('::')
      @title = @type == 'Class' && title ? self.class.class_title(title.to_s) : title
      @parameters = {}
      @catalog = catalog
      parameters.each { |name, value| self[name] = value }
    end

    def resource_type = @resource_type ||= Type.type(@type.downcase)
    def sensitive_parameters = @sensitive_parameters ||= []
    def tags = @tags ||= [@type.downcase]
    def tag(*names) = @tags = tags | names.map(&:to_s)
    def tagged?(*names) = names.flatten.any? { |name| tags.include?(name.to_s.downcase) }
    def merge_tags_from(other) = tag(*other.tags)
    def [](name) = name.to_sym == :title ? @title : @parameters[named(name)]

    def []=(name, value)
      @parameters[named(name)] = value
    end

    def delete(name) = @parameters.delete(named(name))
    def set_parameter(name, value) = self[name] = value
    def to_hash = @parameters.dup
    alias to_h to_hash
    alias parameters to_hash
    def each(&) = @parameters.each(&)
    def include?(name) = @parameters.key?(named(name))
    alias key? include?
    alias has_key? include?
    def name = self[:name] || @title
    def uniqueness_key = [@title]
    def to_ral = Type.type(@type.downcase).new(self)
    def to_data_hash = { 'type' => @type, 'title' => @title, 'parameters' => @parameters.transform_keys(&:to_s) }
    def valid_parameter?(name) = resource_type.nil? || resource_type.validattr?(name)
    def environment = Node::Environment.current

    # For `Puppet::Resource.indirection`: what is on this machine, by `type/title`, or all by `type`.
    module Found
      module_function

      def find(key, *)
        type, title = key.split('/', 2)
        kind = Type.type(type) or raise Puppet::Error, "Could not find type #{type}"
        known = kind.instances.find { |each| each.name == title }
        (known || kind.new(title: title)).to_resource
      end

      def search(key, *)
        kind = Type.type(key.delete_suffix('/')) or raise Puppet::Error, "Could not find type #{key}"
        kind.instances.map(&:to_resource)
      end
    end

    def self.indirection = Found

    private

    def named(name)
      name = name.respond_to?(:name) && !name.is_a?(Symbol) && !name.is_a?(String) ? name.name : name.to_sym
      return name unless name == :name && resource_type.respond_to?(:key_attributes)

      keys = resource_type.key_attributes
      keys.size == 1 ? keys.first : name
    end

    # The catalog that is applied. Resources become objects when somebody looks at them.
    class Catalog
      attr_accessor :version, :host_config, :name
      alias host_config? host_config

      def initialize(name = nil, *)
        @name = name
        @host_config = true
        @raw = {}
        @made = {}
        @aliases = {}
      end

      # Described by the host; nothing of it is looked at yet.
      def expect(described)
        key = reference(described['type'], described['title'])
        @raw[key] = described
        @aliases[reference(described['type'], described['name'])] ||= key if described['name']
      end

      def add_resource(*resources)
        resources.each do |each|
          @made[each.ref] = each
          each.catalog = self if each.respond_to?(:catalog=)
          add_names(each)
        end
      end

      # Other names by which a resource may be meant.
      def add_names(each)
        return unless each.is_a?(Type) && each.isomorphic?

        name = each.name_var ? each[:name] : nil
        @aliases[reference(each.type, name)] ||= each.ref if name && name != each.title
        Array(each[:alias]).each { |other| @aliases[reference(each.type, other)] ||= each.ref }
      end

      def resource(type, title = nil)
        type = type.name if type.is_a?(Class)
        key = title.nil? ? type.to_s : reference(type, title)
        key = @aliases.fetch(key, key) unless known?(key)
        @made[key] || (@raw.key?(key) && made(key)) || nil
      end

      def resources = (@raw.keys | @made.keys).map { |key| @made[key] || made(key) }
      def each(&) = resources.each(&)
      alias vertices resources
      def resource_keys = resources.map { |each| [each.type, each.title] }
      def resource_refs = @raw.keys | @made.keys
      def adjacent(*, **) = []
      def to_ral = self
      def relationship_graph = self
      def tagged?(*) = false
      def environment = Puppet[:environment]
      def environment_instance = Node::Environment.current
      def classes = resource_refs.filter_map { |ref| ref[/\AClass\[(.*)\]\z/m, 1]&.downcase }
      def remove_resource(*resources) = resources.each { |each| [@made, @raw].each { |table| table.delete(each.ref) } }

      def create_resource(type, options)
        Type.type(type).new(options).tap { |made| add_resource(made) }
      end

      def typed(type) = resource_refs.select { |ref| ref.start_with?("#{type.to_s.capitalize}[") }.map { |ref| resource(ref) }

      private

      def known?(key) = @made.key?(key) || @raw.key?(key)
      def reference(type, title) = "#{type.to_s.split('::').map(&:capitalize).join('::')}[#{title}]"

      def made(key)
        described = @raw.delete(key)
        data = Plumb::Resources.data(described)
        data.catalog = self
        type = described['plain'] ? nil : Type.type(described['type'].downcase)
        object = type ? type.new(data) : data
        object.path = described['path'] if described['path']
        object.of_the_host = true if object.is_a?(Type) && !described['id']
        add_resource(object)
        object
      end
    end
  end

  class Relationship
    attr_accessor :source, :target, :event, :callback

    def initialize(source, target, options = {})
      @source = source
      @target = target
      options.each { |name, value| public_send("#{name}=", value) if respond_to?("#{name}=") }
    end
  end
end
