module RSpec
  module Puppet
    module TypeMatchers
      # `be_valid_type`, with its provider, attributes and features.
      class CreateGeneric
        def initialize(*)
          @provider = nil
          @parameters = []
          @properties = []
          @features = []
          @attributes = {}
          @errors = []
        end

        def with_provider(name)
          @provider = name
          self
        end

        def with_properties(names)
          @properties |= Array(names)
          self
        end

        def with_parameters(names)
          @parameters |= Array(names)
          self
        end

        def with_features(names)
          @features |= Array(names)
          self
        end

        def with_set_attributes(values)
          @attributes.merge!(values)
          self
        end

        def with_defaults(_values) = self

        def matches?((type, title, params))
          return false unless all_valid?(type)
          return true if @attributes.empty? && @provider.nil?

          resource = type.new({ name: title }.merge(params, @attributes))
          return true if @provider.nil? || resource[:provider] == @provider

          @errors << "Expected provider: #{@provider} does not match: #{resource[:provider]}"
          false
        end

        def description = 'be a valid type'
        def failure_message = "Not a valid type #{@errors.inspect}"

        private

        def all_valid?(type)
          valid?('parameters', @parameters) { |name| type.validparameter?(name) } &&
            valid?('properties', @properties) { |name| type.validproperty?(name) } &&
            valid?('features', @features) { |name| type.provider_feature(name) }
        end

        def valid?(noun, names)
          bad = names.map(&:to_sym).reject { |name| yield(name) }
          @errors << "Invalid #{noun}: #{bad.join(',')}" unless bad.empty?
          bad.empty?
        end
      end

      def method_missing(method, *args, &block)
        method == :be_valid_type ? CreateGeneric.new(method, *args, &block) : super
      end
    end
  end
end
