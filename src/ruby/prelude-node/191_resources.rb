# The resources of a run whose types are Ruby's, by numbers of the host's; and what the host asks of them.
module Plumb
  module Resources
    ALL = {}
    # What was seen of each, and how far it was compared.
    SEEN = {}.compare_by_identity
    # Things of this machine that were listed, by numbers of their own.
    LISTED = {}
    @catalog = Puppet::Resource::Catalog.new

    class << self
      attr_reader :catalog

      def data(described)
        made = Puppet::Resource.new(described['type'], described['title'])
        described['parameters'].each { |name, value| made[name] = value }
        made.sensitive_parameters = (described['sensitive'] || []).map(&:to_sym)
        made.file = described['file']
        made.line = described['line']
        made.path = described['path']
        made.tag(*described['tags'])
        made
      end

      # What each of the host's resources is, or why it cannot be.
      def declare(described)
        described.each { |each| @catalog.expect(each) unless each['id'] }
        described.select { |each| each['id'] }.map do |each|
          { 'id' => each['id'], **made(each) }
        rescue StandardError, ScriptError => error
          { 'id' => each['id'], 'error' => error.message.to_s }
        end
      end

      def made(described)
        data = data(described)
        data.catalog = @catalog
        described['late'].each { |name| data[name] = Puppet::Pops::Evaluator::DeferredValue.new }
        resource = Puppet::Type.type(described['type'].downcase).new(data)
        resource.noop = described['noop'] unless described['noop'].nil?
        @catalog.add_resource(resource)
        ALL[described['id']] = resource
        of(resource)
      end

      # A resource as the host wants to know it. Nothing of the machine is looked at for it.
      def of(resource)
        attributes = resource.parameters.reject { |name, each| name == :provider || Puppet::Type.metaparam?(name) || each.late? }
        {
          'name' => resource.name_var ? resource[:name].to_s : nil,
          'provider' => resource.provider && resource.class.paramclass(:provider) ? resource.provider.class.name.to_s : nil,
          'values' => attributes.to_h { |name, each| [name.to_s, wanted(each)] },
          'sensitive' => attributes.select { |_, each| each.sensitive }.keys.map(&:to_s),
          'prefetches' => prefetches?(resource)
        }
      end

      def prefetches?(resource) = resource.provider&.class.respond_to?(:prefetch) ? true : false

      # The resource with the values that waited for its turn.
      def settle(id, values, sensitive)
        resource = ALL.fetch(id)
        resource.take_late(values, sensitive)
        of(resource)
      end

      # As it was munged: what `should` makes of it may need a look at the machine.
      def wanted(attribute)
        return attribute.value unless attribute.is_a?(Puppet::Property)

        values = attribute.instance_variable_get(:@should)
        values && (attribute.match_all? ? values : values[0])
      end

      def relations
        ALL.to_h { |id, resource| [id.to_s, relations_of(resource)] }
      end

      def relations_of(resource)
        %w[require before subscribe notify].to_h do |relation|
          found = resource.autorelation(relation.to_sym, @catalog)
          [relation, found.map { |each| (each.source.equal?(resource) ? each.target : each.source).ref }.uniq]
        rescue StandardError
          # Code that finds relations seldom reckons with a value that nobody knows yet.
          raise if resource.parameters.values.none?(&:late?)

          [relation, []]
        end
      end

      def look(id)
        resource = ALL.fetch(id)
        is = resource.retrieve_resource.to_hash
        SEEN[resource] = is
        seen = is.reject { |name, _| !resource.class.validproperty?(name) }.transform_keys(&:to_s)
        { 'seen' => seen, 'present' => resource.present?(is) ? true : false, 'compared' => compared(resource, nil) }
      end

      def compare(id, from) = compared(ALL.fetch(id), from.to_sym)

      # Properties from one on, up to the first that is not in sync: what changes it may bring the others in sync, too.
      def compared(resource, from)
        is = SEEN.fetch(resource)
        list = resource.properties
        list = list.drop_while { |each| each.name != from } if from
        result = []
        list.each do |each|
          result << state = compared_property(each, is[each.name])
          break unless state['in_sync']
          break if each.name == :ensure && !resource.present?(is)
        end
        result
      end

      def compared_property(property, is)
        name = { 'name' => property.name.to_s }
        return { **name, 'in_sync' => true } if !property.should || property.safe_insync?(is)

        { **name, 'in_sync' => false, **texts(property, is) }
      rescue StandardError => error
        { **name, 'in_sync' => false, 'error' => error.message.to_s, **texts(property, is) }
      end

      def texts(property, is)
        should = property.should
        value = should.nil? ? nil : property.class.value_collection.match?(should)
        {
          'should' => should, 'event' => property.event_name.to_s, 'invalidates' => value&.invalidate_refreshes ? true : false,
          'is_text' => property.is_to_s(is).to_s, 'should_text' => property.should_to_s(should).to_s
        }
      end

      def sync(id, name)
        resource = ALL.fetch(id)
        property = resource.property(name)
        property.sync
        text = property.sensitive ? nil : property.change_to_s(SEEN.fetch(resource)[property.name], property.should)
        { 'text' => text&.to_s }
      end

      def show(id, name, value)
        property = ALL.fetch(id).property(name) || ALL.fetch(id).class.propertybyname(name.to_sym).new(resource: ALL.fetch(id))
        property.is_to_s(value).to_s
      end

      def prefetch(type, provider)
        kind = Puppet::Type.type(type).provider(provider)
        return unless kind.respond_to?(:prefetch)

        all = ALL.each_value.select { |each| each.class.name == type.to_sym }
        # Those that wait for a provider come to have the default one.
        all.reject(&:provider).each { |each| each.provider = kind.name } if kind.equal?(Puppet::Type.type(type).defaultprovider)
        its = all.select { |each| each.provider.instance_of?(kind) }
        kind.prefetch(its.to_h { |each| [each.name, each] })
        nil
      end

      def suitable(id)
        resource = ALL.fetch(id)
        suitable = resource.suitable? ? true : false
        { 'suitable' => suitable, 'provider' => resource.provider&.class&.name&.to_s, 'prefetches' => prefetches?(resource) }
      end

      # What others generate, each as a number or as a description for the host.
      def generated(resources)
        Array(resources).map do |each|
          described = { 'type' => each.class.name.to_s, 'title' => each.title.to_s, 'tags' => each.tags, 'file' => each.file, 'line' => each.line }
          given = each.original_parameters.reject { |name, _| name == :provider && each.provider.is_a?(Puppet::Provider) }
          { **described, 'parameters' => given.transform_keys(&:to_s), 'id' => kept(each), **of(each) }
        end
      end

      def kept(resource)
        known = ALL.find { |_, each| each.equal?(resource) } and return known[0]
        id = -1 - ALL.size
        @catalog.add_resource(resource)
        ALL[id] = resource
        id
      end

      # The things of a type on this machine; what the catalog has stays as the catalog has it.
      def instances(type)
        Puppet::Type.type(type).instances.map do |each|
          LISTED[number = LISTED.size] = each
          { 'listed' => number, 'title' => each.title.to_s }
        end
      end

      # A thing that was listed, as a resource that is to go; nothing where its type knows no absence.
      def removal(listed, metaparameters)
        resource = LISTED.fetch(listed)
        begin
          resource[:ensure] = :absent
        rescue ArgumentError, Puppet::Error
          return nil
        end
        metaparameters.each { |name, value| resource[name] = value }
        resource.purging
        { 'id' => kept(resource), **of(resource) }
      end
    end
  end

  # A type as the host needs it for a run.
  module Reflection
    module_function

    def for_node(name)
      type = Puppet::Type.type(name) or return { 'name' => name, 'error' => nil }
      {
        'name' => name, 'parameters' => type.parameters.map(&:to_s), 'properties' => type.properties.map { |each| each.name.to_s },
        'namevars' => type.key_attributes.map(&:to_s), 'isomorphic' => type.isomorphic? ? true : false,
        'refreshes_itself' => type.self_refresh ? true : false, 'has_providers' => type.paramclass(:provider) ? true : false,
        'methods' => %i[refresh generate eval_generate].select { |each| type.method_defined?(each) }.map(&:to_s),
        'not_idempotent' => type.properties.reject(&:idempotent).map { |each| each.name.to_s },
        'applies_to' => type.apply_to.to_s, 'needless' => type.properties.select { |each| each.name == :ensure }.flat_map { |each| needless(each) },
        'auto' => type.auto.to_h { |relation, blocks| [relation.to_s, blocks.keys.map(&:to_s)] }
      }
    rescue StandardError, ScriptError => error
      { 'name' => name, 'error' => error.message.to_s }
    end

    # Values after which a refresh is needless.
    def needless(property)
      property.value_collection.values.select { |name| property.value_option(name, :invalidate_refreshes) }.map(&:to_s)
    end
  end

  module Operations
    module_function

    # Types that are built in come first: others refer to them.
    def types(names)
      names.each { |name| NativeTypes.use(name) }
      names.map { |name| Reflection.for_node(name) }
    end
    def declare(described) = Resources.declare(described)
    def settle(id, values, sensitive) = Resources.settle(id, values, sensitive)
    def relations = Resources.relations
    def look(id) = Resources.look(id)
    def compare(id, from) = Resources.compare(id, from)
    def sync(id, name) = Resources.sync(id, name)
    def show(id, name, value) = Resources.show(id, name, value)
    def prefetch(type, provider) = Resources.prefetch(type, provider)
    def suitable(id) = Resources.suitable(id)
    def instances(type) = Resources.instances(type)
    def removal(listed, metaparameters) = Resources.removal(listed, metaparameters)
    def generate(id) = Resources.generated(Resources::ALL.fetch(id).generate)
    def eval_generate(id) = Resources.generated(Resources::ALL.fetch(id).eval_generate)

    def flush(id)
      Resources::ALL.fetch(id).flush
      nil
    end

    def refresh(id)
      Resources::ALL.fetch(id).refresh
      nil
    end
  end
end
