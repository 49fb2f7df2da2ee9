import { isUtf8 } from 'node:buffer'
import { isIP, type LookupFunction } from 'node:net'
import { budgets } from '../../base/budgets/budgets.ts'
import { PuppetError, throwIssue } from '../../base/issue.ts'
import { getSystemErrorCode } from '../../base/system-error.ts'
import { awaitWithTimeout } from '../../base/time/promise-timeout.ts'
import {
  Dispatcher,
  type DispatcherOptions,
  type DispatcherRequest,
  type DispatcherResponse,
  readBytes,
} from '../client/dispatcher.ts'
import { resolveAddresses } from './dns.ts'
import type { HttpQuestion } from './http-question.ts'
import { outsideRefusals } from './issues.ts'
import { failureTtlMs, type OutsideResponse } from './outside-response.ts'
import { isInNetworks, isPublicAddress } from './public-addresses.ts'
import type { OutsideRules } from './rules.ts'

/**
 * Response headers that Puppet code can read. Other headers may change with each response (dates, cookies, request
 * ids), so that equal pages would have different responses.
 */
const shownHeaders = [
  ...['content-type', 'content-language', 'content-encoding', 'content-disposition', 'content-range', 'etag'],
  ...['last-modified', 'link', 'location', 'retry-after', 'www-authenticate'],
]

const { httpBody, httpHeaders } = budgets.outside

/** A response with its complete body. */
export interface PageAnswer extends Pick<DispatcherResponse, 'statusCode' | 'statusText' | 'headers' | 'rawHeaders'> {
  readonly bytes: Buffer
}

/**
 * Requests a page. Redirects are returned, not followed. Connects only to addresses that were checked; the name is not
 * resolved again. Throws HTTP_PRIVATE.
 */
export async function fetchPage({ url, method, headers }: HttpQuestion, rules: OutsideRules): Promise<OutsideResponse> {
  const { times, authorities } = rules
  const late = new AbortController()
  const page = async () => {
    const lookup = pinnedLookup(await resolveAllowedAddresses(url, rules))
    const tls = () => ({ ...(authorities && { ca: [...authorities] }) })
    const all = { ...Object.fromEntries(headers), 'accept-encoding': 'identity' }
    return askPage(url, { method, headers: all, signal: late.signal }, { tls, lookup })
  }
  const expire = () => {
    late.abort()
    return new Error('timeout')
  }
  try {
    const found = await awaitWithTimeout(page(), times.httpMs, expire)
    return { answer: toJsonAnswer(found), ttlMs: getTimeToLive(found, rules.ttlMs) }
  } catch (error) {
    if (error instanceof PuppetError) throw error
    return { answer: describeFailure(error, late.signal.aborted ? times.httpMs : undefined), ttlMs: failureTtlMs }
  }
}

/**
 * Sends a single request, and reads its response. Throws if the headers or the body exceed the size limits; `maxBytes`
 * is that of the body.
 */
export async function askPage(
  url: URL,
  request: DispatcherRequest,
  options: Pick<DispatcherOptions, 'tls' | 'lookup'>,
  maxBytes: number = httpBody.bound,
): Promise<PageAnswer> {
  const { signal } = request
  const dispatcher = new Dispatcher({ ...options, ...(signal && { signal }), maxHeaderBytes: httpHeaders.bound })
  const { body, ...head } = await dispatcher.request(url, request)
  const bytes = await readBytes(body, maxBytes + 1)
  if (bytes.length > maxBytes) throw new Error(`the response exceeds ${maxBytes} bytes`)
  return { ...head, bytes }
}

/** Resolves a host and checks all its addresses. If one address is forbidden, the host is rejected. */
async function resolveAllowedAddresses({ hostname }: URL, rules: OutsideRules): Promise<readonly string[]> {
  const literal = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  const found = isIP(literal) === 0 ? await resolveAddresses(hostname, rules) : [literal]
  for (const address of found)
    if (!isPublicAddress(address) && !isInNetworks(rules.httpNetworks, address))
      throwIssue(outsideRefusals.HTTP_PRIVATE, { host: hostname, address })
  return found
}

/** Resolves any name to the given addresses. */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_, { all }, found) => (all ? found(null, pinned) : found(null, pinned[0]?.address ?? '', pinned[0]?.family))
}

function toJsonAnswer({ statusCode, statusText, headers, bytes }: PageAnswer) {
  const shown = shownHeaders.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [[name, [value].flat().join(', ')]]
  })
  const content = isUtf8(bytes) ? { body: bytes.toString() } : { base64: bytes.toString('base64') }
  return { status: statusCode, reason: statusText, headers: shown, ...content }
}

/** Returns the number of milliseconds for which a response may be reused, from its header `Cache-Control`. */
function getTimeToLive({ headers }: PageAnswer, standard: number): number {
  const words = String(headers['cache-control'] ?? '')
    .split(',')
    .map((word) => word.trim().toLowerCase())
  if (words.includes('no-store') || words.includes('no-cache')) return 0
  const [, seconds = ''] = words.find((word) => word.startsWith('max-age='))?.split('=') ?? []
  return /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1000 : standard
}

/** Returns the reason why a request failed, and the kind of exception that Ruby code gets. */
export function describeFailure(error: unknown, afterMs: number | undefined) {
  const code = getSystemErrorCode(error) ?? ''
  if (afterMs !== undefined) return { failure: `no response within ${afterMs / 1000} seconds`, error: 'timeout' }
  const failure = reasons[code] ?? (error instanceof Error ? error.message : String(error))
  if (/^(?:ERR_TLS|CERT_|DEPTH_|SELF_|UNABLE_|ERR_SSL)/.test(code) || code === 'EPROTO')
    return { failure, error: 'tls' }
  return { failure, error: code === 'ECONNREFUSED' ? 'refused' : code === 'ECONNRESET' ? 'reset' : 'other' }
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused',
  ECONNRESET: 'Connection reset by peer',
  EHOSTUNREACH: 'No route to host',
  ENETUNREACH: 'Network is unreachable',
  ENOTFOUND: 'getaddrinfo: Name or service not known',
  ENODATA: 'getaddrinfo: Name or service not known',
}
