import { readFileSync } from 'node:fs'
import { type BlockList, isIP } from 'node:net'
import { rootCertificates } from 'node:tls'
import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { outsideIssues } from './issues.ts'
import { parseNetworks } from './public-addresses.ts'
import type { SecretSettings } from './secrets/secret-store.ts'

/** The settings for external requests. */
export type OutsideSettings = Pick<
  Settings,
  | 'external_lookups'
  | 'external_dns_names'
  | 'external_dns_servers'
  | 'external_http_hosts'
  | 'external_http_addresses'
  | 'external_http_ca_file'
  | 'external_lookup_ttl'
> &
  SecretSettings

/** The external requests that are allowed, and their options. */
export interface OutsideRules {
  readonly dns: boolean
  readonly http: boolean
  readonly dnsNames: readonly string[]
  /**
   * DNS servers to use, as `ADDRESS` or `ADDRESS:PORT`, normalized by `normalizeDnsServer`; if empty, the DNS servers of this
   * machine are used.
   */
  readonly dnsServers: readonly string[]
  readonly httpHosts: readonly string[]
  /** Networks that are not public, but are allowed for HTTP. */
  readonly httpNetworks: BlockList
  /** Trusted CAs for HTTPS, as PEM; if undefined, the CAs of Node are used. */
  readonly authorities: readonly string[] | undefined
  /** Milliseconds for which a response without a time to live may be reused. */
  readonly ttlMs: number
  /** Time limits of DNS queries and HTTP requests. */
  readonly times: OutsideTimes
}

/** Time limits in milliseconds. */
export interface OutsideTimes {
  readonly dnsMs: number
  readonly httpMs: number
}

const usualTimes: OutsideTimes = { dnsMs: budgets.outside.dnsTime.bound, httpMs: budgets.outside.httpTime.bound }

/** Copies the settings that a thread needs, so that they can be sent to the thread. */
export function pickOutsideSettings(settings: OutsideSettings): OutsideSettings {
  const { external_lookups, external_dns_names, external_dns_servers, external_http_hosts } = settings
  const { external_http_addresses, external_http_ca_file, external_lookup_ttl } = settings
  const { external_vault_addresses, external_secret_endpoints, eyaml_keydirs, hostcert, hostprivkey } = settings
  return {
    ...{ external_lookups, external_dns_names, external_dns_servers, external_http_hosts },
    ...{ external_http_addresses, external_http_ca_file, external_lookup_ttl },
    ...{ external_vault_addresses, external_secret_endpoints, eyaml_keydirs, hostcert, hostprivkey },
  }
}

/**
 * Reads the rules from the settings. Throws NOT_A_NETWORK, NOT_A_DNS_SERVER and
 * UNREADABLE_AUTHORITIES.
 */
export function readOutsideRules(settings: OutsideSettings, times = usualTimes): OutsideRules {
  const { external_lookups: lookups, external_http_ca_file: file } = settings
  return {
    dns: lookups.includes('dns'),
    http: lookups.includes('http'),
    dnsNames: settings.external_dns_names.map((name) => name.toLowerCase()),
    dnsServers: settings.external_dns_servers.map(
      (given) => normalizeDnsServer(given) ?? throwIssue(outsideIssues.NOT_A_DNS_SERVER, { given }),
    ),
    httpHosts: settings.external_http_hosts.map((host) => host.toLowerCase()),
    httpNetworks: parseNetworks(settings.external_http_addresses),
    authorities: file === '' ? undefined : [...rootCertificates, readAuthoritiesFile(file)],
    ttlMs: settings.external_lookup_ttl * 1000,
    times,
  }
}

/** Normalizes the address of a DNS server: removes the default port. `undefined` if the address is invalid. */
export function normalizeDnsServer(given: string): string | undefined {
  if (isIP(given) !== 0) return given.toLowerCase()
  const cut = given.lastIndexOf(':')
  const [host, port] = [given.slice(0, cut), given.slice(cut + 1)]
  const address = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
  const version = isIP(address)
  if (version === 0 || (version === 6 && address === host)) return undefined
  if (!/^\d{1,5}$/.test(port) || Number(port) === 0 || Number(port) > 65535) return undefined
  return Number(port) === 53 ? address.toLowerCase() : given.toLowerCase()
}

/** Returns true if the list contains the name, a pattern for a parent domain (`*.example.com`), or `*`. */
export function isListedName(list: readonly string[], name: string): boolean {
  return list.some((each) => each === '*' || each === name || (each.startsWith('*.') && name.endsWith(each.slice(1))))
}

/** Returns true if the list contains the host of a URL; an entry for a port other than the default ends with `:PORT`. */
export function isListedHost(list: readonly string[], url: URL): boolean {
  return isListedName(list.filter((each) => getPort(each) === url.port).map(removePort), url.hostname)
}

/** Returns the port in an entry of the setting; `''` for the default port of the protocol. */
function getPort(entry: string): string {
  return entry.slice(removePort(entry).length + 1)
}

function removePort(entry: string): string {
  const cut = entry.lastIndexOf(':')
  return cut > entry.lastIndexOf(']') && /^\d+$/.test(entry.slice(cut + 1)) ? entry.slice(0, cut) : entry
}

function readAuthoritiesFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    return throwIssue(outsideIssues.UNREADABLE_AUTHORITIES, { file, reason: formatErrorReason(error) })
  }
}
