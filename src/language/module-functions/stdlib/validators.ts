import { defineFunction } from '../../functions/definition/define-function.ts'
import { defineLegacyFunction } from '../../functions/definition/legacy-function.ts'
import type { CallContext } from '../../host.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { parseStrictFloat, parseStrictInteger, truncateNumber } from '../../ruby-semantics/numbers/number-parsing.ts'
import { isMatch } from '../../ruby-semantics/regexp/match.ts'
import { formatAsString, inspectValue } from '../../types/printing/ruby-text.ts'
import { getRubyClassName } from '../../types/ruby-class.ts'
import { flattenArrays } from '../../values/flatten.ts'
import { Float } from '../../values/float.ts'
import { Hash } from '../../values/hash.ts'
import { Regexp } from '../../values/regexp.ts'
import { isTruthy, type Value } from '../../values/value.ts'
import { isAbsolutePath, isDomainName, isEmailAddress } from './checks.ts'
import { reportDeprecation } from './deprecation.ts'
import { parseIp } from './ip-address.ts'
import { failNotString } from './ruby.ts'

/**
 * A Puppet 3.x validation function: returns the error message for its arguments, or `undefined`.
 * Other errors are thrown.
 */
export type Validator = (args: readonly Value[]) => string | undefined

/** Defines a validator that checks each argument and returns the first error. */
function defineEachValidator(name: string, complaint: (value: Value) => string | undefined): Validator {
  return (args) => {
    if (args.length === 0) return `${name}(): wrong number of arguments (0; must be > 0)`
    for (const value of args) {
      const message = complaint(value)
      if (message !== undefined) return message
    }
    return undefined
  }
}

const describeInvalidValue = (is: (value: Value) => boolean, kind: string) => (value: Value) =>
  is(value) ? undefined : `${inspectValue(value)} is not ${kind}.  It looks to be a ${getRubyClassName(value)}`

const describeInvalidText = (is: (text: string) => boolean, not: string) => (value: Value) => {
  if (typeof value !== 'string') return `${inspectValue(value)} is not a string.`
  return is(value) ? undefined : `${inspectValue(value)} is not ${not}`
}

const isIp = (version?: 4 | 6) => (text: string) => {
  const ip = parseIp(text)
  return !('error' in ip) && (version === undefined || ip.version === version)
}

const validateAbsolutePath = defineEachValidator('validate_absolute_path', (value) => {
  const wrong = (Array.isArray(value) ? value : [value]).find(
    (path) => typeof path !== 'string' || !isAbsolutePath(path),
  )
  const isWrong = (Array.isArray(value) ? value : [value]).some(
    (path) => typeof path !== 'string' || !isAbsolutePath(path),
  )
  return isWrong ? `${inspectValue(wrong)} is not an absolute path.` : undefined
})

const validateRe: Validator = (args) => {
  if (args.length < 2 || args.length > 3)
    return `validate_re(): wrong number of arguments (${args.length}; must be 2 or 3)`
  const [input, patterns, message] = args
  if (typeof input !== 'string') return `validate_re(): input needs to be a String, not a ${getRubyClassName(input)}`
  const matches = flattenArrays([patterns]).some((pattern) => isMatch(toPattern(pattern), input))
  if (matches) return undefined
  if (isTruthy(message)) return formatAsString(message)
  return `validate_re(): ${inspectValue(input)} does not match ${inspectValue(patterns)}`
}

function toPattern(value: Value): Regexp {
  if (value instanceof Regexp) return value
  if (typeof value === 'string') return new Regexp(value)
  return failNotString(value)
}

