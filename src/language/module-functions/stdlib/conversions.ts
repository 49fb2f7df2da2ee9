import { formatRubyFloat } from '../../../base/text/float-text.ts'
import { defineLegacyFunction } from '../../functions/definition/legacy-function.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import {
  parseLeadingFloat,
  parseLeadingInteger,
  parseStrictFloat,
  truncateNumber,
} from '../../ruby-semantics/numbers/number-parsing.ts'
import { formatAsString, inspectValue } from '../../types/printing/ruby-text.ts'
import { flattenArrays } from '../../values/flatten.ts'
import { Float } from '../../values/float.ts'
import { Hash } from '../../values/hash.ts'
import { DEFAULT, type Value } from '../../values/value.ts'
import { toBoolean } from './booleans.ts'
import { failWrongCount } from './issues.ts'
import { failNotString, toInteger } from './ruby.ts'

/** `str2bool`: false for the empty string. Throws RUNTIME_ERROR for a string that is neither true nor false. */
export const str2bool = defineLegacyFunction('str2bool', 'Converts a string such as `yes` to a Boolean.', -1, (args) =>
  args.length === 0 ? failWrongCount('str2bool', 0, '1') : toBoolean(args[0]),
)

/** `num2bool`: truncates the number first, so that 0.5 is false. */
export const num2bool = defineLegacyFunction(
  'num2bool',
  'Returns true if a number is greater than zero.',
  -1,
  (args) => (args.length === 1 ? isAboveZero(args[0]) : failWrongCount('num2bool', args.length, '1')),
)

function isAboveZero(value: Value): boolean {
  if (typeof value !== 'string') {
    const isNumber = typeof value === 'number' || typeof value === 'bigint' || value instanceof Float
    return (isNumber ? toInteger(value) : parseLeadingInteger(formatAsString(value))) > 0
  }
  const number = parseStrictFloat(value)
  if (number !== undefined) return truncateNumber(number) > 0
  const reason = `invalid value for Float(): ${inspectValue(value)}`
  return throwArgumentError(`num2bool(): '${value}' does not look like a number: ${reason}`)
}

/** `any2bool`: converts numbers like `num2bool`, and strings like `num2bool` or `str2bool`; collections are true. */
export const any2bool = defineLegacyFunction('any2bool', 'Converts any value to a Boolean.', -1, (args) => {
  if (args.length === 0) return failWrongCount('any2bool', 0, '1')
  const [value] = args
  if (typeof value === 'boolean') return value
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Float) return toInteger(value) > 0
  if (typeof value !== 'string') return true
  return parseStrictFloat(value) === undefined ? toBoolean(value) : isAboveZero(value)
})

/** `bool2num`: converts strings like `str2bool`. */
export const bool2num = defineLegacyFunction(
  'bool2num',
  'Converts a Boolean or its string form to 1 or 0.',
  -1,
  (args) => {
    if (args.length === 0) return failWrongCount('bool2num', 0, '1')
    return toBoolean(args[0]) ? 1 : 0
  },
)

/** `bool2str`: converts a Boolean, optionally to one of two given strings. */
export const bool2str = defineLegacyFunction(
  'bool2str',
  'Converts a Boolean to `true` or `false`, or to one of two given strings.',
  -1,
  (args) => {
    if (args.length !== 1 && args.length !== 3) return failWrongCount('bool2str', args.length, '3')
    const [value, yes = 'true', no = 'false'] = args
    if (typeof value !== 'boolean') return throwArgumentError('bool2str(): Requires a boolean to work with')
    const texts = [yes === false ? 'true' : yes, no === false ? 'false' : no]
    if (!texts.every((each) => typeof each === 'string'))
      return throwArgumentError('bool2str(): Requires strings to convert to')
    return texts[value ? 0 : 1]
  },
)

/** `clamp`: takes three values, possibly in arrays, and truncates fractions. */
export const clamp = defineLegacyFunction('clamp', 'Returns the middle of three numbers.', -2, (args) => {
  const values = flattenArrays(args)
  if (values.length !== 3) return throwArgumentError('clamp(): Wrong number of arguments, need three to clamp')
  for (const value of values) {
    if (typeof value === 'string' && !/^\d+$/m.test(value))
      return throwArgumentError(`clamp(): Required explicit numeric (${value}:String)`)
    if (value instanceof Hash)
      return throwArgumentError(`clamp(): The Hash type is not allowed (${formatAsString(value)})`)
  }
  return values.map(toInteger).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))[1]
})

/** `convert_base`: accepts bases 2 to 36; writes lower-case digits. */
export const convertBase = defineLegacyFunction(
  'convert_base',
  'Converts a decimal number to a string in another base.',
  2,
  (args) => {
    for (const [index, value] of args.entries())
      if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint')
        return throwArgumentError(
          `convert_base(): ${index === 0 ? 'First' : 'Second'} argument must be either a string or an integer`,
        )
    if (args.some((value) => typeof value === 'string' && !/^[0-9]+$/m.test(value)))
      return throwArgumentError(
        'convert_base(): First argument must be an integer or a string corresponding to an integer in base 10',
      )
    const [number, base] = args.map(toInteger) as [number | bigint, number | bigint]
    if (base < 2 || base > 36)
      return throwArgumentError('convert_base(): base must be at least 2 and must not be greater than 36')
    return number.toString(Number(base))
  },
)

const prefixes = ['', 'k', 'M', 'G', 'T', 'P', 'E']

/**
 * `to_bytes`: reads the units `k` to `E` as powers of 1024 and truncates fractions of a byte; returns numbers
 * unchanged.
 */
export const toBytes = defineLegacyFunction('to_bytes', 'Converts a size such as `4 kB` to bytes.', -1, (args) => {
  if (args.length !== 1) return failWrongCount('to_bytes', args.length, '1')
  const [size] = args
  if (typeof size === 'number' || typeof size === 'bigint' || size instanceof Float) return size
  if (size === DEFAULT) return throwArgumentError('to_bytes(): Unknown prefix d')
  if (typeof size !== 'string') return failNotString(size)
  const [, digits, prefix] = /([0-9.e+-]*)\s*([^bB]?)/.exec(size) as unknown as [string, string, string]
  const power = prefixes.indexOf(prefix)
  if (power === -1) return throwArgumentError(`to_bytes(): Unknown prefix ${prefix}`)
  return truncateNumber(parseLeadingFloat(digits) * 1024 ** power)
})

/** `type3x`: names the type of a numeric string `integer` or `float`. Throws RUNTIME_ERROR for types and references. */
export const type3x = defineLegacyFunction(
  'type3x',
  'Returns the type name of a value, as in Puppet 3.',
  -1,
  (args) => {
    if (args.length !== 1) return failWrongCount('type3x', args.length, '1')
    const [value] = args
    if (typeof value === 'boolean') return 'boolean'
    if (Array.isArray(value)) return 'array'
    if (value instanceof Hash) return 'hash'
    if (value instanceof Float) return 'float'
    if (typeof value === 'number' || typeof value === 'bigint') return 'integer'
    if (typeof value !== 'string') return throwArgumentError('type3x(): Unknown type')
    if (value === String(parseLeadingInteger(value))) return 'integer'
    return value === formatRubyFloat(parseLeadingFloat(value)) ? 'float' : 'string'
  },
)
