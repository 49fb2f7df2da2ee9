import { budgets } from '../../base/budgets/budgets.ts'
import { PuppetError } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'

/** Runs reviews of merge requests. */
export interface ReviewRunner {
  /** Reviews the newest commit of a merge request. */
  run(source: string, number: number): Promise<void>
  log(level: 'info' | 'warn', message: string): void
}

/**
 * Reviews of merge requests in the background, one at a time. A merge request is queued once, for any number of its
 * webhooks, since its review begins with the newest commit.
 */
export class ReviewQueue {
  readonly #runner: ReviewRunner
  /** Waiting merge requests, by source and number. */
  readonly #waiting = new Map<string, { readonly source: string; readonly number: number }>()
  #running: Promise<void> | undefined
  #closed = false

  constructor(runner: ReviewRunner) {
    this.#runner = runner
  }

  /** Adds a merge request, unless it is waiting already. */
  add(source: string, number: number): void {
    if (this.#closed) return
    if (this.#waiting.size >= budgets.review.waiting.bound) {
      this.#runner.log('warn', `Merge request ${number} of ${source} is not reviewed: too many are waiting`)
      return
    }
    this.#waiting.set(`${source} ${number}`, { source, number })
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined
    })
  }

  /** Drops the waiting merge requests, and waits for the running review. */
  async close(): Promise<void> {
    this.#closed = true
    this.#waiting.clear()
    await this.#running
  }

  async #work(): Promise<void> {
    for (const [key, { source, number }] of this.#waiting) {
      this.#waiting.delete(key)
      await this.#runner.run(source, number).catch((error: unknown) => this.#report(source, number, error))
    }
  }

  #report(source: string, number: number, error: unknown): void {
    if (this.#closed) return
    const hint = error instanceof PuppetError ? error.diagnostic.hint : undefined
    const why = `${formatError(error)}${hint === undefined ? '' : ` (hint: ${hint})`}`
    this.#runner.log('warn', toPrintable(`Merge request ${number} of ${source} was not reviewed: ${why}`))
  }
}
