# A calculator: sums and products of whole numbers, in lines.
class Sums
  prechigh
    nonassoc UMINUS
    left '*' '/'
    left '+' '-'
  preclow
rule
  lines: { result = [] }
       | lines line { result = val[0] + [val[1]] }
  line: sum ';'
      | error ';' { yyerrok; result = :wrong }
      | STOP { yyaccept }
      | FAIL ';' { yyerror }
  sum: sum '+' sum { result += val[2] }
     | sum '-' sum { result -= val[2] }
     | sum '*' sum { result *= val[2] }
     | sum '/' sum { result = val[2].zero? ? yyerror : result / val[2] }
     | '(' sum ')' { result = val[1] }
     | '-' sum = UMINUS { result = -val[1] }
     | NUMBER
end
---- inner
  attr_reader :errors

  def read(text, strict: false, yielding: false)
    @strict = strict
    @errors = []
    @tokens = text.scan(/\d+|STOP|FAIL|\S/).map { |each| each =~ /\d/ ? [:NUMBER, each.to_i] : [each =~ /[A-Z]/ ? each.to_sym : each, each] }
    yielding ? yyparse(self, :each_token) : do_parse
  end

  def each_token
    @tokens.each { |token, value| yield [token, value] }
    yield [false, "$"]
  end

  def next_token = @tokens.shift

  def on_error(token, value, values)
    return super if @strict

    @errors << [token_to_str(token), value, values.size]
  end
