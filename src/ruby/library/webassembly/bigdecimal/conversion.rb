# Decimal numbers as text and as other numbers, and `BigDecimal()`.
class BigDecimal
  NAN = plumb_special(:nan)
  INFINITY = plumb_special(:infinity)
  NEGATIVE_INFINITY = plumb_special(:negative_infinity)
  private_constant :NEGATIVE_INFINITY

  def to_i = finite? ? to_r.truncate : whole(self)
  alias to_int to_i
  def to_r = finite? ? Rational(@digits) / (Rational(10)**@scale_of_digits) : whole(self)

  def to_f
    return { nan: Float::NAN, infinity: Float::INFINITY, negative_infinity: -Float::INFINITY, zero: 0.0, negative_zero: -0.0 }[@kind] unless @kind == :finite

    "#{@digits}e#{-@scale_of_digits}".to_f
  end

  # `F`: 12.5, `E` (the default): 0.125e2; a number groups digits, `+` and a blank mark positive numbers.
  def to_s(format = nil)
    mark, size, letter = *"#{format}".match(/\A([+ ]?)(\d*)([EeFf]?)/).captures
    shown = minus? ? '-' : mark
    return "#{'-' if minus?}#{special_text.delete_prefix('-')}" unless finite?
    return "#{shown}0.0" if zero?

    "#{shown}#{letter.casecmp?('f') ? plain_text(size.to_i) : "0.#{grouped(@digits.abs.to_s, size.to_i)}e#{exponent}"}"
  end

  def inspect = to_s

  private

  def special_text = { nan: 'NaN', infinity: 'Infinity', negative_infinity: '-Infinity', zero: '0', negative_zero: '-0' }[@kind]
  def grouped(text, size) = size.zero? ? text : text.scan(/.{1,#{size}}/).join(' ')

  def plain_text(size)
    text = @digits.abs.to_s
    whole, fraction = if @scale_of_digits <= 0 then [text + ('0' * -@scale_of_digits), '0']
                      else text.rjust(@scale_of_digits + 1, '0').then { |padded| [padded[...-@scale_of_digits], padded[-@scale_of_digits..]] }
                      end
    "#{grouped(whole, size)}.#{grouped(fraction, size)}"
  end
end

module Kernel
  def BigDecimal(value, precision = nil, exception: true)
    raise ArgumentError, 'negative precision' if precision&.negative?

    found = case value
            when BigDecimal, Integer then value.is_a?(Integer) ? BigDecimal.plumb_make(value, 0) : value
            when Float
              raise ArgumentError, "can't omit precision for a Float." unless precision
              raise ArgumentError, 'precision too large.' if precision > Float::DIG + 1

              BigDecimal.plumb_float(value, precision)
            when Rational
              raise ArgumentError, "can't omit precision for a Rational." unless precision

              BigDecimal.plumb_ratio(value, precision)
            when String then BigDecimal.plumb_parse(value) || raise(ArgumentError, "invalid value for BigDecimal(): #{value.inspect}")
            else raise TypeError, "can't convert #{value.nil? ? 'nil' : value.class} into BigDecimal"
            end
    precision.nil? || precision.zero? ? found : found.__send__(:limited, found, precision)
  rescue ArgumentError, TypeError
    raise if exception

    nil
  end
  module_function :BigDecimal
end
