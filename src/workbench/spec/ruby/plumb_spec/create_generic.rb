module RSpec
  module Puppet
    module ManifestMatchers
      # `contain_TYPE(title)` and `create_TYPE(title)`, with the expected parameters and relationships.
      class CreateGeneric
        include RSpec::Puppet::Errors
        include Relationships

        def initialize(*args, &block)
          @referenced_type = args.shift.to_s.sub(/^(create|contain)_/, '').split('__').map(&:capitalize).join('::')
          @args = args
          @block = block
          @title = args[0]
          @errors = []
          @expected_params = []
          @expected_undef_params = []
          @notifies = []
          @subscribes = []
          @requires = []
          @befores = []
        end

        def with(*args)
          @expected_params |= args.shift.to_a
          self
        end

        def only_with(*args, &block)
          params = args.shift
          count(params.compact.size)
          with(params, &block)
        end

        def without(*args)
          @expected_undef_params |= Array(args.shift)
          self
        end

        def that_notifies(resource) = related(@notifies, resource)
        def that_subscribes_to(resource) = related(@subscribes, resource)
        def that_requires(resource) = related(@requires, resource)
        def that_comes_before(resource) = related(@befores, resource)

        def method_missing(method, *args, &block)
          case method.to_s
          when /^with_(.*)/m then @expected_params << [Regexp.last_match(1), args[0]]
          when /^only_with_(.*)/m
            count(1)
            @expected_params << [Regexp.last_match(1), args[0]]
          when /^without_(.*)/m then @expected_undef_params << [Regexp.last_match(1), args[0]]
          else return super
          end
          self
        end

        def respond_to_missing?(method, *) = method.to_s.match?(/^(with|only_with|without)_/) || super

        def matches?(catalogue)
          @catalogue = catalogue.is_a?(::Puppet::Resource::Catalog) ? catalogue : catalogue.call
          resource = @catalogue.resource(@referenced_type, @title)
          return false if resource.nil?

          RSpec::Puppet::Coverage.cover!(resource)
          check_parameters(parameters_of(resource))
          check_relationships(resource)
          @errors.empty?
        end

        def failure_message = "expected that the catalogue would contain #{@referenced_type}[#{@title}]#{errors}"
        def failure_message_when_negated = "expected that the catalogue would not contain #{@referenced_type}[#{@title}]#{errors}"

        def description
          words, values = described
          list = values.size > 1 ? "#{values[0..-2].join(', ')} and #{values[-1]}" : values.first
          "contain #{@referenced_type}[#{@title}]#{" #{words} #{list}" unless values.empty?}"
        end

        def diffable? = true
        def supports_block_expectations = true
        def supports_value_expectations = true
        def supports_block_expectations? = true
        def supports_value_expectations? = true
        def expected = differences(:expected)
        def actual = differences(:actual)

        private

        def related(list, resource)
          list.concat(Array(resource))
          self
        end

        def count(number)
          @expected_params_count = (@expected_params_count || 0) + number
        end

        # Parameters without the namevar, unless the example expects it.
        def parameters_of(resource)
          values = resource.to_hash
          resource.sensitive_parameters.each { |name| values[name] = ::Puppet::Pops::Types::PSensitiveType::Sensitive.new(values[name]) }
          values.delete(resource.namevar) if @expected_params.none? { |name, _| name.to_s == resource.namevar.to_s }
          values
        end

        def check_parameters(values)
          if @expected_params_count && values.size != @expected_params_count
            @errors << "exactly #{@expected_params_count} parameters but the catalogue contains #{values.size}"
          end
          check_params(values, @expected_params, :should)
          check_params(values, @expected_undef_params, :not)
        end

        def check_params(values, list, type)
          list.each do |name, value|
            name = name.to_sym
            if value.nil?
              @errors << "#{name} undefined but it is set to #{values[name].inspect}" unless values[name].nil?
            else
              matcher = ParameterMatcher.new(name, value, type)
              @errors.concat(matcher.errors) unless matcher.matches?(values)
            end
          end
        end

        def check_relationships(resource)
          check_each(@befores, BeforeRelationshipError, resource) { |other| precedes?(resource, other) }
          check_each(@requires, RequireRelationshipError, resource) { |other| precedes?(other, resource) }
          check_each(@notifies, NotifyRelationshipError, resource) { |other| notifies?(resource, other) }
          check_each(@subscribes, SubscribeRelationshipError, resource) { |other| notifies?(other, resource) }
        end

        def check_each(list, error, resource)
          list.each { |ref| @errors << error.new(resource.to_ref, ref) unless yield(canonicalize_resource(ref)) }
        end

        def errors = @errors.empty? ? '' : " with #{@errors.join(', and parameter ')}"
        def differences(side) = @errors.filter_map { |each| each.public_send(side) if each.respond_to?(side) }.join("\n\n")

        # The relationships that were added last hide everything else, as in rspec-puppet.
        def described
          relations = [['that comes before', @befores], ['that requires', @requires], ['that subscribes to', @subscribes],
                       ['that notifies', @notifies]].find { |_, list| list.any? }
          return relations if relations

          values = []
          values << "exactly #{@expected_params_count} parameters" if @expected_params_count
          values.concat(described_params(@expected_params, '', '=')).concat(described_params(@expected_undef_params, 'un', '!'))
          ['with', values]
        end

        def described_params(list, prefix, sign)
          list.map do |name, value|
            next "#{name} #{prefix}defined" if value.nil?
            next "#{name} #{'not ' if sign == '!'} supplied string" if name.to_s == 'content' && value.is_a?(String)

            "#{name} #{sign}#{value.is_a?(Regexp) ? '~' : '>'} #{value.inspect}"
          end
        end
      end
    end
  end
end
