module PlumbSpec
  # Resources of a catalog whose types modules define in Ruby, as objects of these types.
  class ModuleResources
    RELATIONS = %w[require subscribe before notify].freeze

    def initialize(catalogue)
      @catalogue = catalogue
    end

    # Raises the error of the first invalid resource.
    def check = instances

    # Pairs of references: each resource comes before the other.
    def relations
      instances.flat_map { |resource, instance| RELATIONS.flat_map { |relation| related(resource, instance, relation) } }
    end

    private

    def instances
      @instances ||= begin
        catalog = Puppet::Resource::Catalog.new(@catalogue.name)
        found = @catalogue.resources.filter_map { |resource| made(resource, catalog) }
        @catalogue.resources.each { |resource| catalog.add_resource(resource) unless @catalogue.module_types.include?(resource.type) }
        found
      end
    end

    def made(resource, catalog)
      return nil unless @catalogue.module_types.include?(resource.type)

      PlumbSpec.add_libraries
      type = Puppet::Type.type(resource.type.downcase) or return nil
      data = Puppet::Resource.new(type, resource.title, parameters: plain(resource), catalog: catalog)
      data.file = resource.file
      data.line = resource.line
      instance = type.new(data)
      catalog.add_resource(instance)
      [resource, instance]
    rescue Puppet::Error
      raise
    rescue StandardError
      # Code that needs the machine of a node says nothing about the catalog.
      nil
    end

    # Without metaparameters, which the compiler checks.
    def plain(resource)
      resource.to_hash.reject { |name, _| RELATIONS.include?(name.to_s) || name == :alias }
    end

    def related(resource, instance, relation)
      found = []
      instance.class.public_send("eachauto#{relation}") do |type, code|
        Array(instance.instance_eval(&code)).each { |title| found << (title.respond_to?(:ref) ? title.ref : "#{type.to_s.capitalize}[#{title}]") }
      end
      found.compact.map { |other| %w[require subscribe].include?(relation) ? [other, resource.ref] : [resource.ref, other] }
    rescue StandardError
      []
    end
  end
end
