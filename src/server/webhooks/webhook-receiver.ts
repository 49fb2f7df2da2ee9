import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'
import { checkJsonObject } from '../../base/json/json-checks.ts'
import { createGrowingLru } from '../../base/lru-cache.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { readSecretFile } from '../../code/git/remotes/secret-file.ts'
import type { CodeSource } from '../../deploy/sources/code-source.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import { createRetryRefusal } from '../bodies/body-memory.ts'
import { getBody, getBodyText } from '../bodies/request-body.ts'
import { toNetwork } from '../http/client-account.ts'
import { Refusal } from '../http/refusal.ts'
import type { HookResult } from '../telemetry/source-tallies.ts'
import { getHeaderText } from './signature.ts'
import { matchSources } from './source-matching.ts'
import type { ReceivedHook, Vendor } from './vendor.ts'

/** Response to a webhook. */
export interface HookAnswer {
  readonly status: 200 | 202
  readonly result: HookResult
  readonly body: Readonly<Record<string, unknown>>
}

/** Dependencies of the receiver. */
export interface ReceiverParts {
  /** True if the connection's address is the client's own; false behind a proxy, whose address all clients share. */
  readonly countsAddresses: boolean
  /** The current sources. */
  sources(): readonly CodeSource[]
  /** Starts a fetch of sources without waiting. */
  fetch(names: readonly string[]): void
  /** Starts a review of a merge request of a source without waiting. */
  review(source: string, number: number): void
  log(level: 'info' | 'warn', message: string): void
}

/**
 * Time in milliseconds in which a webhook that is received again has no effect. Git hosts resend a webhook after a
 * timeout.
 */
const repeatMs = 60_000
const minuteMs = 60_000
/** Maximum numbers of cached addresses with rejected webhooks and of cached webhooks. */
const remembered = { addresses: 10_000, hooks: 1000 }

/**
 * Processes webhooks. A body is trusted only if its sender knows the secret of a source. Its only
 * effects are a fetch of that source from its configured remote, and the review of one of its merge requests.
 */
export class HookReceiver {
  readonly #parts: ReceiverParts
  readonly #wrong = createGrowingLru<number>(remembered.addresses, { ttl: minuteMs })
  readonly #recent = new LRUCache<string, true>({ max: remembered.hooks, ttl: repeatMs })

  constructor(parts: ReceiverParts) {
    this.#parts = parts
  }

  /** Throws 429 for an address with too many rejected webhooks; runs before the body is read. */
  admit({ ip }: FastifyRequest): void {
    const { bound } = budgets.request.wrongHooks
    if (this.#parts.countsAddresses && (this.#wrong.get(toNetwork(ip)) ?? 0) >= bound)
      throw createRetryRefusal(
        429,
        `Too many webhooks with an invalid signature, at most ${bound} per minute`,
        minuteMs / 1000,
      )
  }

  /**
   * Verifies and processes a webhook. Throws 400, 401 and 404; the messages reveal nothing about
   * the secret.
   */
  async receive(vendor: Vendor, request: FastifyRequest): Promise<HookAnswer> {
    const hook = { headers: request.headers, body: getBodyText(getBody(request)) }
    const event = vendor.event(hook.headers)
    if (vendor.isUnsignedPing?.(hook.headers)) return { status: 200, result: 'answered', body: { answer: 'pong' } }
    const allowed = await this.#signedFor(vendor, hook, request.ip)
    if (event === 'ping') return { status: 200, result: 'answered', body: { answer: 'pong' } }
    if (event === 'other') return { status: 200, result: 'ignored', body: { ignored: 'it changed no refs' } }
    const payload = parsePayload(hook)
    const names = matchSources(vendor.places(payload), allowed).map(({ name }) => name)
    if (names.length === 0) throw createHookRefusal(404, 'no source has this repository')
    const delivery = toPrintable((getHeaderText(hook.headers[vendor.delivery]) ?? '').slice(0, 100))
    const key = createHash('sha256').update(names.join()).update(hook.body).digest('base64')
    if (this.#recent.has(key)) return { status: 202, result: 'repeated', body: { repeated: names } }
    this.#recent.set(key, true)
    this.#parts.log('info', `A webhook from ${request.ip} (${delivery}) triggered a fetch of ${names.join(', ')}`)
    this.#parts.fetch(names)
    const number = vendor.mergeRequest(hook.headers, payload)
    if (number !== undefined) for (const name of names) this.#parts.review(name, number)
    return { status: 202, result: 'fetched', body: { fetching: names } }
  }

  /** Returns the sources whose secret the sender knows. Throws 401 if there are none. */
  async #signedFor(vendor: Vendor, hook: ReceivedHook, address: string): Promise<readonly CodeSource[]> {
    const sources = this.#parts.sources()
    const files = new Set(sources.flatMap(({ webhookSecretFile }) => webhookSecretFile ?? []))
    const allowed: CodeSource[] = []
    for (const file of files) {
      const secret = await this.#secretIn(file)
      if (secret !== undefined && (await vendor.isSigned(hook, secret)))
        allowed.push(...sources.filter(({ webhookSecretFile }) => webhookSecretFile === file))
    }
    if (allowed.length > 0) return allowed
    const network = toNetwork(address)
    // The period of the limit starts with the first failure, so that repeated attempts do not extend it.
    this.#wrong.set(network, (this.#wrong.get(network) ?? 0) + 1, { noUpdateTTL: true })
    this.#parts.log('warn', `A webhook from ${address} has no valid signature`)
    throw createHookRefusal(401, 'the signature is missing, or was made with another secret')
  }

  async #secretIn(file: string): Promise<string | undefined> {
    return readSecretFile(file).catch((error) => {
      this.#parts.log('warn', formatErrorReason(error))
      return undefined
    })
  }
}

/** JSON in a body; GitHub may send it as a form field. Throws 400. */
function parsePayload({ headers, body }: ReceivedHook): Readonly<Record<string, unknown>> {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')
  try {
    return checkJsonObject(JSON.parse(isForm ? (new URLSearchParams(body).get('payload') ?? '') : body), 'the body')
  } catch {
    throw createHookRefusal(400, 'the body is not a JSON object')
  }
}

function createHookRefusal(status: number, msg: string): Refusal {
  return new Refusal(status, 'application/json', JSON.stringify({ kind: 'webhook', msg }))
}
