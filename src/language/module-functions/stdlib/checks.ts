import { formatRubyFloat } from '../../../base/text/float-text.ts'
import { trimTrailing } from '../../../base/text/trailing-characters.ts'
import { defineFunction } from '../../functions/definition/define-function.ts'
import { defineLegacyFunction, type LegacyFunction } from '../../functions/definition/legacy-function.ts'
import type { CallContext } from '../../host.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { parseLeadingFloat, parseLeadingInteger } from '../../ruby-semantics/numbers/number-parsing.ts'
import { Float } from '../../values/float.ts'
import { Hash } from '../../values/hash.ts'
import { DEFAULT, type Value } from '../../values/value.ts'
import { reportDeprecation } from './deprecation.ts'
import { parseIp } from './ip-address.ts'
import { failWrongCount } from './issues.ts'
import { failNotString } from './ruby.ts'

/**
 * Defines a check with the Puppet 3.x API and one argument; `count` selects the error for another number of arguments.
 */
function defineCheck(
  name: string,
  doc: string,
  is: (value: Value) => boolean,
  count: 'one' | 'some' | 'plain' = 'plain',
): LegacyFunction {
  return defineLegacyFunction(name, doc, -1, (args) => {
    const isWrong = count === 'some' ? args.length === 0 : args.length !== 1
    if (!isWrong) return is(args[0])
    if (count !== 'plain') return failWrongCount(name, args.length, '1')
    return throwArgumentError(`${name}(): Wrong number of arguments given ${args.length} for 1`)
  })
}

/** True for an Integer or a string that contains an integer, as in `is_integer`. */
export function isIntegerText(value: Value): boolean {
  if (typeof value === 'string') return /^-?(?:(?:[1-9]\d*)|0)$/m.test(value)
  return typeof value === 'number' || typeof value === 'bigint'
}

const isNumber = (value: Value): boolean =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof Float

const isFloatText = (value: Value): boolean =>
  value instanceof Float || (typeof value === 'string' && value === formatRubyFloat(parseLeadingFloat(value)))

const isPlainText = (value: Value): boolean =>
  value === undefined ||
  (typeof value === 'string' &&
    value !== formatRubyFloat(parseLeadingFloat(value)) &&
    value !== String(parseLeadingInteger(value)))

const isNumericText = (value: Value): boolean =>
  isNumber(value) || (typeof value === 'string' && /^-?(?:(?:[1-9]\d*)|0)(?:\.\d+)?(?:[eE]-?\d+)?$/m.test(value))

function getIpVersion(value: Value): 4 | 6 | undefined {
  if (typeof value !== 'string') return undefined
  const ip = parseIp(value)
  return 'error' in ip ? undefined : ip.version
}

/** True for an absolute path on Unix or Windows. Puppet: Util.absolute_path?. */
export function isAbsolutePath(path: Value): boolean {
  if (typeof path !== 'string') return false
  return (
    path.startsWith('/') ||
    /^(?:(?:[A-Z]:[\\/])|(?:[\\/][\\/][^\\/]+[\\/][^\\/]+)|(?:[\\/][\\/]\?[\\/][^\\/]+))/i.test(path)
  )
}

/** True for a domain name, as in `is_domain_name`. */
export function isDomainName(value: Value): boolean {
  if (typeof value !== 'string') return false
  if (value === '.') return true
  const domain = value.endsWith('.') ? value.slice(0, -1) : value
  if (domain === '' || domain.length > 255 || (domain.includes('.') && !/\.[A-Za-z]+$/m.test(domain))) return false
  const labels = trimTrailing(domain, '.').split('.')
  return labels.every(
    (label) =>
      label.length >= 1 &&
      label.length <= 63 &&
      !label.startsWith('-') &&
      !label.endsWith('-') &&
      /^[a-z\d-]+$/im.test(label),
  )
}

/** `is_domain_name`: true for a domain name; see `isDomainName`. */
export const isDomainNameCheck = defineCheck(
  'is_domain_name',
  'Returns true if a string is a domain name.',
  isDomainName,
)

