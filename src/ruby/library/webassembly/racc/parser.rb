# The runtime of parsers that racc generated: the part of the gem racc that such a parser needs. Its tables are in `Racc_arg` of the
# class: a state and a token lead to a shift, a reduction, the end of the text or an error.
module Racc
  VERSION = '1.8.1'
  class ParseError < StandardError; end

  # A grammar's tables, in the order of `Racc_arg`.
  Tables = Struct.new(
    :actions, :action_checks, :action_defaults, :action_pointers, :gotos, :goto_checks, :goto_defaults, :goto_pointers,
    :first_nonterminal, :reductions, :tokens, :shifts, :reduction_count, :has_result
  ) do
    def action(state, token)
      pointer = action_pointers[state] or return action_defaults[state]
      at = pointer + token
      found = actions[at] if at >= 0 && action_checks[at] == state
      found || action_defaults[state]
    end

    # The action for an error token; there is no default for it.
    def recovery(state)
      pointer = action_pointers[state] or return nil
      at = pointer + Parser::ERROR
      actions[at] if at >= 0 && action_checks[at] == state
    end

    def goto(nonterminal, state)
      pointer = goto_pointers[nonterminal]
      at = pointer + state if pointer
      found = gotos[at] if at && at >= 0 && goto_checks[at] == nonterminal
      found || goto_defaults[nonterminal]
    end
  end

  class Parser
    Racc_Runtime_Version = Racc_Runtime_Core_Version = Racc_Runtime_Core_Version_R = VERSION
    Racc_Runtime_Type = 'ruby'
    END_OF_TEXT = 0
    ERROR = 1
    # Tokens that must be shifted after an error before another error is reported.
    TOKENS_AFTER_ERROR = 3
    private_constant :END_OF_TEXT, :TOKENS_AFTER_ERROR

    def self.racc_runtime_type = Racc_Runtime_Type

    def do_parse
      start_parse
      catch(:racc_end_parse) do
        catch(:racc_accept) do
          parse_step { read_token(next_token) } while true
        end
      end
    end

    # Parses the tokens that a method of another object yields.
    def yyparse(receiver, method)
      start_parse
      catch(:racc_end_parse) do
        result = advance
        receiver.__send__(method) do |*given|
          raise ArgumentError, 'extra token after EndOfToken' if result

          result = advance(given.size > 1 ? given : given.first)
        end
        result&.first
      end
    end

    def next_token = raise(NotImplementedError, "#{self.class}#next_token is not defined")

    def on_error(token, value, _values)
      raise ParseError, format("\nparse error on value %s (%s)", value.inspect, token_to_str(token) || '?')
    end

    def token_to_str(token) = self.class::Racc_token_to_s_table[token]
    def yyerror = throw(:racc_jump, :error)
    def yyaccept = throw(:racc_jump, :accept)

    def yyerrok
      @racc_error_status = 0
    end

    private

    def start_parse
      given = self.class::Racc_arg
      @racc_tables = Tables.new(*given, *([true] if given.size < Tables.members.size))
      @racc_state = [0]
      @racc_vstack = []
      @racc_t = @racc_val = nil
      @racc_read_next = true
      @racc_user_yyerror = false
      @racc_error_status = 0
    end

    def wants_token? = @racc_read_next && @racc_t != END_OF_TEXT && !@racc_tables.action_pointers[@racc_state.last].nil?

    def read_token(given)
      token, @racc_val = given || [false, '$']
      @racc_t = token ? @racc_tables.tokens[token] || ERROR : END_OF_TEXT
      @racc_read_next = false
    end

    # Goes on until another token is needed. If the text is accepted, returns an array with the result.
    def advance(*given)
      result = catch(:racc_accept) do
        given.each do |token|
          read_token(token)
          parse_step
        end
        parse_step until wants_token?
        return nil
      end
      [result]
    end

    def parse_step
      yield if block_given? && wants_token?
      state = @racc_state.last
      perform(@racc_tables.action(state, @racc_t), state)
    end

    def perform(action, state)
      tables = @racc_tables
      if action == tables.shifts then throw(:racc_accept, @racc_vstack.first)
      elsif action.positive? then shift(action)
      elsif action > -tables.reduction_count then reduce(action, state)
      else recover(state)
      end
    end

    def shift(action)
      @racc_error_status -= 1 if @racc_error_status.positive? && @racc_t > ERROR
      @racc_vstack.push(@racc_val)
      @racc_state.push(action)
      @racc_read_next = true
    end

    def reduce(action, state)
      jump = catch(:racc_jump) do
        @racc_state.push(reduced_state(*@racc_tables.reductions[action * -3, 3]))
        nil
      end
      return if jump.nil?
      throw(:racc_accept, @racc_vstack.first) if jump == :accept

      @racc_user_yyerror = true
      recover(state)
    end

    def reduced_state(length, nonterminal, method)
      values = @racc_vstack.pop(length)
      @racc_state.pop(length)
      arguments = @racc_tables.has_result ? [values, @racc_vstack, values.first] : [values, @racc_vstack]
      @racc_vstack.push(__send__(method, *arguments))
      @racc_tables.goto(nonterminal - @racc_tables.first_nonterminal, @racc_state.last)
    end

    # Goes back to a state in which the grammar has a rule for errors. `state` is the one before a reduction that called `yyerror`.
    def recover(state)
      report_error
      @racc_user_yyerror = false
      @racc_error_status = TOKENS_AFTER_ERROR
      until (action = @racc_tables.recovery(state))
        throw(:racc_end_parse, nil) if @racc_state.size <= 1
        @racc_state.pop
        @racc_vstack.pop
        state = @racc_state.last
      end
      return perform(action, state) unless action.positive? && action < @racc_tables.shifts

      # The token of the error is still to come.
      @racc_vstack.push(@racc_val)
      @racc_state.push(action)
    end

    def report_error
      if @racc_error_status.zero?
        on_error(@racc_t, @racc_val, @racc_vstack) unless @racc_user_yyerror
      elsif @racc_error_status == TOKENS_AFTER_ERROR
        throw(:racc_end_parse, nil) if @racc_t == END_OF_TEXT
        @racc_read_next = true
      end
    end
  end
end
ParseError = Racc::ParseError unless defined?(ParseError)
