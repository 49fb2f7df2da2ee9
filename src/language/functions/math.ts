import type { CallContext } from '../host.ts'
import { throwArgumentError } from '../ruby-semantics/argument-error.ts'
import { compareTexts } from '../ruby-semantics/text/compare.ts'
import { formatAsString } from '../types/printing/ruby-text.ts'
import { Float } from '../values/float.ts'
import type { Value } from '../values/value.ts'
import { requireRubyOrder, toOrder } from './collections/ruby-compare.ts'
import { defineFunction, type FunctionBlock } from './definition/define-function.ts'
import { warnDeprecatedUse } from './definition/deprecation-warnings.ts'

type Numeric = number | bigint | Float

/** `abs`: also accepts a decimal number in a string, with a deprecation warning. */
export const abs = defineFunction('abs', 'Returns the absolute value of a number.', {
  'Numeric $val': (value: Numeric) => {
    if (value instanceof Float) return new Float(Math.abs(value.value))
    return value < 0 ? normalizeBigint(-BigInt(value)) : value
  },
  'String $val': (text: string, context: CallContext) => {
    warnCoercion(context, 'abs', 'String', 'Numeric')
    if (/^-?\d+\.\d+$/.test(text)) return new Float(Math.abs(Number(text)))
    if (/^-?\d+$/.test(text)) return normalizeBigint(BigInt(text.replace('-', '')))
    return throwArgumentError('abs(): Requires float or integer to work with - was given non decimal string')
  },
})

/** `ceiling`: also accepts a string that Ruby's `Float()` parses, with a deprecation warning. */
export const ceiling = defineRounding('ceiling', 'Rounds up to an integer.', Math.ceil)
/** `floor`: also accepts a string that Ruby's `Float()` parses, with a deprecation warning. */
export const floor = defineRounding('floor', 'Rounds down to an integer.', Math.floor)

/** `round`: accepts numbers only. Throws RUNTIME_ERROR for NaN and infinity. */
export const round = defineFunction('round', 'Rounds to the nearest integer; halves away from zero.', {
  'Numeric $val': (value: Numeric) => {
    if (!(value instanceof Float)) return value
    return toWholeNumber(Math.trunc(value.value > 0 ? value.value + 0.5 : value.value - 0.5))
  },
})

/** `max`: numeric strings are compared as numbers, mixed values as strings, with a deprecation warning. */
export const max = defineExtreme('max', 'Returns the highest of the arguments, or of the elements of one array.', 1)
/** `min`: numeric strings are compared as numbers, mixed values as strings, with a deprecation warning. */
export const min = defineExtreme('min', 'Returns the lowest of the arguments, or of the elements of one array.', -1)

function defineRounding(name: string, doc: string, whole: (value: number) => number) {
  return defineFunction(name, doc, {
    'Numeric $val': (value: Numeric) => (value instanceof Float ? toWholeNumber(whole(value.value)) : value),
    'String $val': (text: string, context: CallContext) => {
      warnCoercion(context, name, 'String', 'Float')
      const number = parseRubyFloat(text)
      if (number === undefined)
        return throwArgumentError(`${name}(): cannot convert given value to a floating point value.`)
      return toWholeNumber(whole(number))
    },
  })
}

/** Defines `max` or `min`. Of equal values, the function returns the first. */
function defineExtreme(name: string, doc: string, sign: 1 | -1) {
  const pickExtreme = (values: readonly Value[], order: (a: Value, b: Value) => number): Value => {
    if (values.length === 0) return throwArgumentError(`${name}(): Wrong number of arguments need at least one`)
    return values.reduce((best, value) => (order(value, best) * sign > 0 ? value : best))
  }
  const pickText = (values: readonly string[], context: CallContext): Value =>
    pickExtreme(
      values,
      (a, b) => compareNumericTexts(name, a as string, b as string, context) ?? compareTexts(a as string, b as string),
    )
  const pickValue = (values: readonly Value[], context: CallContext): Value =>
    pickExtreme(values, (a, b) => {
      const order = compareNumericTexts(name, formatAsString(a), formatAsString(b), context)
      if (order !== undefined) return order
      warnCoercion(context, name, 'Any', 'String', ', or use lambda')
      return compareTexts(formatAsString(a), formatAsString(b))
    })
  const pickByBlock = (values: readonly Value[], block: FunctionBlock): Value =>
    values.length === 0 ? undefined : pickExtreme(values, (a, b) => toOrder(block(a, b), a, b))
  const pickOrdered = (values: readonly Value[]): Value => pickExtreme(values, requireRubyOrder)
  const pickOrderedElement = (values: readonly Value[], block: FunctionBlock | undefined): Value =>
    block ? pickByBlock(values, block) : pickOrdered(values)
  const ofNumbers = { 'Array[Numeric] $values, Callable[2,2] &$block?': pickOrderedElement }
  const ofTexts = {
    'Array[String] $values, Callable[2,2] &$block?': (
      values: readonly string[],
      block: FunctionBlock | undefined,
      context: CallContext,
    ) => (block ? pickByBlock(values, block) : pickText(values, context)),
  }
  const ofTimes = {
    'Array[SemVer] $values, Callable[2,2] &$block?': pickOrderedElement,
    'Array[Timespan] $values, Callable[2,2] &$block?': pickOrderedElement,
    'Array[Timestamp] $values, Callable[2,2] &$block?': pickOrderedElement,
  }
  return defineFunction(name, doc, {
    'Numeric *$values': pickOrdered,
    'String *$values': pickText,
    'SemVer *$values': pickOrdered,
    'Timespan *$values': pickOrdered,
    'Timestamp *$values': pickOrdered,
    // Errors list the signatures in Puppet's order, which is not the same for both functions.
    ...(name === 'max' ? { ...ofNumbers, ...ofTexts, ...ofTimes } : { ...ofNumbers, ...ofTimes, ...ofTexts }),
    'Array $values, Callable[2,2] &$block?': (
      values: readonly Value[],
      block: FunctionBlock | undefined,
      context: CallContext,
    ) => (block ? pickByBlock(values, block) : pickValue(values, context)),
    'Any *$values, Callable[2,2] &$block': pickByBlock,
    'Any *$values': pickValue,
  })
}

const numericText = /^-?\d+([._eE]\d+)?$/

/** Compares two numeric strings as numbers; `undefined` for other strings. */
function compareNumericTexts(name: string, a: string, b: string, context: CallContext): number | undefined {
  if (!numericText.test(a) || !numericText.test(b)) return undefined
  warnCoercion(context, name, 'String', 'Numeric', ', or use lambda')
  return Math.sign(Number.parseFloat(a.replace('_', '')) - Number.parseFloat(b.replace('_', '')))
}

/** Warns once per function and pair of types, as Puppet's `warn_once` does. */
function warnCoercion(context: CallContext, name: string, from: string, to: string, more = ''): void {
  const message = `The ${name}() function's auto conversion of ${from} to ${to} is deprecated - change to convert input before calling${more}`
  warnDeprecatedUse(context, message, { once: true })
}

/** Parses a string like Ruby's `Float()`. */
function parseRubyFloat(text: string): number | undefined {
  const bare = text.trim().replace(/(?<=\d)_(?=\d)/g, '')
  return /^[-+]?(\d+(\.\d+)?([eE][-+]?\d+)?|0[xX][\da-fA-F]+)$/.test(bare) ? Number(bare) : undefined
}

function toWholeNumber(value: number): Value {
  if (!Number.isFinite(value))
    return throwArgumentError(Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity')
  return Number.isSafeInteger(value) ? value + 0 : BigInt(value)
}

function normalizeBigint(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}
