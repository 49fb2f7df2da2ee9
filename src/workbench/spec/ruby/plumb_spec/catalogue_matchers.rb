module RSpec
  module Puppet
    module ManifestMatchers
      # `compile`, with a check of all references, or with the expected error.
      class Compile
        RELATIONS = %i[require subscribe notify before].freeze

        def initialize
          @failed_resource = ''
          @check_deps = false
          @cycles = []
          @error_msg = ''
        end

        def with_all_deps
          @check_deps = true
          self
        end

        def and_raise_error(error)
          @expected_error = error
          self
        end

        def matches?(catalogue)
          @catalogue = catalogue.call
          @cycles = @catalogue.relations['cycles'].map { |cycle| "#{cycle}\n" }
          return false unless @cycles.empty?
          return false if @check_deps && missing_dependencies?

          @expected_error.nil?
        rescue ::Puppet::Error => error
          @error_msg = error.message
          return false if @expected_error.nil?

          @expected_error.is_a?(Regexp) ? @expected_error =~ @error_msg : @expected_error == @error_msg
        end

        def description
          case @expected_error
          when nil then 'compile into a catalogue without dependency cycles'
          when Regexp then "fail to compile and raise an error matching #{@expected_error.inspect}"
          else "fail to compile and raise the error #{@expected_error.inspect}"
          end
        end

        def failure_message
          return "dependency cycles found: #{@cycles.join('; ')}" unless @cycles.empty?
          return "error during compilation: #{@error_msg}" unless @error_msg.empty?
          return "expected that the catalogue would include #{@failed_resource}" if @expected_error.nil?

          "expected that the catalogue would #{description}"
        end

        def failure_message_when_negated
          return 'expected that the catalogue would not compile but it does' if @expected_error.nil?

          'expected that the catalogue would compile but it does not'
        end

        def supports_block_expectations = true
        def supports_value_expectations = true
        def supports_block_expectations? = true
        def supports_value_expectations? = true

        private

        # The message names the last reference that is not in the catalog.
        def missing_dependencies?
          missing = @catalogue.resources.flat_map do |resource|
            RELATIONS.flat_map { |name| Array(resource[name]).flatten }
                     .select { |each| each.is_a?(::Puppet::Resource) && @catalogue.resource(each).nil? }
                     .map { |each| "#{each.ref} used at #{resource.file}:#{resource.line} in #{resource.ref}" }
          end
          @failed_resource = missing.last || ''
          missing.any?
        end
      end

      # `have_resource_count(n)`, `have_class_count(n)` and `have_TYPE_resource_count(n)`.
      class CountGeneric
        DEFAULT_RESOURCES = %w[Class[main] Class[Settings] Stage[main]].freeze

        attr_reader :resource_type

        def initialize(type, count, *method)
          @type = type || method[0].to_s.gsub(/^have_(.+)_resource_count$/, '\1')
          @resource_type = @type.split('__').map(&:capitalize).join('::')
          @expected_number = count.to_i
        end

        def matches?(catalogue)
          resources = catalogue.call.resources.reject { |each| DEFAULT_RESOURCES.include?(each.ref) }
          @actual_number = resources.count do |each|
            @type == 'resource' ? !%w[Class Node].include?(each.type) : each.type == @resource_type
          end
          @actual_number == @expected_number
        end

        def description
          noun = @type == 'class' ? %w[class classes] : %w[resource resources]
          name = "#{@resource_type} " unless %w[class resource].include?(@type)
          "contain exactly #{@expected_number} #{name}#{noun[@expected_number == 1 ? 0 : 1]}"
        end

        def failure_message = "expected that the catalogue would #{description} but it contains #{@actual_number}"
        def failure_message_when_negated = "expected that the catalogue would not #{description} but it does"
        def supports_block_expectations = true
        def supports_value_expectations = true
        def supports_block_expectations? = true
        def supports_value_expectations? = true
      end

      # `have_unique_values_for_all(type, attribute)`.
      class UniqueValues
        def initialize(type, attribute)
          @type = type.capitalize
          @attribute = attribute.to_sym
        end

        def matches?(catalogue)
          values = catalogue.call.resources.select { |each| each.type == @type }.map { |each| each[@attribute] }
          values.uniq.size == values.size
        end

        def description = "have unique attribute values for #{@type}[#{@attribute}]"
        def failure_message = "expected that the catalogue would have no duplicate values for #{@type}[#{@attribute}]"
        def supports_block_expectations? = true
        def supports_value_expectations? = true
      end

      # `include_class(name)`, the old form of `contain_class`.
      class IncludeClass
        def initialize(name)
          @name = name
        end

        def matches?(catalogue)
          RSpec.deprecate('include_class()', replacement: 'contain_class()')
          catalogue.call.classes.include?(@name)
        end

        def description = "include Class[#{@name}]"
        def failure_message = "expected that the catalogue would include Class[#{@name}]"
        def supports_block_expectations? = true
        def supports_value_expectations? = true
      end

      def have_class_count(count) = CountGeneric.new('class', count)
      def have_resource_count(count) = CountGeneric.new('resource', count)
      def have_unique_values_for_all(type, attribute) = UniqueValues.new(type, attribute)
      def include_class(name) = IncludeClass.new(name)

      def method_missing(method, *args, &block)
        case method.to_s
        when /^(create|contain)_/ then CreateGeneric.new(method, *args, &block)
        when /^have_.+_count$/ then CountGeneric.new(nil, args[0], method)
        when 'compile' then Compile.new
        else super
        end
      end
    end

    module GenericMatchers
      # RSpec's matcher, which also accepts a subject that is called.
      class RaiseError < RSpec::Matchers::BuiltIn::RaiseError
        def supports_value_expectations? = true
      end

      def raise_error(error = RSpec::Matchers::BuiltIn::RaiseError::UndefinedValue, message = nil, &block)
        RaiseError.new(error, message, &block)
      end
    end
  end
end
