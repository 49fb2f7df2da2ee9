import { encodeLosslessUtf8 } from '../../base/text/byte-text.ts'
import { defineFunction } from '../functions/definition/define-function.ts'
import { throwArgumentError } from '../ruby-semantics/argument-error.ts'
import { formatAsString } from '../types/printing/ruby-text.ts'
import { getRubyClassName } from '../types/ruby-class.ts'
import { Hash } from '../values/hash.ts'
import type { Value } from '../values/value.ts'
import { parseIp } from './stdlib/ip-address.ts'

/** `is_service_default`: takes one argument. Throws RUNTIME_ERROR for any other number of arguments. */
export const isServiceDefault = defineFunction(
  'is_service_default',
  'Returns true if the value stands for the default of a service.',
  {
    'Any *$args': (args: readonly Value[]) =>
      args.length === 1
        ? args[0] === '<SERVICE DEFAULT>'
        : throwArgumentError(`is_service_default(): Wrong number of argumentsgiven (${args.length} for 1)`),
  },
)

/** `normalize_ip_for_uri`: for one argument, returns one value, otherwise an array. Changes only IPv6 addresses. */
export const normalizeIpForUri = defineFunction(
  'normalize_ip_for_uri',
  'Formats addresses for URIs: IPv6 in brackets.',
  {
    'Any *$args': (args: readonly Value[]) => mapArguments(args, addBrackets),
  },
)

/** `inet6_prefix`: for one argument, returns one value, otherwise an array. Changes only IPv6 addresses. */
export const inet6Prefix = defineFunction(
  'inet6_prefix',
  'Formats addresses for memcached: IPv6 with the prefix `inet6:`.',
  {
    'Any *$args': (args: readonly Value[]) => mapArguments(args, addPrefix),
  },
)

/**
 * Changes each argument, or each element if the first argument is an array; a single result is
 * returned without an array.
 */
function mapArguments(args: readonly Value[], change: (value: Value) => Value): Value {
  const items = Array.isArray(args[0]) ? (args[0] as readonly Value[]) : args
  const changed = items.map(change)
  return changed.length === 1 ? changed[0] : changed
}

function addBrackets(value: Value): Value {
  return isIpv6(value) && !/\[.+\]/.test(value) ? `[${value}]` : value
}

function addPrefix(value: Value): Value {
  if (typeof value !== 'string' || /^inet6:.+/m.test(value)) return value
  const [address, ...rest] = value.split(/[\s[\]]/).filter((part) => part !== '')
  return isIpv6(address) ? `inet6:[${address}]${rest.join('')}` : value
}

function isIpv6(value: Value): value is string {
  if (typeof value !== 'string') return false
  const ip = parseIp(value)
  return !('error' in ip) && ip.version === 6
}

/** `os_transport_url`: builds oslo.messaging's `transport://user:password@host:port/virtual_host?query`. */
export const osTransportUrl = defineFunction('os_transport_url', 'Builds the URL of a message queue from its parts.', {
  'Any *$args': (args: readonly Value[]) => {
    if (args.length !== 1) return throwArgumentError('os_transport_url(): Wrong number of arguments')
    const [given] = args
    if (given instanceof Hash) return buildUrl(readParts(given))
    return throwArgumentError(`os_transport_url(): Requires an hash, got ${getRubyClassName(given)}`)
  },
})

/** Reads the parts of the URL from a hash and checks the class of each. */
function readParts(given: Hash): Hash {
  const parts = Array.from(given, ([key, value]): [Value, Value] => {
    const part = key === 'port' ? formatAsString(value) : value
    const wanted = key === 'hosts' ? 'Array' : key === 'query' ? 'Hash' : 'String'
    if (getRubyClassName(part) !== wanted)
      throwArgumentError(`os_transport_url(): ${formatAsString(key)} should be a ${wanted}`)
    return [key, part]
  })
  return Hash.of(parts)
}

function buildUrl(parts: Hash): string {
  const getPartText = (key: string): string => formatAsString(parts.get(key))
  if (!parts.has('transport')) return throwArgumentError('os_transport_url(): transport is required')
  if (!parts.has('host') && !parts.has('hosts'))
    return throwArgumentError('os_transport_url(): host or hosts is required')
  if (parts.has('host') && parts.has('hosts'))
    return throwArgumentError('os_transport_url(): cannot use both host and hosts.')
  const password = getPartText('password') === '' ? '' : `:${encodeUrl(getPartText('password'))}`
  const user = getPartText('username') === '' ? '' : `${encodeUrl(getPartText('username'))}${password}@`
  const port = parts.has('port') ? `:${getPartText('port')}` : ''
  const hosts = parts.has('host') ? [parts.get('host')] : (parts.get('hosts') as readonly Value[])
  const hostinfo = hosts.map((host) => `${user}${formatAsString(addBrackets(host))}${port}`).join(',')
  const path = parts.has('virtual_host') ? getPartText('virtual_host') : ''
  const query = buildQuery(parts)
  return `${getPartText('transport')}://${hostinfo}/${path}${query === '' ? '' : `?${query}`}`
}

function buildQuery(parts: Hash): string {
  const given = parts.get('query')
  const query = given instanceof Hash ? given : Hash.empty
  const all = parts.has('ssl') ? query.with('ssl', isTrue(parts.get('ssl') as string) ? 1 : 0) : query
  return Array.from(all, ([key, value]) => `${formatAsString(key)}=${formatAsString(value)}`).join('&')
}

function isTrue(text: string): boolean {
  if (text === '' || /^(?=\n)/m.test(text)) return false
  if (/^(1|t|y|true|yes)$/im.test(text)) return true
  if (/^(0|f|n|false|no)$/im.test(text) || /^(undef|undefined)$/m.test(text)) return false
  return throwArgumentError('os_transport_url _str2bool(): Unknown type of boolean given')
}

/** Escapes a text for a URL, like Ruby's `ERB::Util.url_encode`. */
function encodeUrl(text: string): string {
  return text.replace(/[^a-zA-Z0-9_\-.~]/gu, (found) =>
    Array.from(encodeLosslessUtf8(found), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )
}
