import { budgets } from '../../base/budgets/budgets.ts'
import { textLru } from '../../base/growing-lru.ts'
import { fail, PuppetError } from '../../base/issue.ts'
import type { Json } from '../../base/json/wire.ts'
import { Slots } from '../../base/threads/slots.ts'
import { openThreadBridge, type ThreadBridge } from '../../base/threads/thread-bridge.ts'
import type { Answered } from './answered.ts'
import { askDns, dnsQuestion } from './dns.ts'
import { readPage } from './http.ts'
import { httpQuestion } from './http-question.ts'
import { refusals } from './issues.ts'
import { parseQuestion } from './question.ts'
import { type OutsideRules, type OutsideSettings, type OutsideTimes, rulesFrom } from './rules.ts'

/**
 * Sends the DNS and HTTP requests of Puppet code, as far as the settings allow. A response is reused until its time to
 * live ends.
 */
export class OutsideWorld {
  readonly #rules: OutsideRules
  readonly #slots = new Slots({ atOnce: budgets.outside.atOnce.bound })
  readonly #running = new Map<string, Promise<string>>()
  readonly #known = textLru(budgets.outside.remembered.bound)

  /** Throws an error if the settings are invalid. */
  constructor(settings: OutsideSettings, times?: OutsideTimes) {
    this.#rules = rulesFrom(settings, times)
  }

  /** Returns a bridge that sends the requests of one thread. */
  bridge(): ThreadBridge {
    return openThreadBridge((question: string) => this.ask(question))
  }

  /** Returns the response to a request, as JSON. A denied or failed request has a response, too. */
  ask(question: string): Promise<string> {
    const known = this.#known.get(question)
    if (known) return Promise.resolve(known.text)
    const running = this.#running.get(question)
    if (running) return running
    const asked = this.#answer(question).finally(() => this.#running.delete(question))
    this.#running.set(question, asked)
    return asked
  }

  async #answer(question: string): Promise<string> {
    try {
      const { answer, ttlMs } = await this.#find(question)
      const text = JSON.stringify(answer)
      const ttl = Math.min(ttlMs, budgets.outside.answerTtl.bound)
      if (ttl > 0) this.#known.set(question, { text }, { ttl })
      return text
    } catch (error) {
      if (error instanceof PuppetError) return JSON.stringify({ refused: error.diagnostic.message } satisfies Json)
      return JSON.stringify({ failure: (error as Error).message } satisfies Json)
    }
  }

  async #find(question: string): Promise<Answered> {
    const { bound: most } = budgets.outside.question
    if (question.length > most) fail(refusals.TOO_LONG, { most })
    const read = parseQuestion(question)
    if (read?.kind === 'dns') {
      const asked = dnsQuestion(read.content, this.#rules)
      return this.#slots.run(() => askDns(asked, this.#rules))
    }
    if (read?.kind !== 'http') return fail(refusals.NO_QUESTION, {})
    const asked = httpQuestion(read.content, this.#rules)
    return this.#slots.run(() => readPage(asked, this.#rules))
  }
}