/** True for an email address, as in `is_email_address`. */
export function isEmailAddress(value: Value): boolean {
  if (typeof value !== 'string') return false
  return /^[\w+-]+(?:[^\w+\n\r\u2028\u2029-][\w+-]+)*[^\w+\n\r\u2028\u2029-]?@[a-z\d-]+(?:\.[a-z]+)*\.[a-z]+$/.test(
    value,
  )
}

/** `is_email_address`: true for an email address; see `isEmailAddress`. */
export const isEmailAddressCheck = defineCheck(
  'is_email_address',
  'Returns true if a string is an email address.',
  isEmailAddress,
)

/** `is_hash`: takes one argument. Throws RUNTIME_ERROR for any other number of arguments. */
export const isHash = defineCheck(
  'is_hash',
  'Returns true if a value is a hash.',
  (value) => value instanceof Hash,
  'one',
)

/**
 * `is_mac_address`: six groups of hexadecimal digits, or the 20 groups of InfiniBand, separated by
 * colons.
 */
export const isMacAddress = defineCheck('is_mac_address', 'Returns true if a string is a MAC address.', (value) => {
  if (value === undefined || value === DEFAULT) return false
  if (typeof value !== 'string') return failNotString(value)
  return /^[a-f0-9]{1,2}(:[a-f0-9]{1,2}){5}$/im.test(value) || /^[a-f0-9]{1,2}(:[a-f0-9]{1,2}){19}$/im.test(value)
})

/** `is_integer`: accepts Integers, and strings without leading zeros or `+` (see `isIntegerText`). */
export const isInteger = defineCheck(
  'is_integer',
  'Returns true if a value is an integer or its string form.',
  isIntegerText,
)

const formatDeprecation = (type: string): string =>
  `This method is deprecated, please use match expressions with Stdlib::Compat::${type} instead. ` +
  'They are described at https://docs.puppet.com/puppet/latest/reference/lang_data_type.html#match-expressions.'

/** Checks that stdlib 8 deprecates, with the `Stdlib::Compat` type to recommend. */
const deprecated: readonly (readonly [LegacyFunction, string, string?])[] = [
  [defineCheck('is_absolute_path', 'Returns true if a path is absolute.', isAbsolutePath, 'one'), 'Absolute_Path'],
  [defineCheck('is_array', 'Returns true if a value is an array.', (value) => Array.isArray(value), 'some'), 'Array'],
  [
    defineCheck('is_bool', 'Returns true if a value is a Boolean.', (value) => typeof value === 'boolean', 'one'),
    'Bool',
  ],
  [defineCheck('is_float', 'Returns true if a value is a float or its string form.', isFloatText), 'Float'],
  [
    defineCheck(
      'is_ip_address',
      'Returns true if a string is an IP address.',
      (value) => getIpVersion(value) !== undefined,
    ),
    'Ip_address',
  ],
  [
    defineCheck(
      'is_ipv4_address',
      'Returns true if a string is an IPv4 address.',
      (value) => getIpVersion(value) === 4,
    ),
    'Ipv4',
  ],
  // As in stdlib, the deprecation uses the key of `is_ipv4_address`. stdlib: functions/is_ipv6_address.rb
  [
    defineCheck(
      'is_ipv6_address',
      'Returns true if a string is an IPv6 address.',
      (value) => getIpVersion(value) === 6,
    ),
    'Ipv6',
    'is_ipv4_address',
  ],
  [defineCheck('is_numeric', 'Returns true if a value is a number or its string form.', isNumericText), 'Numeric'],
  [
    defineCheck('is_string', 'Returns true if a value is a string that is not a number.', isPlainText, 'some'),
    'String',
  ],
]

/**
 * `is_array` and other deprecated checks. Report the deprecation, which recommends a `Stdlib::Compat` type, according
 * to the setting `strict`, then return the result of the check.
 */
export const deprecatedChecks = deprecated.map(([legacy, type, key]) =>
  defineFunction(legacy.name, legacy.doc, {
    'Any *$args': (args: readonly Value[], context: CallContext) => {
      reportDeprecation(key ?? legacy.name, formatDeprecation(type), context)
      return legacy.call(context, args)
    },
  }),
)
