# A catalog as termini see it: the data of the wire, with the calls of Puppet's resource/catalog.rb, resource.rb, relationship.rb and
# graph/simple_graph.rb that are about data.
module Puppet
  class Relationship
    def self.from_data_hash(data)
      new(data['source'], data['target'], 'event' => data['event']&.to_sym, 'callback' => data['callback']&.to_sym)
    end

    def label = { event: event, callback: callback }.compact
    def ref = "#{source} => #{target}"
    alias to_s ref
    def inspect = "{ #{source} => #{target} }"

    def to_data_hash
      { 'source' => source.to_s, 'target' => target.to_s, 'event' => event&.to_s, 'callback' => callback&.to_s }
        .reject { |name, value| value.nil? || (name == 'event' && value == 'NONE') }
    end
  end

  class Resource
    include Util::PsychSupport
    include Network::FormatSupport
    %i[tags tag tagged? merge_tags_from].each { |name| remove_method(name) }
    include Util::Tagging
    # Attributes that name a resource, of Puppet's own types; of all others `name` does.
    NAMING = { 'File' => [:path], 'Exec' => [:command], 'Tidy' => [:path], 'Package' => %i[name provider command] }.freeze
    attr_accessor :kind
    alias initialize_plain initialize
    private :initialize_plain

    def initialize(...)
      initialize_plain(...)
      tag(@type)
      tag(@title) if @title.to_s.match?(VALID_TAG)
    end

    def self.from_data_hash(data) = allocate.tap { |made| made.initialize_from_hash(data) }

    # Values stay as they are on the wire.
    def initialize_from_hash(data)
      @type = data['type'] || raise(ArgumentError, 'No resource type provided in serialized data')
      @title = data['title'] || raise(ArgumentError, 'No resource title provided in serialized data')
      @parameters = (data['parameters'] || {}).transform_keys(&:to_sym)
      @sensitive_parameters = (data['sensitive_parameters'] || []).map(&:to_sym)
      @file, @line, @exported, @kind = data.values_at('file', 'line', 'exported', 'kind')
      tag(*data['tags'])
    end

    def name = "#{@type}/#{@title}"
    def virtual? = @virtual ? true : false
    def exported? = @exported ? true : false
    def key_attributes = NAMING.fetch(@type, [:name])
    def namevar = key_attributes.then { |keys| keys.size == 1 ? keys.first : :name }
    def to_hash = { namevar => @title }.merge(@parameters)
    alias to_h to_hash
    def parameters = @parameters.dup
    def environment = catalog&.environment_instance || Node::Environment.current
    def to_resource = self

    def to_data_hash
      about = { 'file' => @file, 'line' => @line, 'exported' => @exported || false, 'kind' => @kind }.compact
      given = @parameters.transform_keys(&:to_s)
      { 'type' => @type, 'title' => @title.to_s, 'tags' => tags.to_a, **about, **(given.empty? ? {} : { 'parameters' => given }),
        **(sensitive_parameters.empty? ? {} : { 'sensitive_parameters' => sensitive_parameters.map(&:to_s) }) }
    end

    remove_const(:Catalog)

    class Catalog
      class DuplicateResourceError < Error; end

      extend Indirector
      include Util::PsychSupport
      include Util::Tagging
      include Network::FormatSupport
      indirects :catalog, terminus_setting: :catalog_terminus
      attr_accessor :name, :version, :code_id, :catalog_uuid, :catalog_format, :metadata, :recursive_metadata, :retrieval_duration,
                    :host_config, :from_cache, :client_version, :server_version, :environment, :environment_instance
      attr_reader :edges
      alias host_config? host_config

      def self.from_data_hash(data) = allocate.tap { |made| made.initialize_from_hash(data) }

      def initialize(name = nil, environment = nil, code_id = nil)
        @name = name
        @code_id = code_id
        @catalog_format = 1
        @metadata = {}
        @recursive_metadata = {}
        @classes = []
        @edges = []
        @table = {}
        @environment = environment.to_s
        @environment_instance = Node::Environment.named(environment) if environment
      end

      def initialize_from_hash(data)
        initialize(data['name'], data['environment'], data['code_id'])
        @version, @catalog_uuid = data.values_at('version', 'catalog_uuid')
        @catalog_format = data['catalog_format'] || 0
        @metadata = data['metadata'] || {}
        @recursive_metadata = data['recursive_metadata'] || {}
        tag(*data['tags'])
        add_resource(*(data['resources'] || []).map { |each| Resource.from_data_hash(each) })
        (data['edges'] || []).each { |each| add_edge(connected(Relationship.from_data_hash(each))) }
        add_class(*data['classes'])
      end

      def to_data_hash
        {
          'tags' => tags.to_a, 'name' => name, 'version' => version, 'code_id' => code_id, 'catalog_uuid' => catalog_uuid,
          'catalog_format' => catalog_format, 'environment' => environment.to_s, 'resources' => resources.map(&:to_data_hash),
          'edges' => edges.map(&:to_data_hash), 'classes' => classes,
          **{ 'metadata' => metadata, 'recursive_metadata' => recursive_metadata }.reject { |_, each| each.empty? }
        }
      end

      def classes = @classes.dup
      def add_class(*names) = names.each { |each| @classes << each && tag(each) }
      def resources = @table.values
      alias vertices resources
      def resource_keys = @table.keys
      def resource_refs = resources.map(&:ref)
      def size = @table.size
      def title_key_for_ref(ref) = ref.match(/\A([-\w:]+)\[(.*)\]\z/m)&.captures
      def vertex?(resource) = @table.value?(resource)
      def to_resource = self

      def resource(type, title = nil)
        type, title = title_key_for_ref(type.to_s) || return if title.nil?
        type = Resource.new(type, title).type
        @table[[type, title.to_s]] || (type == 'Class' && @table[[type, Resource.class_title(title.to_s)]]) || nil
      end

      def add_resource(*resources)
        resources.each do |each|
          key = [each.type, each.title.to_s]
          raise DuplicateResourceError, "Duplicate declaration: #{each.ref} is already declared; cannot redeclare" if @table.key?(key)

          @table[key] = each
          each.catalog = self
        end
      end

      def create_resource(type, options)
        given = options.transform_keys(&:to_sym)
        Resource.new(type, given.delete(:title), parameters: given).tap { |made| add_resource(made) }
      end

      def remove_resource(*resources)
        resources.each do |each|
          @table.delete([each.type, each.title.to_s])
          @edges.reject! { |edge| edge.source == each || edge.target == each }
          each.catalog = nil
        end
      end

      def clear(*) = [@table, @edges].each(&:clear)

      # Of a relationship, or of a source and a target.
      def add_edge(edge, target = nil, label = nil)
        @edges << (edge.is_a?(Relationship) ? edge : Relationship.new(edge, target, label || {}))
        @edges.last
      end
      alias add_relationship add_edge

      def remove_edge!(edge) = @edges.delete(edge)
      def edge?(source, target) = @edges.any? { |each| each.source == source && each.target == target }
      def edges_between(source, target) = @edges.select { |each| each.source == source && each.target == target }
      def direct_dependents_of(resource) = adjacent(resource)
      def direct_dependencies_of(resource) = adjacent(resource, direction: :in)
      def container_of(resource) = direct_dependencies_of(resource).first

      def adjacent(resource, options = {})
        from, to = options[:direction] == :in ? %i[target source] : %i[source target]
        found = @edges.select { |each| each.public_send(from) == resource }
        options[:type] == :edges ? found : found.map(&to)
      end

      # The catalog without the resources for which the block is true.
      def filter
        kept = resources.reject { |each| yield each }
        among = kept.to_h { |each| [each.ref, true] }
        data = to_data_hash
        edges = data['edges'].select { |each| among[each['source']] && among[each['target']] }
        self.class.from_data_hash(data.merge('resources' => kept.map(&:to_data_hash), 'edges' => edges))
      end

      private

      def connected(edge)
        { source: edge.source, target: edge.target }.each do |role, ref|
          found = resource(ref) or
            raise ArgumentError, "Could not intern from data: Could not find relationship #{role} #{ref.inspect} for #{edge}"
          edge.public_send("#{role}=", found)
        end
        edge
      end

      class Json < Indirector::JSON; end
      class Yaml < Indirector::Yaml; end

      # Named, so that a class of an owner's that begins from it fails in words.
      class Compiler
        def self.inherited(_)
          super
          raise Puppet::Error, 'the server compiles catalogs itself: a terminus cannot inherit from Puppet::Resource::Catalog::Compiler. ' \
                               'catalog_cache_terminus processes each compiled catalog'
        end
      end
    end
  end
end
