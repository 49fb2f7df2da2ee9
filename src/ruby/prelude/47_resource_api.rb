# Types of the Resource API, which are described by a hash.
$LOADED_FEATURES.push('puppet/resource_api.rb', 'puppet/resource_api/simple_provider.rb')

module Puppet
  module ResourceApi
    class SimpleProvider; end

    module_function

    def register_type(definition)
      raise DevError, "requires a hash as definition, not `#{definition.class}`" unless definition.is_a?(Hash)

      patterns = definition[:title_patterns]
      Type.newtype(definition[:name].to_sym) do
        @doc = definition[:desc].to_s
        # Its providers are classes that are found by name.
        define_singleton_method(:providify) { nil }
        definition[:attributes].each do |name, description|
          case ResourceApi.behaviour(description)
          when :namevar then newparam(name, namevar: true)
          when :parameter then newparam(name)
          else newproperty(name)
          end
        end
        define_singleton_method(:title_patterns) { ResourceApi.patterns(patterns) } if patterns
      end
    end

    def behaviour(description) = description[:behaviour] || description[:behavior]

    # By the names of the pattern's groups.
    def patterns(described)
      described.map { |each| [each[:pattern], each[:pattern].names.map { |name| [name.to_sym] }] }
    end
  end
end
