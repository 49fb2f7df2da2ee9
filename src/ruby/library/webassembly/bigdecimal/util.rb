# Conversions of other numbers and texts to decimal numbers.
require 'bigdecimal'

class Integer
  def to_d = BigDecimal(self)
end

class Float
  def to_d(precision = 0) = BigDecimal(self, precision)
end

class Rational
  def to_d(precision) = BigDecimal(self, precision)
end

class String
  def to_d = BigDecimal.interpret_loosely(self)
end

class BigDecimal
  def to_d = self

  def to_digits = nan? || infinite? || zero? ? to_s : to_s('F')
end

class NilClass
  def to_d = BigDecimal(0)
end
