import { promises } from 'node:dns'
import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import type { Json } from '../../base/json/json-checks.ts'
import { checkJsonObject, checkJsonString } from '../../base/json/json-checks.ts'
import { getSystemErrorCode } from '../../base/system-error.ts'
import { compareCodeUnits } from '../../base/text/code-unit-order.ts'
import { outsideRefusals } from './issues.ts'
import { failureTtlMs, type OutsideResponse } from './outside-response.ts'
import { isListedName, normalizeDnsServer, type OutsideRules } from './rules.ts'

/** A DNS query. */
export interface DnsQuestion {
  /** Name to look up, in lower case, without a trailing period. */
  readonly name: string
  readonly type: RecordType
  /** DNS servers that the Puppet code specifies; empty if it specifies no servers. */
  readonly servers: readonly string[]
}

/** Records of one type, and their time to live in seconds; undefined if the time to live is unknown. */
interface Found {
  readonly records: readonly Json[]
  readonly ttl?: number
}

type Ask = (resolver: promises.Resolver, name: string) => Promise<Found>

/** The supported record types. The library c-ares returns a time to live for addresses only. */
const types = {
  A: async (resolver, name) => toAddressRecords(await resolver.resolve4(name, { ttl: true })),
  AAAA: async (resolver, name) => toAddressRecords(await resolver.resolve6(name, { ttl: true })),
  CNAME: async (resolver, name) => ({ records: await resolver.resolveCname(name) }),
  NS: async (resolver, name) => ({ records: await resolver.resolveNs(name) }),
  PTR: async (resolver, name) => ({ records: await resolver.resolvePtr(name) }),
  MX: async (resolver, name) => ({
    records: (await resolver.resolveMx(name)).map(({ priority, exchange }) => ({ preference: priority, exchange })),
  }),
  TXT: async (resolver, name) => ({ records: await resolver.resolveTxt(name) }),
  SRV: async (resolver, name) => ({
    records: (await resolver.resolveSrv(name)).map(({ priority, weight, port, name: target }) => ({
      ...{ priority, weight, port, target },
    })),
  }),
  async SOA(resolver, name) {
    const { nsname, hostmaster, serial, refresh, retry, expire, minttl } = await resolver.resolveSoa(name)
    return { records: [{ mname: nsname, rname: hostmaster, serial, refresh, retry, expire, minimum: minttl }] }
  },
} as const satisfies Readonly<Record<string, Ask>>

/** A DNS record type. */
export type RecordType = keyof typeof types

/** True for the name of a supported record type. */
export function isRecordType(text: string): text is RecordType {
  return Object.hasOwn(types, text)
}

function toAddressRecords(found: readonly { readonly address: string; readonly ttl: number }[]): Found {
  const ttl = found.length === 0 ? undefined : Math.min(...found.map(({ ttl }) => ttl))
  return { records: found.map(({ address }) => address), ...(ttl !== undefined && { ttl }) }
}

/** Parses and checks a DNS query from Puppet code. Throws one of `outsideRefusals`. */
export function parseDnsQuestion(content: unknown, rules: OutsideRules): DnsQuestion {
  const { name: given, type, servers = [] } = checkJsonObject(content, 'a DNS query')
  const name = checkJsonString(given, 'a name').toLowerCase().replace(/\.$/, '')
  const kind = checkJsonString(type, 'a type')
  if (!rules.dns) throwIssue(outsideRefusals.LOOKUPS_OFF, { kind: 'dns' })
  if (!isRecordType(kind)) throwIssue(outsideRefusals.DNS_TYPE, { type: kind, known: Object.keys(types) })
  if (!isDnsName(name)) throwIssue(outsideRefusals.DNS_BAD_NAME, { name })
  if (!isListedName(rules.dnsNames, name)) throwIssue(outsideRefusals.DNS_NAME, { name })
  const asked = (servers as readonly unknown[]).map((each) => {
    const server = normalizeDnsServer(checkJsonString(each, 'a server'))
    if (server === undefined || !rules.dnsServers.includes(server))
      throwIssue(outsideRefusals.DNS_SERVER, { server: server ?? String(each) })
    return server
  })
  return { name, type: kind, servers: asked }
}

/**
 * Runs a DNS query. The records are sorted, so that the result does not depend on the order in the server's response.
 */
export async function queryDns(
  { name, type, servers }: DnsQuestion,
  rules: Pick<OutsideRules, 'dnsServers' | 'ttlMs'> & { readonly times: Pick<OutsideRules['times'], 'dnsMs'> },
): Promise<OutsideResponse> {
  try {
    const given = servers.length > 0 ? servers : rules.dnsServers
    const { records, ttl } = await runWithResolver(given, rules.times.dnsMs, (resolver) => types[type](resolver, name))
    if (records.length > budgets.outside.dnsRecords.bound)
      return {
        answer: { failure: `the response contains more than ${budgets.outside.dnsRecords.bound} records` },
        ttlMs: failureTtlMs,
      }
    return { answer: { records: sortUniqueRecords(records) }, ttlMs: ttl === undefined ? rules.ttlMs : ttl * 1000 }
  } catch (error) {
    const code = getSystemErrorCode(error)
    if (code === 'ENOTFOUND') return { answer: { absent: true }, ttlMs: rules.ttlMs }
    if (code === 'ENODATA') return { answer: { records: [] }, ttlMs: rules.ttlMs }
    const isLate = code === 'ETIMEOUT' || code === 'ECANCELLED'
    return {
      answer: { failure: describeDnsFailure(code, error), error: isLate ? 'timeout' : 'server' },
      ttlMs: failureTtlMs,
    }
  }
}

/**
 * Resolves the addresses of a host, with the DNS servers in the settings or the DNS servers of this machine. Does not
 * use getaddrinfo, which would block one of the few threads that also read files. Throws the DNS error.
 */
export async function resolveAddresses(host: string, { dnsServers, times }: OutsideRules): Promise<readonly string[]> {
  return runWithResolver(dnsServers, times.dnsMs, async (resolver) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const found = [four, six].flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    if (found.length === 0 && four.status === 'rejected') throw four.reason
    return found
  })
}

/** Runs a DNS query with a time limit. */
async function runWithResolver<Result>(
  servers: readonly string[],
  timeMs: number,
  ask: (resolver: promises.Resolver) => Promise<Result>,
): Promise<Result> {
  const resolver = new promises.Resolver({ timeout: timeMs / 5, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), timeMs)
  try {
    return await ask(resolver)
  } finally {
    clearTimeout(timer)
  }
}

/** Sorts records and removes duplicates, so that equal records give equal text. */
function sortUniqueRecords(records: readonly Json[]): Json[] {
  const texts = new Map(records.map((each) => [JSON.stringify(each), each]))
  return [...texts].sort(([one], [other]) => compareCodeUnits(one, other)).map(([, each]) => each)
}

function isDnsName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => /^[\w-]{1,63}$/.test(label))
}

const reasons: Readonly<Record<string, string>> = {
  ETIMEOUT: 'no server replied in time',
  ECANCELLED: 'no server replied in time',
  ECONNREFUSED: 'no server accepts queries',
  ESERVFAIL: 'the server failed (SERVFAIL)',
  EREFUSED: 'the server refused the query',
  EBADRESP: 'the response of the server is invalid',
}

function describeDnsFailure(code: string | undefined, error: unknown): string {
  return reasons[code ?? ''] ?? (error instanceof Error ? error.message : String(error))
}
