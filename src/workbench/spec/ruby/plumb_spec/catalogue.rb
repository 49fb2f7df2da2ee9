require 'set'

module PlumbSpec
  # A compiled catalog.
  class Catalogue < Puppet::Resource::Catalog
    attr_reader :name, :classes, :resources, :module_types

    def initialize(description, inputs)
      super(description['name'])
      @inputs = inputs
      @classes = description['classes']
      @module_types = description['moduleTypes']
      namevars = description['namevars']
      @resources = description['resources'].map { |each| Resource.new(self, each, namevars[each[0]] || ['name']) }
      @table = @resources.to_h { |each| [[each.type, each.title], each] }
      @containers = description['edges'].each_with_object({}) { |(from, to), found| (found[to] ||= []) << from }
    end

    def resource(type, title = nil)
      type, title = split(type, title)
      return nil if type.nil?

      @table[[type, title]] || aliases[[type, title]] || (@table[[type, title.chomp('/')]] if type == 'File')
    end

    # Type and title as the table has them. The type may be a reference, or a resource.
    def split(type, title = nil)
      return [type.type, type.title] if type.is_a?(Puppet::Resource)

      type, title = Regexp.last_match.captures if title.nil? && type.to_s =~ /\A([^\[]*)\[(.*)\]\z/m
      return nil if title.nil?

      type = type.to_s.delete_prefix('::').split('::').map(&:capitalize).join('::')
      [type, type == 'Class' ? Puppet::Resource.class_title(title.to_s) : title.to_s]
    end
    alias title_key_for_ref split

    def to_a = @resources
    alias vertices resources
    alias to_resource itself
    def each(&) = @resources.each(&)
    def resource_keys = @table.keys
    def resource_refs = @resources.map(&:ref)
    def tags = @resources.flat_map(&:tags).uniq
    def edges = @containers.flat_map { |to, sources| sources.map { |from| [resource(from), resource(to)] } }
    # An object that examples call: `subject` of suites that set the catalog itself.
    def call = self
    def inspect = "#<Puppet::Resource::Catalog #{@name}>"

    # Containers of a resource, from the inside out.
    def upstream_from_vertex(vertex)
      found = {}
      waiting = [*@containers[vertex.ref]]
      until waiting.empty?
        ref = waiting.shift
        container = resource(ref)
        next if container.nil? || found.key?(container)

        found[container] = 1
        waiting.concat([*@containers[ref]])
      end
      found
    end

    # Relationships as an agent computes them. Raises the error of an invalid resource.
    def relations
      @relations ||= begin
        module_resources.check
        Bridge.ask('relate', @inputs)
      end
    end

    # References of the resources that a resource requires automatically, or subscribes to.
    def automatic(resource, relation)
      return [] unless %i[require subscribe].include?(relation)

      @automatic ||= begin
        found = Hash.new { |hash, key| hash[key] = { require: [], subscribe: [] } }
        relations['edges'].each do |from, to, refreshes|
          found[to][:require] << from
          found[to][:subscribe] << from if refreshes
        end
        module_resources.relations.each { |from, to| found[to][:require] << from }
        found
      end
      @automatic.fetch(resource.ref, {})[relation] || []
    end

    private

    def module_resources = @module_resources ||= ModuleResources.new(self)

    # Resources by aliases. Other names that differ from the titles are unknown to rspec-puppet.
    def aliases
      @resources_by_alias ||= @resources.each_with_object({}) do |each, found|
        [*each[:alias]].each { |name| found[[each.type, name]] ||= each }
      end
    end
  end
end
