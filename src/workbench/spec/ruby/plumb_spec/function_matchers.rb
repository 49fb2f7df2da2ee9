module RSpec
  module Puppet
    module FunctionMatchers
      # `run`, with the parameters and the expected value or error.
      class Run
        def matches?(function)
          @function = function
          begin
            @actual_return = function.execute(*@params, &@block)
            @has_returned = true
          rescue Exception => error # rubocop:disable Lint/RescueException
            @actual_error = error
            @has_returned = false
          end
          return raised? if @has_expected_error
          return @has_returned && returned? if @has_expected_return

          @has_returned
        end

        def with_params(*params)
          @params = params
          # The function may change its parameters.
          @func_args = params.inspect[1..-2]
          self
        end

        def with_lambda(&block)
          @block = block
          self
        end

        def and_return(value)
          @has_expected_return = true
          @expected_return = value
          @desc = value.is_a?(Regexp) ? "match #{value.inspect}" : "return #{value.inspect}"
          self
        end

        def and_raise_error(error_or_message, message = nil)
          @has_expected_error = true
          is_message = error_or_message.is_a?(String) || error_or_message.is_a?(Regexp)
          @expected_error, @expected_error_message = is_message ? [Exception, error_or_message] : [error_or_message, message]
          @desc = "raise an #{@expected_error}"
          if @expected_error_message.is_a?(Regexp)
            @desc += " with the message matching #{@expected_error_message.inspect}"
          elsif @expected_error_message
            @desc += "with the message #{@expected_error_message.inspect}"
          end
          self
        end

        def failure_message = "#{failure_text('to ')}#{actual_text}"
        def failure_message_when_negated = failure_text('to not ')
        def description = "run #{@function.func_name}(#{@func_args}) #{@desc ? "and #{@desc}" : 'without error'}"
        def supports_block_expectations = true
        def supports_value_expectations = true
        def supports_block_expectations? = true
        def supports_value_expectations? = true

        private

        def raised?
          return false if @has_returned || !@actual_error.is_a?(@expected_error)

          case @expected_error_message
          when nil then true
          when Regexp then @actual_error.message.match?(@expected_error_message)
          else @actual_error.message == @expected_error_message
          end
        end

        def returned?
          case @expected_return
          when Regexp then !(@actual_return =~ @expected_return).nil?
          when RSpec::Mocks::ArgumentMatchers::KindOf, RSpec::Matchers::AliasedMatcher then @expected_return === @actual_return
          else @actual_return == @expected_return
          end
        end

        def failure_text(words)
          expected = if @has_expected_return then "have returned #{@expected_return.inspect}"
                     elsif @has_expected_error then "have raised #{@expected_error.inspect}#{" matching #{@expected_error_message.inspect}" if @expected_error_message}"
                     else 'have run successfully'
                     end
          "expected #{@function.func_name}(#{@func_args}) #{words}#{expected}"
        end

        def actual_text
          if @actual_error
            raising = 'raising ' if @has_expected_return
            return " instead of #{raising}#{@actual_error.class.inspect}(#{@actual_error})\n#{@actual_error.backtrace.join("\n")}"
          end

          " instead of #{'returning ' if @has_expected_error}#{@actual_return.inspect}"
        end
      end

      def method_missing(method, *args, &block)
        method == :run ? Run.new : super
      end
    end

    module TypeAliasMatchers
      # `allow_value(value)` and `allow_values(value, …)`.
      class AllowValue
        def initialize(values)
          @values = values
          @errors = []
        end

        def matches?(catalogue)
          @values.map { |value| allowed?(catalogue, value) }.all?
        end

        def description
          return "match value #{@values.first.inspect}" if @values.length == 1

          "match values #{@values.map(&:inspect).join(', ')}"
        end

        def failure_message
          noun = @errors.length == 1 ? 'error' : 'errors'
          "expected that the type alias would #{description} but it raised the #{noun} #{@errors.join(', ')}"
        end

        def failure_message_when_negated = "expected that the type alias would not #{description} but it does"
        def supports_block_expectations = true
        def supports_value_expectations = true
        def supports_block_expectations? = true
        def supports_value_expectations? = true

        private

        def allowed?(catalogue, value)
          catalogue.call(value)
          true
        rescue ::Puppet::Error => error
          @errors << error.message
          false
        end
      end

      def allow_value(*values) = AllowValue.new(values)
      alias allow_values allow_value
    end
  end
end
