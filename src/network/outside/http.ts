import { isUtf8 } from 'node:buffer'
import { type IncomingMessage, request as plainRequest, type RequestOptions } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { budgets } from '../../base/budgets/budgets.ts'
import { PuppetError, throwIssue } from '../../base/issue.ts'
import { getSystemErrorCode } from '../../base/system-error.ts'
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

/**
 * Requests a page. Redirects are returned, not followed. Connects only to addresses that were checked; the name is not
 * resolved again. Throws HTTP_PRIVATE.
 */
export async function fetchPage(question: HttpQuestion, rules: OutsideRules): Promise<OutsideResponse> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), rules.times.httpMs)
  try {
    const gone = new Promise<never>((_, reject) =>
      late.signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
    )
    gone.catch(() => {})
    const addresses = await Promise.race([resolveAllowedAddresses(question.url, rules), gone])
    const message = await sendRequest(question, addresses, rules, late.signal)
    const body = await readResponseBody(message)
    return { answer: toJsonAnswer(message, body), ttlMs: getTimeToLive(message, rules.ttlMs) }
  } catch (error) {
    if (error instanceof PuppetError) throw error
    return { answer: describeFailure(error, late.signal.aborted ? rules.times.httpMs : undefined), ttlMs: failureTtlMs }
  } finally {
    clearTimeout(timer)
  }
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

function sendRequest(
  { url, method, headers }: HttpQuestion,
  addresses: readonly string[],
  { authorities }: OutsideRules,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }))
  const lookup: LookupFunction = (_, { all }, found) =>
    all ? found(null, pinned) : found(null, pinned[0]?.address ?? '', pinned[0]?.family)
  const options: RequestOptions = {
    ...{ method, lookup, signal, agent: false, maxHeaderSize: httpHeaders.bound },
    headers: { ...Object.fromEntries(headers), 'accept-encoding': 'identity', connection: 'close' },
  }
  return new Promise((resolve, reject) => {
    const request =
      url.protocol === 'https:'
        ? secureRequest(url, { ...options, ...(authorities && { ca: [...authorities] }) })
        : plainRequest(url, options)
    request.on('error', reject)
    request.on('response', resolve)
    request.end()
  })
}

/** Reads the body of a response. Throws if it exceeds the size limit. */
export async function readResponseBody(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of message as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > httpBody.bound) {
      message.destroy()
      throw new Error(`the response exceeds ${httpBody.bound} bytes`)
    }
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function toJsonAnswer({ statusCode = 0, statusMessage = '', headers }: IncomingMessage, body: Buffer) {
  const shown = shownHeaders.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [[name, String(value)]]
  })
  const content = isUtf8(body) ? { body: body.toString() } : { base64: body.toString('base64') }
  return { status: statusCode, reason: statusMessage, headers: shown, ...content }
}

/** Returns the number of milliseconds for which a response may be reused, from its header `Cache-Control`. */
function getTimeToLive({ headers }: IncomingMessage, standard: number): number {
  const words = (headers['cache-control'] ?? '').split(',').map((word) => word.trim().toLowerCase())
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
