# Reasons why a resource does not match, in rspec-puppet's words.
module RSpec
  module Puppet
    module Errors
      class MatchError < StandardError
        attr_reader :param, :expected, :actual, :negative

        def initialize(param, expected, actual, negative)
          @param = param
          @expected = expected
          @actual = actual
          @negative = negative
          super()
        end

        # The text of `content` is shown as a difference instead.
        def message
          words = negative ? 'not set to' : 'set to'
          return "#{param} #{words} supplied string" if param.to_s == 'content' && expected.is_a?(String)

          "#{param} #{words} #{expected.inspect} but it is set to #{actual.inspect}"
        end
        alias to_s message
      end

      class RegexpMatchError < MatchError
        def message
          return "#{param} not matching #{expected.inspect} but its value of #{actual.inspect} does" if negative

          "#{param} matching #{expected.inspect} but its value of #{actual.inspect} does not"
        end
        alias to_s message
      end

      class ProcMatchError < MatchError
        def message
          return "#{param} passed to the block would not return `#{expected.inspect}` but it did" if negative

          "#{param} passed to the block would return `#{expected.inspect}` but it is `#{actual.inspect}`"
        end
        alias to_s message
      end

      class RelationshipError < StandardError
        attr_reader :from, :to

        def initialize(from, to)
          @from = from
          @to = to
          super()
        end

        def message = "#{self.class::WORDS} #{to}"
        alias to_s message
      end

      { Before: 'that comes before', Require: 'that requires', Notify: 'that notifies', Subscribe: 'that is subscribed to' }.each do |name, words|
        const_set(:"#{name}RelationshipError", Class.new(RelationshipError) { const_set(:WORDS, words) })
      end
    end
  end
end
