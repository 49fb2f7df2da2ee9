module RSpec
  module Puppet
    # Puppet code in place of a value, such as a reference.
    class RawString
      def initialize(value)
        @value = value
      end

      def inspect = @value
    end

    # An expected or given Sensitive value.
    class Sensitive < ::Puppet::Pops::Types::PSensitiveType::Sensitive
      def unwrap = @value
      def sensitive? = true
      def inspect = "Sensitive(#{@value.inspect})"

      def ==(other)
        return super unless other.respond_to?(:unwrap)

        @value.is_a?(Regexp) ? @value =~ other.unwrap : @value == other.unwrap
      end
    end
  end
end
