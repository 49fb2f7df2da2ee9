import { defineFunction } from '../../functions/definition/define-function.ts'
import { defineLegacyFunction } from '../../functions/definition/legacy-function.ts'
import type { CallContext } from '../../host.ts'
import { refuse } from '../../ruby-semantics/argument-error.ts'
import { strictFloat, strictInteger, truncate } from '../../ruby-semantics/numbers/number-texts.ts'
import { isMatch } from '../../ruby-semantics/regexp/match.ts'
import { rubyInspect, rubyText } from '../../types/printing/ruby-text.ts'
import { rubyClass } from '../../types/ruby-class.ts'
import { flatten } from '../../values/flatten.ts'
import { Float } from '../../values/float.ts'
import { Hash } from '../../values/hash.ts'
import { Regexp } from '../../values/regexp.ts'
import { isTruthy, type Value } from '../../values/value.ts'
import { isAbsolutePath, isDomainName, isEmailAddress } from './checks.ts'
import { deprecate } from './deprecation.ts'
import { parseIp } from './ip-address.ts'
import { noText } from './ruby.ts'

/**
 * A Puppet 3.x validation function: returns the error message for its arguments, or `undefined`.
 * Other errors are thrown.
 */
export type Validator = (args: readonly Value[]) => string | undefined

/** Defines a validator that checks each argument and returns the first error. */
function each(name: string, complaint: (value: Value) => string | undefined): Validator {
  return (args) => {
    if (args.length === 0) return `${name}(): wrong number of arguments (0; must be > 0)`
    for (const value of args) {
      const message = complaint(value)
      if (message !== undefined) return message
    }
    return undefined
  }
}

const looksLike = (is: (value: Value) => boolean, kind: string) => (value: Value) =>
  is(value) ? undefined : `${rubyInspect(value)} is not ${kind}.  It looks to be a ${rubyClass(value)}`

const textThat = (is: (text: string) => boolean, not: string) => (value: Value) => {
  if (typeof value !== 'string') return `${rubyInspect(value)} is not a string.`
  return is(value) ? undefined : `${rubyInspect(value)} is not ${not}`
}

const isIp = (version?: 4 | 6) => (text: string) => {
  const ip = parseIp(text)
  return !('error' in ip) && (version === undefined || ip.version === version)
}

const validateAbsolutePath = each('validate_absolute_path', (value) => {
  const wrong = (Array.isArray(value) ? value : [value]).find(
    (path) => typeof path !== 'string' || !isAbsolutePath(path),
  )
  const isWrong = (Array.isArray(value) ? value : [value]).some(
    (path) => typeof path !== 'string' || !isAbsolutePath(path),
  )
  return isWrong ? `${rubyInspect(wrong)} is not an absolute path.` : undefined
})

const validateRe: Validator = (args) => {
  if (args.length < 2 || args.length > 3)
    return `validate_re(): wrong number of arguments (${args.length}; must be 2 or 3)`
  const [input, patterns, message] = args
  if (typeof input !== 'string') return `validate_re(): input needs to be a String, not a ${rubyClass(input)}`
  const matches = flatten([patterns]).some((pattern) => isMatch(toPattern(pattern), input))
  if (matches) return undefined
  if (isTruthy(message)) return rubyText(message)
  return `validate_re(): ${rubyInspect(input)} does not match ${rubyInspect(patterns)}`
}

function toPattern(value: Value): Regexp {
  if (value instanceof Regexp) return value
  if (typeof value === 'string') return new Regexp(value)
  return noText(value)
}

const validateSlength: Validator = (args) => {
  const name = 'validate_slength()'
  if (args.length !== 2 && args.length !== 3)
    return `${name}: Wrong number of arguments (${args.length}; must be 2 or 3)`
  const [input, longest, shortest] = args
  const most = asInteger(longest)
  const told = (value: Value, number: number | bigint | undefined): string =>
    number === undefined ? `${rubyText(value)}:${rubyClass(value)}` : `${number}:Integer`
  if (most === undefined || most <= 0)
    return `${name}: Expected second argument to be a positive Numeric, got ${told(longest, most)}`
  const least = isTruthy(shortest) ? asInteger(shortest) : 0
  if (least === undefined || least < 0)
    return `${name}: Expected third argument to be unset or a positive Numeric, got ${told(shortest, least)}`
  if (most < least) return `${name}: Expected second argument to be equal to or larger than third argument`
  const fits = (text: string): boolean => [...text].length <= most && [...text].length >= least
  const size = (): number => (typeof input === 'string' ? [...input].length : (input as readonly Value[]).length)
  const wrong = (): string =>
    `${name}: Expected length of ${rubyInspect(input)} to be between ${least} and ${most}, was ${size()}`
  if (typeof input === 'string') return fits(input) ? undefined : wrong()
  if (!Array.isArray(input)) return `${name}: Expected first argument to be a String or Array, got ${rubyClass(input)}`
  for (const [at, text] of input.entries()) {
    if (typeof text !== 'string')
      return `${name}: Expected element at array position ${at} to be a String, got ${rubyClass(text)}`
    if (!fits(text)) return wrong()
  }
  return undefined
}

/** Ruby's `Integer()` of a value; `undefined` if Ruby rejects it. */
function asInteger(value: Value): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  if (value instanceof Float) return truncate(value.value)
  return typeof value === 'string' ? strictInteger(value) : undefined
}

