# Decimal numbers of any size, on Ruby's Integers: the part of the gem bigdecimal (which is written in C) that modules and gems use.
# A finite number is `digits * 10**-scale`, where the last decimal digit is not 0.
class BigDecimal < Numeric
  VERSION = '3.1.8'
  BASE = 1_000_000_000
  # Digits of a word of the gem's own format, which determines the precision of quotients.
  WORD = 9
  EXCEPTION_ALL, EXCEPTION_INFINITY, EXCEPTION_NaN, EXCEPTION_UNDERFLOW, EXCEPTION_OVERFLOW, EXCEPTION_ZERODIVIDE = 255, 1, 2, 4, 1, 16
  ROUND_MODE, ROUND_UP, ROUND_DOWN, ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN = 256, 1, 2, 3, 4, 5, 6, 7
  SIGN_NaN, SIGN_POSITIVE_ZERO, SIGN_NEGATIVE_ZERO, SIGN_POSITIVE_FINITE, SIGN_NEGATIVE_FINITE, SIGN_POSITIVE_INFINITE, SIGN_NEGATIVE_INFINITE =
    0, 1, -1, 2, -2, 3, -3
  MODES = {
    up: 1, down: 2, truncate: 2, half_up: 3, default: 3, half_down: 4, half_even: 7, banker: 7, ceiling: 5, ceil: 5, floor: 6
  }.freeze
  HALVES = { up: 3, down: 4, even: 7, nil => 3 }.freeze
  NUMBER = /\A([+-]?)(\d+(?:_\d+)*)?(?:\.(\d+(?:_\d+)*))?(?:[eEdD]([+-]?\d+))?\z/
  LOOSE = /\A\s*([+-]?)(\d+(?:_\d+)*)?(?:\.(\d+(?:_\d+)*))?(?:[eEdD]([+-]?\d+))?/
  # Larger exponents would make Integers that exhaust the memory.
  MOST_EXPONENT = 1_000_000

  class << self
    undef_method :new

    def limit(given = nil) = (@limit || 0).tap { @limit = given if given }
    def double_fig = 16
    def _load(text) = Kernel.BigDecimal(text.sub(/\A\d+:/, ''))
    def interpret_loosely(text) = text_value(LOOSE.match(text))

    def mode(kind, value = :none)
      return 0 unless kind == ROUND_MODE

      value == :none || value.nil? ? rounding : @rounding = rounding_mode(value)
    end

    def rounding = @rounding || ROUND_HALF_UP

    def save_rounding_mode
      before = rounding
      yield
    ensure
      @rounding = before
    end

    def save_exception_mode = yield

    def save_limit
      before = @limit
      yield
    ensure
      @limit = before
    end

    def rounding_mode(given)
      return HALVES.fetch(given[:half]&.to_s&.downcase&.to_sym) { raise ArgumentError, "invalid rounding mode (#{given[:half]})" } if given.is_a?(Hash)
      return given if given.is_a?(Integer) && (1..7).cover?(given)

      MODES.fetch(given.to_s.downcase.to_sym) { raise ArgumentError, 'invalid rounding mode' }
    end

    # A finite number. `negative` is the sign of zero.
    def plumb_make(digits, scale, negative = digits.negative?)
      unless digits.zero?
        zeros = digits.abs.to_s[/0*\z/].size
        digits, scale = digits / 10**zeros, scale - zeros if zeros.positive?
      end
      made = allocate
      made.__send__(:set, digits.zero? ? (negative ? :negative_zero : :zero) : :finite, digits, digits.zero? ? 0 : scale)
      made
    end

    def plumb_special(kind) = allocate.tap { |made| made.__send__(:set, kind, 0, 0) }
    def plumb_infinity(negative) = negative ? NEGATIVE_INFINITY : INFINITY

    def text_value(match)
      _, sign, whole, fraction, exponent = *match
      return plumb_make(0, 0, sign == '-') unless whole || fraction

      digits = "#{whole}#{fraction}".delete('_').to_i
      power = exponent.to_i
      return digits.zero? || power.negative? ? plumb_make(0, 0, sign == '-') : plumb_infinity(sign == '-') if power.abs > MOST_EXPONENT

      plumb_make(sign == '-' ? -digits : digits, fraction.to_s.delete('_').size - power, sign == '-')
    end

    def plumb_parse(text)
      plain = text.strip
      return { 'NaN' => NAN, 'Infinity' => INFINITY, '+Infinity' => INFINITY, '-Infinity' => NEGATIVE_INFINITY }[plain] if plain.match?(/\A(?:NaN|[+-]?Infinity)\z/)

      match = NUMBER.match(plain)
      text_value(match) if match && (match[2] || match[3])
    end

    def plumb_ratio(value, precision) = plumb_make(value.numerator, 0).div(plumb_make(value.denominator, 0), precision)

    def plumb_float(value, precision)
      return NAN if value.nan?
      return plumb_infinity(value.negative?) if value.infinite?
      return plumb_make(0, 0, (1 / value).negative?) if value.zero?
      return text_value(NUMBER.match(value.to_s)) if precision.zero?

      plumb_ratio(value.to_r, precision)
    end
  end

  attr_reader :kind, :digits, :scale_of_digits
  protected :kind, :digits, :scale_of_digits

  def nan? = @kind == :nan
  def infinite? = { infinity: 1, negative_infinity: -1 }[@kind]
  def finite? = !nan? && !infinite?
  def zero? = finite? && @digits.zero?
  def nonzero? = zero? ? nil : self
  def negative? = %i[negative_zero negative_infinity].include?(@kind) ? @kind == :negative_infinity : @digits.negative?
  def positive? = @kind == :infinity || @digits.positive?
  def sign = { nan: 0, zero: 1, negative_zero: -1, infinity: 3, negative_infinity: -3 }.fetch(@kind) { @digits.negative? ? -2 : 2 }
  def integer? = false
  def hash = [BigDecimal, @kind == :negative_zero ? :zero : @kind, @digits, @scale_of_digits].hash
  def clone = self
  alias dup clone
  def +@ = self

  def -@
    opposite = { nan: :nan, infinity: :negative_infinity, negative_infinity: :infinity, zero: :negative_zero, negative_zero: :zero }[@kind]
    opposite ? BigDecimal.plumb_special(opposite) : BigDecimal.plumb_make(-@digits, @scale_of_digits)
  end

  def abs = minus? ? -self : self

  def +(other) = with(other, :+) { |given| added(given) }
  def -(other) = with(other, :-) { |given| added(-given) }
  def *(other) = with(other, :*) { |given| multiplied(given) }
  def /(other) = with(other, :/) { |given| divided(given) }
  def quo(other, precision = 0) = precision.zero? ? self / other : div(other, precision)
  def add(other, precision) = limited(self + other, precision)
  def sub(other, precision) = limited(self - other, precision)
  def mult(other, precision) = limited(self * other, precision)

  # The integer quotient, or with a precision the quotient with so many digits.
  def div(other, precision = nil)
    return with(other, :div) { |given| integer_quotient(given) } if precision.nil?
    return self / other if precision.zero?

    with(other, :div) { |given| finite? && given.finite? && !given.zero? && !zero? ? exact_quotient(given, precision) : divided(given) }
  end

  def divmod(other) = with(other, :divmod) { |given| quotient_and_rest(given) }
  def %(other) = with(other, :%) { |given| quotient_and_rest(given).last }
  alias modulo %

  def remainder(other)
    with(other, :remainder) do |given|
      next NAN if nan? || given.nan? || infinite? || given.zero?
      next self if given.infinite?

      signed_zero(self - (given * BigDecimal.plumb_make((to_r / given.to_r).truncate, 0)))
    end
  end

  def **(other) = power(other)

  def power(other, precision = 0)
    raise TypeError, "wrong argument type #{other.class} (expected scalar Numeric)" unless other.is_a?(Numeric)
    return NAN if nan?

    whole = other.to_i if other.is_a?(Integer) || other.to_r.denominator == 1
    return limited(root_power(other, precision), precision) unless whole
    return infinite_power(whole) if infinite? || (zero? && whole.negative?)

    found = BigDecimal.plumb_make(@digits**whole.abs, @scale_of_digits * whole.abs)
    found = BigDecimal.plumb_make(1, 0) / found if whole.negative?
    limited(found, precision)
  end

  def sqrt(precision = 0)
    raise ArgumentError, 'negative precision' if precision.negative?
    raise FloatDomainError, "sqrt of 'NaN'(Not a Number)" if nan?
    raise FloatDomainError, 'sqrt of negative value' if minus? && !zero?
    return self if infinite? || zero?

    places = [precision, 16].max + @digits.to_s.size + @scale_of_digits.abs
    BigDecimal.plumb_make(Integer.sqrt((to_r * (10**(2 * places))).floor), places)
  end

  def <=>(other)
    given = comparable(other)
    return nil if given.nil? || nan? || given.nan?

    [infinite? || 0, given.infinite? || 0].then { |mine, yours| mine == yours && mine.zero? ? to_r <=> given.to_r : mine <=> yours }
  end

  def ==(other) = (self <=> other) == 0
  alias === ==
  alias eql? ==

  %i[< <= > >=].each do |name|
    define_method(name) do |other|
      raise ArgumentError, "comparison of BigDecimal with #{other.nil? || other.is_a?(Numeric) ? other.inspect : other.class} failed" unless comparable(other)

      (self <=> other)&.public_send(name, 0) || false
    end
  end

  def coerce(other)
    given = other.is_a?(Rational) ? BigDecimal.plumb_ratio(other, [precision_words * WORD, WORD].max) : comparable(other)
    [given || raise(TypeError, "#{other.nil? ? 'nil' : other.class} can't be coerced into BigDecimal"), self]
  end

  def _dump(_level = nil) = "#{precision_words * WORD}:#{self}"

  private

  def set(kind, digits, scale)
    @kind, @digits, @scale_of_digits = kind, digits, scale
    freeze
  end

  def minus? = sign.negative?
  def precision_words = @digits.zero? ? 1 : words.first
  def signed_zero(found) = found.zero? ? BigDecimal.plumb_make(0, 0, minus?) : found
  def limited(found, precision) = precision.zero? || !found.finite? ? found : found.__send__(:significant, precision)

  # The number as a BigDecimal for arithmetic; others decide by `coerce`.
  def with(other, operation)
    given = other.is_a?(Rational) ? coerce(other).first : comparable(other)
    return yield(given) if given
    raise TypeError, "#{other.nil? ? 'nil' : other.class} can't be coerced into BigDecimal" unless other.respond_to?(:coerce)

    one, two = other.coerce(self)
    one.public_send(operation, two)
  end

  def comparable(other)
    case other
    when BigDecimal then other
    when Integer then BigDecimal.plumb_make(other, 0)
    when Float then BigDecimal.plumb_float(other, 0)
    when Rational then other.denominator == 1 ? BigDecimal.plumb_make(other.numerator, 0) : BigDecimal.plumb_ratio(other, [precision_words * WORD, 18].max)
    end
  end

  def added(other)
    return NAN if nan? || other.nan? || (infinite? && other.infinite? && infinite? != other.infinite?)
    return infinite? ? self : other if infinite? || other.infinite?

    scale = [@scale_of_digits, other.scale_of_digits].max
    sum = (@digits * 10**(scale - @scale_of_digits)) + (other.digits * 10**(scale - other.scale_of_digits))
    BigDecimal.plumb_make(sum, scale, sum.negative? || (sum.zero? && [kind, other.kind] == %i[negative_zero negative_zero]))
  end

  def multiplied(other)
    negative = minus? ^ other.sign.negative?
    return NAN if nan? || other.nan? || (infinite? && other.zero?) || (zero? && other.infinite?)
    return BigDecimal.plumb_infinity(negative) if infinite? || other.infinite?

    BigDecimal.plumb_make(@digits * other.digits, @scale_of_digits + other.scale_of_digits, negative)
  end

  def divided(other)
    negative = minus? ^ other.sign.negative?
    return NAN if nan? || other.nan? || (infinite? && other.infinite?) || (zero? && other.zero?)
    return BigDecimal.plumb_infinity(negative) if infinite? || other.zero?
    return BigDecimal.plumb_make(0, 0, negative) if zero? || other.infinite?

    words_quotient(other, negative)
  end

  # The quotient in as many words as the gem computes, rounded by the first digit after them.
  def words_quotient(other, negative)
    (mine, my_exponent), (yours, your_exponent) = words, other.__send__(:words)
    places = WORD * ([5, mine + 1, yours + 1].max - (my_exponent - your_exponent + 1))
    numerator = (to_r.abs * 10**[places, 0].max) / 10**[-places, 0].max
    quotient = (numerator / other.to_r.abs).floor
    rest = BigDecimal.plumb_value(numerator - (quotient * other.to_r.abs))
    digit = rest.zero? ? 0 : rest.__send__(:first_word) * BASE / other.__send__(:first_word) / (BASE / 10)
    quotient += 1 if BigDecimal.plumb_up?(BigDecimal.rounding, digit <=> 5, digit.positive?, quotient.odd?, negative)
    BigDecimal.plumb_make(negative ? -quotient : quotient, places)
  end

  # The number of words, and the exponent of the first word to the base 10**9.
  def words
    exponent = Rational(self.exponent, WORD).ceil
    [exponent - Rational(-@scale_of_digits, WORD).floor, exponent]
  end

  def first_word = (to_r.abs / Rational(BASE)**(words.last - 1)).floor

  def exact_quotient(other, precision)
    places = precision + 20 - exponent + other.exponent
    found = (to_r / other.to_r * (Rational(10)**places)).truncate
    BigDecimal.plumb_make(found, places).__send__(:significant, precision)
  end

  def integer_quotient(other)
    raise FloatDomainError, "Computation results in 'NaN' (Not a Number)" if nan? || other.nan? || (infinite? && other.infinite?)
    raise FloatDomainError, "Computation results in '#{'-' if minus? ^ other.sign.negative?}Infinity'" if infinite?
    raise ZeroDivisionError, 'divided by 0' if other.zero?

    other.infinite? ? 0 : (to_r / other.to_r).floor
  end

  def quotient_and_rest(other)
    return [NAN, NAN] if nan? || other.nan? || infinite?
    raise ZeroDivisionError, 'divided by 0' if other.zero?
    return [BigDecimal.plumb_make(minus? && !zero? ? -1 : 0, 0), minus? == other.sign.negative? || zero? ? self : other] if other.infinite?

    quotient = BigDecimal.plumb_make((to_r / other.to_r).floor, 0)
    return [quotient, quotient] if zero?

    [quotient, self - (quotient * other)]
  end

  def infinite_power(whole)
    return BigDecimal.plumb_make(1, 0) if whole.zero?
    return BigDecimal.plumb_make(0, 0, minus? && whole.odd?) if infinite? && whole.negative?

    BigDecimal.plumb_infinity(minus? && whole.odd?)
  end

  # A power with a fraction: exact for square roots, else with the digits of a Float.
  def root_power(other, precision)
    raise Math::DomainError, 'a non-integral exponent for a negative base' if minus? && !zero?

    other.to_r == 1r / 2 ? sqrt([precision, 16].max) : BigDecimal.plumb_float(to_f**other.to_f, 0)
  end
end

require '/ruby/plumb/webassembly/bigdecimal/rounding'
require '/ruby/plumb/webassembly/bigdecimal/conversion'
