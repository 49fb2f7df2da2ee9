import { readFile } from 'node:fs/promises'
import { rootCertificates } from 'node:tls'
import { budgets } from '../../../../base/budgets/budgets.ts'
import { type DnsQuestion, queryDns } from '../../../../network/outside/dns.ts'
import { askPage, describeFailure } from '../../../../network/outside/http.ts'

/** An HTTP request from Ruby. */
interface RubyHttpRequest {
  readonly url: string
  readonly method: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Request body in base64; null without a body. */
  readonly body: string | null
  readonly verify: boolean
  readonly ca_file: string | null
  /** PEM certificates of the request's store. */
  readonly authorities: readonly string[]
  /** Time limit in seconds. */
  readonly seconds: number
}

type NetworkRequest =
  | { readonly kind: 'dns'; readonly question: DnsQuestion }
  | { readonly kind: 'http'; readonly question: RubyHttpRequest }

const { dnsTime, httpTime } = budgets.outside
const { bound: mostMs } = budgets.plugIn.time

/**
 * Performs a network request for a Ruby plug-in; returns JSON. The administrator's plug-ins may
 * access any host, so only time and size are limited. Failures are returned, not thrown.
 */
export async function runNetworkRequest(text: string): Promise<string> {
  const asked = JSON.parse(text) as NetworkRequest
  if (asked.kind === 'http') return JSON.stringify(await runHttpRequest(asked.question))
  const { name, type, servers = [] } = asked.question
  const rules = { dnsServers: [], ttlMs: 0, times: { dnsMs: dnsTime.bound, httpMs: httpTime.bound } }
  return JSON.stringify((await queryDns({ name: name.replace(/\.$/, ''), type, servers }, rules)).answer)
}

async function runHttpRequest({
  url,
  method,
  headers,
  body,
  verify,
  ca_file: file,
  authorities,
  seconds,
}: RubyHttpRequest): Promise<object> {
  const afterMs = Math.min(mostMs, Math.max(1, seconds * 1000))
  const signal = AbortSignal.timeout(afterMs)
  try {
    const own = [...authorities, ...(file === null ? [] : [await readFile(file, 'utf8')])]
    const content = body === null ? undefined : Buffer.from(body, 'base64')
    const request = { method, headers: toHeaderFields(headers), body: content, signal }
    const found = await askPage(new URL(url), request, {
      tls: () => ({ rejectUnauthorized: verify, ...(own.length > 0 && { ca: [...rootCertificates, ...own] }) }),
    })
    return {
      ...{ status: found.statusCode, reason: found.statusText, headers: listHeaders(found.rawHeaders) },
      base64: found.bytes.toString('base64'),
    }
  } catch (error) {
    return describeFailure(error, signal.aborted ? afterMs : undefined)
  }
}

/** Headers of a connection, which this module sets itself. */
const ours: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length'])

function toHeaderFields(headers: RubyHttpRequest['headers']): Record<string, string> {
  const kept = headers.filter(([name]) => !ours.has(name.toLowerCase()))
  const listValues = (name: string) => kept.filter(([each]) => each === name).map(([, value]) => value)
  return Object.fromEntries(kept.map(([name]) => [name, listValues(name).join(', ')]))
}

/** Response headers, without those of the transfer. */
function listHeaders(lines: readonly string[]): string[][] {
  const pairs = lines.flatMap((name, at) => (at % 2 === 0 ? [[name, lines[at + 1] ?? '']] : []))
  return pairs.filter(([name = '']) => !ours.has(name.toLowerCase()))
}
