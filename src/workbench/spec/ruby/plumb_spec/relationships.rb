require 'set'

module RSpec
  module Puppet
    module ManifestMatchers
      # Order and notification between resources: through parameters, through containers, and automatic ones.
      module Relationships
        private

        def resource_from_ref(ref) = ref.is_a?(PlumbSpec::Resource) ? ref : @catalogue.resource(ref)

        # The resource of the catalog that a reference means; nil if there is none.
        def canonicalize_resource(ref)
          resource_from_ref(ref) || find_by_name(*@catalogue.split(ref))
        end

        def find_by_name(type = nil, title = nil)
          @catalogue.resources.find { |each| each.type == type && each.builtin_type? && each.uniqueness_key.first == title }
        end

        def canonical_name(ref)
          found = resource_from_ref(ref)
          found ? found.ref : ref.to_s
        end

        # References that a parameter leads to, also through the resources on the way.
        def relationship_refs(resource, type, visited = Set.new)
          resource = canonicalize_resource(resource)
          return [] if resource.nil?
          return [resource.ref] unless visited.add?(resource.object_id)

          declared = [resource[type]].flatten.compact
          (declared + @catalogue.automatic(resource, type)).flat_map do |ref|
            other = canonicalize_resource(ref)
            names = other&.builtin_type? ? [other.ref, "#{other.type}[#{other.uniqueness_key.first}]"] : []
            [canonical_name(ref), *names, *relationship_refs(ref, type, visited)]
          end
        end

        def self_or_upstream(resource) = [resource, *@catalogue.upstream_from_vertex(resource).keys]

        def precedes?(first, second)
          each_pair(first, second) do |one, other|
            before = relationship_refs(one, :before) + relationship_refs(one, :notify)
            required = relationship_refs(other, :require) + relationship_refs(one, :subscribe)
            before.include?(other.to_ref) || required.include?(one.to_ref) || before.intersect?(required)
          end
        end

        def notifies?(first, second)
          each_pair(first, second) do |one, other|
            relationship_refs(one, :notify).include?(other.to_ref) || relationship_refs(other, :subscribe).include?(one.to_ref)
          end
        end

        def each_pair(first, second)
          return false if first.nil? || second.nil?

          self_or_upstream(first).any? { |one| self_or_upstream(second).any? { |other| yield(one, other) } }
        end
      end
    end
  end
end
