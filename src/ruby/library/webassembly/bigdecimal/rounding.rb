# Rounding, and the parts of a decimal number.
class BigDecimal
  class << self
    # True to round away from zero. `half` compares the discarded part with one half; `inexact` is false if it is zero.
    def plumb_up?(mode, half, inexact, odd, negative)
      case mode
      when ROUND_UP then inexact
      when ROUND_HALF_UP then half >= 0 && inexact
      when ROUND_HALF_DOWN then half.positive?
      when ROUND_HALF_EVEN then half.positive? || (half.zero? && odd)
      when ROUND_CEILING then inexact && !negative
      when ROUND_FLOOR then inexact && negative
      else false
      end
    end

    # A finite number of a Rational whose denominator has the factors 2 and 5.
    def plumb_value(ratio)
      places = ratio.denominator.bit_length
      plumb_make((ratio * 10**places).to_i, places)
    end
  end

  # An Integer if neither a mode nor a positive number of places is given.
  def round(places = nil, mode = nil)
    places, mode = 0, places if places.is_a?(Hash)
    found = rounded(places || 0, mode.nil? ? BigDecimal.rounding : BigDecimal.rounding_mode(mode))
    mode.nil? && (places.nil? || places < 1) ? whole(found) : found
  end

  { truncate: ROUND_DOWN, floor: ROUND_FLOOR, ceil: ROUND_CEILING }.each do |name, mode|
    define_method(name) { |places = nil| places.nil? ? whole(rounded(0, mode)) : rounded(places, mode) }
  end

  def fix = rounded(0, ROUND_DOWN)
  def frac = finite? ? signed_zero(self - fix) : self
  def exponent = @digits.zero? ? 0 : @digits.abs.to_s.size - @scale_of_digits
  def n_significant_digits = @digits.zero? ? 0 : @digits.abs.to_s.size
  def scale = finite? && !zero? ? [@scale_of_digits, 0].max : 0
  def precision = zero? || !finite? ? 0 : [@digits.abs.to_s.size - [@scale_of_digits, 0].min, @scale_of_digits].max
  def precision_scale = [precision, scale]
  def precs = [precision_words * WORD, (precision_words + 1) * WORD]
  def split = [{ nan: 0 }.fetch(@kind) { sign <=> 0 }, special_text&.delete_prefix('-') || @digits.abs.to_s, 10, exponent]

  private

  def whole(found)
    raise FloatDomainError, "Computation results in '#{special_text}'#{' (Not a Number)' if nan?}" unless found.finite?

    found.to_i
  end

  def rounded(places, mode)
    return self if !finite? || @scale_of_digits <= places || zero?

    unit = 10**(@scale_of_digits - places)
    kept, rest = @digits.abs.divmod(unit)
    kept += 1 if BigDecimal.plumb_up?(mode, 2 * rest <=> unit, rest.positive?, kept.odd?, @digits.negative?)
    BigDecimal.plumb_make(@digits.negative? ? -kept : kept, places, @digits.negative?)
  end

  def significant(precision, mode = BigDecimal.rounding) = rounded(precision - exponent, mode)
end