const validateSlength: Validator = (args) => {
  const name = 'validate_slength()'
  if (args.length !== 2 && args.length !== 3)
    return `${name}: Wrong number of arguments (${args.length}; must be 2 or 3)`
  const [input, longest, shortest] = args
  const most = toInteger(longest)
  const formatArgument = (value: Value, number: number | bigint | undefined): string =>
    number === undefined ? `${formatAsString(value)}:${getRubyClassName(value)}` : `${number}:Integer`
  if (most === undefined || most <= 0)
    return `${name}: Expected second argument to be a positive Numeric, got ${formatArgument(longest, most)}`
  const least = isTruthy(shortest) ? toInteger(shortest) : 0
  if (least === undefined || least < 0)
    return `${name}: Expected third argument to be unset or a positive Numeric, got ${formatArgument(shortest, least)}`
  if (most < least) return `${name}: Expected second argument to be equal to or larger than third argument`
  const isWithinLength = (text: string): boolean => [...text].length <= most && [...text].length >= least
  const getLength = (): number => (typeof input === 'string' ? [...input].length : (input as readonly Value[]).length)
  const formatLengthError = (): string =>
    `${name}: Expected length of ${inspectValue(input)} to be between ${least} and ${most}, was ${getLength()}`
  if (typeof input === 'string') return isWithinLength(input) ? undefined : formatLengthError()
  if (!Array.isArray(input))
    return `${name}: Expected first argument to be a String or Array, got ${getRubyClassName(input)}`
  for (const [at, text] of input.entries()) {
    if (typeof text !== 'string')
      return `${name}: Expected element at array position ${at} to be a String, got ${getRubyClassName(text)}`
    if (!isWithinLength(text)) return formatLengthError()
  }
  return undefined
}

/** Ruby's `Integer()` of a value; `undefined` if Ruby rejects it. */
function toInteger(value: Value): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  if (value instanceof Float) return truncateNumber(value.value)
  return typeof value === 'string' ? parseStrictInteger(value) : undefined
}

const validateInteger = defineNumericValidator('validate_integer', 'an Integer', parseStrictInteger)
const validateNumeric = defineNumericValidator('validate_numeric', 'a Numeric', parseStrictFloat)

/** Defines `validate_integer` or `validate_numeric`. They convert every value to text and parse the text. */
function defineNumericValidator(
  name: string,
  kind: string,
  read: (text: string) => number | bigint | undefined,
): Validator {
  const formatLimit = (number: number | bigint): string =>
    read === parseStrictFloat ? String(new Float(Number(number))) : String(number)
  return (args) => {
    if (args.length === 0 || args.length > 3)
      return `${name}(): Wrong number of arguments; must be 1, 2 or 3, got ${args.length}`
    const [input, highest, lowest] = args
    const hasMax = args.length > 1 && !(args.length > 2 && formatAsString(highest) === '')
    const max = hasMax ? read(formatAsString(highest)) : undefined
    if (hasMax && max === undefined)
      return `${name}(): Expected second argument to be unset or ${kind}, got ${formatAsString(highest)}:String`
    const min = args.length > 2 ? read(formatAsString(lowest)) : undefined
    if (args.length > 2 && min === undefined)
      return `${name}(): Expected third argument to be unset or ${kind}, got ${formatAsString(lowest)}:${getRubyClassName(lowest)}`
    if (min !== undefined && max !== undefined && min > max)
      return `${name}(): Expected second argument to be larger than third argument, got ${formatLimit(max)} < ${formatLimit(min)}`
    const findError = (number: number | bigint, seen: Value): string | undefined => {
      const told =
        read === parseStrictFloat && typeof seen !== 'object'
          ? formatLimit(number)
          : Array.isArray(seen)
            ? inspectValue(seen)
            : String(number)
      if (max !== undefined && number > max)
        return `${name}(): Expected ${told} to be smaller or equal to ${formatLimit(max)}, got ${told}.`
      if (min !== undefined && number < min)
        return `${name}(): Expected ${told} to be greater or equal to ${formatLimit(min)}, got ${told}.`
      return undefined
    }
    if (Array.isArray(input)) {
      for (const [at, value] of input.entries()) {
        const number = value instanceof Hash ? undefined : read(formatAsString(value))
        if (number === undefined)
          return `${name}(): Expected element at array position ${at} to be ${kind}, got ${getRubyClassName(value)}`
        const message = findError(number, input)
        if (message !== undefined) return message
      }
      return undefined
    }
    // As in stdlib, the message names `validate_integer` also for `validate_numeric`. stdlib:
    // parser/functions/validate_numeric.rb
    if (input instanceof Hash) return `validate_integer(): Expected first argument to be ${kind} or Array, got Hash`
    const number = read(formatAsString(input))
    if (number === undefined)
      return `${name}(): Expected first argument to be ${kind} or Array, got ${getRubyClassName(input)}`
    return findError(number, number)
  }
}

