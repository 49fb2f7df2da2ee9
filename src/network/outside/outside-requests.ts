import { budgets } from '../../base/budgets/budgets.ts'
import { PuppetError, throwIssue } from '../../base/issue.ts'
import { type ExactJson, getMember } from '../../base/json/exact-json.ts'
import type { Json } from '../../base/json/json-checks.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { createTextLru } from '../../base/lru-cache.ts'
import { Slots } from '../../base/threads/slots.ts'
import { openThreadBridge, type ThreadBridge } from '../../base/threads/thread-bridge.ts'
import { parseDnsQuestion, queryDns } from './dns.ts'
import { fetchPage } from './http.ts'
import { parseHttpQuestion } from './http-question.ts'
import { outsideRefusals } from './issues.ts'
import type { OutsideResponse } from './outside-response.ts'
import { parseQuestion } from './question.ts'
import { type OutsideRules, type OutsideSettings, type OutsideTimes, readOutsideRules } from './rules.ts'
import { getSecretCacheKey, isSecretQuestion } from './secrets/secret-question.ts'
import { SecretStores } from './secrets/secret-stores.ts'

/** A response that is still valid. */
interface KnownResponse {
  readonly text: string
  /** Time of the response, by the clock of `performance.now()`. */
  readonly at: number
  readonly isLeased: boolean
}

/**
 * Sends the DNS and HTTP requests of Puppet code, and reads secrets, as far as the settings allow. A response is reused until its time to
 * live ends.
 */
export class OutsideRequests {
  readonly #rules: OutsideRules
  readonly #slots = new Slots({ atOnce: budgets.outside.atOnce.bound })
  readonly #running = new Map<string, Promise<string>>()
  readonly #known = createTextLru<KnownResponse>(budgets.outside.remembered.bound)
  readonly #secrets: SecretStores

  /** Throws an error if the settings are invalid. */
  constructor(settings: OutsideSettings, times?: OutsideTimes) {
    this.#rules = readOutsideRules(settings, times)
    this.#secrets = new SecretStores(settings, this.#rules.authorities, times?.httpMs)
  }

  /** Returns a bridge that sends the requests of one thread. */
  bridge(): ThreadBridge {
    return openThreadBridge((question: string) => this.ask(question))
  }

  /** Returns the response to a request, as JSON. A denied or failed request has a response, too. */
  ask(question: string): Promise<string> {
    const secret = readSecretContent(question)
    const key = secret === undefined ? question : getSecretCacheKey(secret)
    const known = this.#known.get(key)
    if (known && !this.#isTooOld(known, secret)) return Promise.resolve(known.text)
    const running = this.#running.get(key)
    if (running) return running
    const asked = this.#answer(key, secret === undefined ? () => this.#find(question) : () => this.#readSecret(secret))
    const ended = asked.finally(() => this.#running.delete(key))
    this.#running.set(key, ended)
    return ended
  }

  /** True for a secret that was read before the lifetime that its question allows, such as another level with `cache_for`. */
  #isTooOld({ at, isLeased }: KnownResponse, secret: ExactJson | undefined): boolean {
    if (secret === undefined || isLeased) return false
    const ttl = getMember(secret, 'ttl')
    const mostMs = typeof ttl === 'number' ? ttl * 1000 : this.#rules.ttlMs
    return performance.now() - at > mostMs
  }

  #readSecret(content: ExactJson): Promise<OutsideResponse> {
    return this.#slots.run(() => this.#secrets.read(content))
  }

  async #answer(key: string, find: () => Promise<OutsideResponse>): Promise<string> {
    try {
      const { answer, ttlMs, isLeased = false } = await find()
      const text = formatExactJson(answer)
      const ttl = Math.min(ttlMs, budgets.outside.answerTtl.bound)
      if (ttl > 0) this.#known.set(key, { text, isLeased, at: performance.now() }, { ttl })
      return text
    } catch (error) {
      if (error instanceof PuppetError) return JSON.stringify({ refused: error.diagnostic.message } satisfies Json)
      return JSON.stringify({ failure: (error as Error).message } satisfies Json)
    }
  }

  async #find(question: string): Promise<OutsideResponse> {
    const { bound: most } = budgets.outside.question
    if (question.length > most) throwIssue(outsideRefusals.TOO_LONG, { most })
    const read = parseQuestion(question)
    if (read?.kind === 'dns') {
      const asked = parseDnsQuestion(read.content, this.#rules)
      return this.#slots.run(() => queryDns(asked, this.#rules))
    }
    if (read?.kind !== 'http') return throwIssue(outsideRefusals.NO_QUESTION, {})
    const asked = parseHttpQuestion(read.content, this.#rules)
    return this.#slots.run(() => fetchPage(asked, this.#rules))
  }
}

/** Returns the content of a question about a secret; `undefined` for other questions. */
function readSecretContent(question: string): ExactJson | undefined {
  if (!isSecretQuestion(question) || question.length > budgets.outside.question.bound) return undefined
  const read = parseQuestion(question)
  return read?.kind === 'secret' ? read.content : undefined
}
