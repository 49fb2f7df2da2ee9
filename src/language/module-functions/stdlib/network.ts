import { findVariable } from '../../evaluator/variable-lookup.ts'
import { isRubyEqual } from '../../functions/collections/ruby-compare.ts'
import { defineFunction } from '../../functions/definition/define-function.ts'
import { defineLegacyFunction } from '../../functions/definition/legacy-function.ts'
import type { CallContext } from '../../host.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { formatAsString } from '../../types/printing/ruby-text.ts'
import { flattenArrays } from '../../values/flatten.ts'
import { Hash } from '../../values/hash.ts'
import { isTruthy, type Value } from '../../values/value.ts'
import { containsAddress, formatIp, type IpAddress, parseIp } from './ip-address.ts'
import { failNoMethod, getLegacyClass, toLegacyText } from './ruby.ts'
import { selectDistinct } from './unique-elements.ts'

/**
 * `enclose_ipv6`: encloses IPv6 addresses in brackets; returns a flat array without duplicates. Throws RUNTIME_ERROR
 * for an invalid address.
 */
export const encloseIpv6 = defineLegacyFunction(
  'enclose_ipv6',
  'Encloses IPv6 addresses in brackets; other addresses and `*` are unchanged.',
  -1,
  (args) => {
    if (args.length !== 1)
      return throwArgumentError(`enclose_ipv6(): Wrong number of arguments given ${args.length} for 1`)
    const [given] = args
    if (typeof given !== 'string' && !Array.isArray(given))
      return throwArgumentError(
        `enclose_ipv6(): Wrong argument type given ${getLegacyClass(given)} expected String or Array`,
      )
    const texts = flattenArrays([given]).filter((each) => each !== undefined)
    return selectDistinct(texts.map((each) => (each === '*' ? each : encloseAddress(each))))
  },
)

function encloseAddress(value: Value): Value {
  const ip = typeof value === 'string' ? parseIp(value) : undefined
  if (!ip || 'error' in ip)
    return throwArgumentError(`enclose_ipv6(): Wrong argument given ${toLegacyText(value)} is not an ip address.`)
  return ip.version === 6 ? `[${formatIp(ip)}]` : value
}

/** `stdlib::ip_in_range`: compares with IPv4 and IPv6 networks such as `10.0.0.0/8`. */
export const ipInRange = defineFunction(
  'stdlib::ip_in_range',
  'Returns true if an address is in one of the given networks.',
  {
    'String $ipaddress, Variant[String, Array] $range >> Boolean': (text: string, range: string | readonly Value[]) => {
      const address = requireAddress(text)
      const networks = (typeof range === 'string' ? [range] : range).map((each) => requireAddress(each))
      return networks.some((network) => containsAddress(network, address))
    },
  },
)

function requireAddress(value: Value): IpAddress {
  if (typeof value !== 'string') return throwArgumentError('address family must be specified')
  const ip = parseIp(value)
  return 'error' in ip ? throwArgumentError(ip.error) : ip
}

/** `has_interface_with`: reads the legacy facts `interfaces`, `ipaddress` and `ipaddress_eth0`. */
export const hasInterfaceWith = defineLegacyFunction(
  'has_interface_with',
  'Returns true if the node has a network interface with this name or attribute value.',
  -1,
  (args, context) => {
    if (args.length === 0 || args.length > 2)
      return throwArgumentError(`has_interface_with(): Wrong number of arguments given (${args.length} for 1 or 2)`)
    return hasNetworkInterface(args, context)
  },
)

/** `has_ip_address`: reads the legacy facts `ipaddress` and `ipaddress_eth0`. */
export const hasIpAddress = defineInterfaceCheck('has_ip_address', 'ipaddress')
/** `has_ip_network`: reads the legacy facts `network` and `network_eth0`. */
export const hasIpNetwork = defineInterfaceCheck('has_ip_network', 'network')

function defineInterfaceCheck(name: string, kind: string) {
  return defineLegacyFunction(
    name,
    `Returns true if an interface of the node has this ${kind}.`,
    -1,
    (args, context) => {
      if (args.length !== 1)
        return throwArgumentError(`${name}(): Wrong number of arguments given (${args.length} for 1)`)
      return hasNetworkInterface([kind, args[0]], context)
    },
  )
}

function hasNetworkInterface(args: readonly Value[], context: CallContext): boolean {
  const listed = getVariable('interfaces', context)
  if (listed === undefined) return false
  if (typeof listed !== 'string') return failNoMethod('split', listed)
  const interfaces = listed.split(',').filter((name, index, all) => name !== '' || all.slice(index).some(Boolean))
  if (args.length === 1) return interfaces.some((name) => name === args[0])
  const [kind, value] = args
  if (isRubyEqual(getVariable(formatAsString(kind), context), value)) return true
  return interfaces.some((name) =>
    isRubyEqual(value, getVariable(`${formatAsString(kind)}_${name.toLowerCase()}`, context)),
  )
}

function getVariable(name: string, context: CallContext): Value {
  return findVariable(name, context)?.value
}

/** `stdlib::has_interface_with`: reads the fact `networking`, whose keys for the kinds are `ip` and `mac`. */
export const stdlibHasInterfaceWith = defineFunction('stdlib::has_interface_with', 'As `has_interface_with`.', {
  'String[1] $interface >> Boolean': (name: string, { scope }: CallContext) =>
    getInterfaces(scope.get('facts')).has(name),
  "Enum['macaddress', 'netmask', 'ipaddress', 'network', 'ip', 'mac'] $kind, String[1] $value >> Boolean": (
    kind: string,
    value: string,
    { scope }: CallContext,
  ) => {
    const name = { ipaddress: 'ip', macaddress: 'mac' }[kind] ?? kind
    return getInterfaces(scope.get('facts'))
      .values()
      .some((each) => each instanceof Hash && each.get(name) === value)
  },
})

function getInterfaces(facts: Value): Hash {
  const networking = facts instanceof Hash ? facts.get('networking') : undefined
  const interfaces = networking instanceof Hash ? networking.get('interfaces') : failNoMethod('[]', networking)
  return interfaces instanceof Hash ? interfaces : failNoMethod(isTruthy(interfaces) ? 'key?' : 'any?', interfaces)
}