const validateInteger = numeric('validate_integer', 'an Integer', strictInteger)
const validateNumeric = numeric('validate_numeric', 'a Numeric', strictFloat)

/** Defines `validate_integer` or `validate_numeric`. They convert every value to text and parse the text. */
function numeric(name: string, kind: string, read: (text: string) => number | bigint | undefined): Validator {
  const shown = (number: number | bigint): string =>
    read === strictFloat ? String(new Float(Number(number))) : String(number)
  return (args) => {
    if (args.length === 0 || args.length > 3)
      return `${name}(): Wrong number of arguments; must be 1, 2 or 3, got ${args.length}`
    const [input, highest, lowest] = args
    const hasMax = args.length > 1 && !(args.length > 2 && rubyText(highest) === '')
    const max = hasMax ? read(rubyText(highest)) : undefined
    if (hasMax && max === undefined)
      return `${name}(): Expected second argument to be unset or ${kind}, got ${rubyText(highest)}:String`
    const min = args.length > 2 ? read(rubyText(lowest)) : undefined
    if (args.length > 2 && min === undefined)
      return `${name}(): Expected third argument to be unset or ${kind}, got ${rubyText(lowest)}:${rubyClass(lowest)}`
    if (min !== undefined && max !== undefined && min > max)
      return `${name}(): Expected second argument to be larger than third argument, got ${shown(max)} < ${shown(min)}`
    const complaint = (number: number | bigint, seen: Value): string | undefined => {
      const told =
        read === strictFloat && typeof seen !== 'object'
          ? shown(number)
          : Array.isArray(seen)
            ? rubyInspect(seen)
            : String(number)
      if (max !== undefined && number > max)
        return `${name}(): Expected ${told} to be smaller or equal to ${shown(max)}, got ${told}.`
      if (min !== undefined && number < min)
        return `${name}(): Expected ${told} to be greater or equal to ${shown(min)}, got ${told}.`
      return undefined
    }
    if (Array.isArray(input)) {
      for (const [at, value] of input.entries()) {
        const number = value instanceof Hash ? undefined : read(rubyText(value))
        if (number === undefined)
          return `${name}(): Expected element at array position ${at} to be ${kind}, got ${rubyClass(value)}`
        const message = complaint(number, input)
        if (message !== undefined) return message
      }
      return undefined
    }
    // As in stdlib, the message names `validate_integer` also for `validate_numeric`. stdlib:
    // parser/functions/validate_numeric.rb
    if (input instanceof Hash) return `validate_integer(): Expected first argument to be ${kind} or Array, got Hash`
    const number = read(rubyText(input))
    if (number === undefined)
      return `${name}(): Expected first argument to be ${kind} or Array, got ${rubyClass(input)}`
    return complaint(number, number)
  }
}

/** Puppet 3.x validation functions that `validate_legacy` can call. */
export const validators: Readonly<Record<string, Validator>> = {
  validate_absolute_path: validateAbsolutePath,
  validate_array: each(
    'validate_array',
    looksLike((value) => Array.isArray(value), 'an Array'),
  ),
  validate_bool: each(
    'validate_bool',
    looksLike((value) => typeof value === 'boolean', 'a boolean'),
  ),
  validate_domain_name: each('validate_domain_name', textThat(isDomainName, 'a syntactically correct domain name')),
  validate_email_address: each('validate_email_address', textThat(isEmailAddress, 'a valid email address')),
  validate_hash: each(
    'validate_hash',
    looksLike((value) => value instanceof Hash, 'a Hash'),
  ),
  validate_integer: validateInteger,
  validate_ip_address: each('validate_ip_address', textThat(isIp(), 'a valid IP address.')),
  validate_ipv4_address: each('validate_ipv4_address', textThat(isIp(4), 'a valid IPv4 address.')),
  validate_ipv6_address: each('validate_ipv6_address', textThat(isIp(6), 'a valid IPv6 address.')),
  validate_numeric: validateNumeric,
  validate_re: validateRe,
  validate_slength: validateSlength,
  validate_string: each(
    'validate_string',
    looksLike((value) => value === undefined || typeof value === 'string', 'a string'),
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
const deprecation = (type: string): string =>
  `This method is deprecated, please use the stdlib validate_legacy function,\n                    with ${type}. ` +
  'There is further documentation for validate_legacy function in the README.'

/**
 * The `validate_` functions that have a 4.x wrapper in stdlib 8. They report the deprecation according to `strict`,
 * then validate.
 */
export const validateFunctions = Object.entries(deprecated).map(([name, type]) =>
  defineFunction(name, `Fails unless all arguments are right; ${type} says the same.`, {
    'Any *$args': (args: readonly Value[], context: CallContext) => {
      deprecate(name, deprecation(type), context)
      return complain(validators[name]!(args))
    },
  }),
)

/** The two `validate_` functions that are not deprecated: stdlib 8 has them only as 3.x functions. */
export const validateNames = ['validate_domain_name', 'validate_email_address'].map((name) =>
  defineLegacyFunction(name, 'Fails unless all arguments are such texts.', -1, (args) =>
    complain(validators[name]!(args)),
  ),
)

function complain(message: string | undefined): undefined {
  return message === undefined ? undefined : refuse(message)
}