/** Puppet 3.x validation functions that `validate_legacy` can call. */
export const validators: Readonly<Record<string, Validator>> = {
  validate_absolute_path: validateAbsolutePath,
  validate_array: defineEachValidator(
    'validate_array',
    describeInvalidValue((value) => Array.isArray(value), 'an Array'),
  ),
  validate_bool: defineEachValidator(
    'validate_bool',
    describeInvalidValue((value) => typeof value === 'boolean', 'a boolean'),
  ),
  validate_domain_name: defineEachValidator(
    'validate_domain_name',
    describeInvalidText(isDomainName, 'a syntactically correct domain name'),
  ),
  validate_email_address: defineEachValidator(
    'validate_email_address',
    describeInvalidText(isEmailAddress, 'a valid email address'),
  ),
  validate_hash: defineEachValidator(
    'validate_hash',
    describeInvalidValue((value) => value instanceof Hash, 'a Hash'),
  ),
  validate_integer: validateInteger,
  validate_ip_address: defineEachValidator('validate_ip_address', describeInvalidText(isIp(), 'a valid IP address.')),
  validate_ipv4_address: defineEachValidator(
    'validate_ipv4_address',
    describeInvalidText(isIp(4), 'a valid IPv4 address.'),
  ),
  validate_ipv6_address: defineEachValidator(
    'validate_ipv6_address',
    describeInvalidText(isIp(6), 'a valid IPv6 address.'),
  ),
  validate_numeric: validateNumeric,
  validate_re: validateRe,
  validate_slength: validateSlength,
  validate_string: defineEachValidator(
    'validate_string',
    describeInvalidValue((value) => value === undefined || typeof value === 'string', 'a string'),
  ),
}

/** Types recommended by the deprecation warnings of the 4.x wrappers, by function. */
const deprecated: Readonly<Record<string, string>> = {
  validate_absolute_path: 'Stdlib::Compat::Absolute_Path',
  validate_array: 'Stdlib::Compat::Array',
  validate_bool: 'Stdlib::Compat::Bool',
  validate_hash: 'Stdlib::Compat::Hash',
  validate_integer: 'Stdlib::Compat::Integer',
  validate_ip_address: 'Stdlib::Compat::Ip_Address',
  validate_ipv4_address: 'Stdlib::Compat::Ipv4_Address',
  validate_ipv6_address: 'Stdlib::Compat::Ipv6_address',
  validate_numeric: 'Stdlib::Compat::Numeric',
  validate_re: 'Pattern[]',
  validate_slength: 'String[]',
  validate_string: 'Stdlib::Compat::String',
}

/** Deprecation message. As in stdlib, it contains a line break and the indentation of the source. */
const formatDeprecation = (type: string): string =>
  `This method is deprecated, please use the stdlib validate_legacy function,\n                    with ${type}. ` +
  'There is further documentation for validate_legacy function in the README.'

/**
 * The `validate_` functions that have a 4.x wrapper in stdlib 8. They report the deprecation according to `strict`,
 * then validate.
 */
export const validateFunctions = Object.entries(deprecated).map(([name, type]) =>
  defineFunction(name, `Fails unless all arguments are valid; equivalent to ${type}.`, {
    'Any *$args': (args: readonly Value[], context: CallContext) => {
      reportDeprecation(name, formatDeprecation(type), context)
      return refuseIfInvalid(validators[name]!(args))
    },
  }),
)

/** The two `validate_` functions that are not deprecated: stdlib 8 has them only as 3.x functions. */
export const validateNames = ['validate_domain_name', 'validate_email_address'].map((name) =>
  defineLegacyFunction(name, 'Fails unless all arguments are such strings.', -1, (args) =>
    refuseIfInvalid(validators[name]!(args)),
  ),
)

function refuseIfInvalid(message: string | undefined): undefined {
  return message === undefined ? undefined : throwArgumentError(message)
}
