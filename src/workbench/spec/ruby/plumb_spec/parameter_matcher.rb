module RSpec
  module Puppet
    module ManifestMatchers
      # Compares the value of one parameter with the expected value: a block, a regular expression, a hash, a list, or a value
      # with the same text.
      class ParameterMatcher
        include RSpec::Puppet::Errors

        attr_reader :errors

        # `type`: `:should` or `:not`.
        def initialize(parameter, value, type)
          @parameter = parameter
          @value = value
          @should_match = type == :should
          @errors = []
        end

        def matches?(resource)
          actual = resource[@parameter]
          # Puppet replaces a list of one value by the value.
          actual = [actual] if @value.is_a?(Array) && !actual.is_a?(Array)
          matched = check(@value, actual)
          @errors << MatchError.new(@parameter, @value, actual, !@should_match) unless matched
          matched
        end

        private

        def check(expected, actual)
          return false if actual.nil? && !expected.is_a?(Proc) && !expected.nil?

          case expected
          when Proc then expected.call(actual) == @should_match
          when Regexp then actual.to_s.match?(expected) == @should_match
          when Hash then check_items(expected, actual) { expected.keys.all? { |key| check(expected[key], actual[key]) } }
          when Array then check_items(expected, actual) { expected.each_index.all? { |index| check(expected[index], actual[index]) } }
          when RSpec::Puppet::Sensitive then expected == actual
          else (expected.to_s == actual.to_s) == @should_match
          end
        end

        # Compares class and size before the items.
        def check_items(expected, actual)
          unless (actual.class == expected.class) == @should_match
            @errors << MatchError.new(@parameter, expected, actual, !@should_match)
            return false
          end
          return false unless (expected.size == actual.size) == @should_match

          yield
        end
      end
    end
  end
end
