import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'

/** Places from which commits come that the repository lacks. */
export interface LackingParts {
  /** True of a commit that is here. */
  has(commit: string): Promise<boolean>
  /** Fetches commits by their ids, where they can be had. */
  fetchCommits(commits: readonly string[]): Promise<void>
  /** Fetches all sources of code. */
  fetchSources(): Promise<unknown>
  say(level: 'warn', message: string): void
}

/** Milliseconds between two looks, and between two fetches of all sources: who asks for commits that nobody has makes no more work than that. */
const every = { look: 1000, sources: 10_000 }
/** Milliseconds for which a commit that nobody has is not looked for again. */
const absentMs = 10_000

/** Commits that an agent names and the repository lacks: another server gave them out. They are fetched, many at once. */
export class LackingCommits {
  readonly #parts: LackingParts
  readonly #closing = new AbortController()
  readonly #absent = new LRUCache<string, true>({ max: budgets.environment.lackingCommits.bound, ttl: absentMs })
  #waiting = new Set<string>()
  #running: Promise<void> | undefined
  /** Moments of `performance.now()`. */
  #looked = Number.NEGATIVE_INFINITY
  #fetchedSources = Number.NEGATIVE_INFINITY

  constructor(parts: LackingParts) {
    this.#parts = parts
  }

  /** Done when a commit is here, or cannot be had. Throws what `has` throws. */
  readonly find = async (commit: string): Promise<void> => {
    const { bound } = budgets.environment.lackingCommits
    if (this.#absent.has(commit) || this.#waiting.size >= bound || this.#closing.signal.aborted) return
    // Who comes while others are looked for is in the next look.
    while (!this.#absent.has(commit) && !this.#closing.signal.aborted && !(await this.#parts.has(commit))) {
      this.#waiting.add(commit)
      this.#running ??= this.#look().finally(() => {
        this.#running = undefined
      })
      await this.#running
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  async #look(): Promise<void> {
    const early = this.#looked + every.look - performance.now()
    if (early > 0) await wait(early, undefined, { signal: this.#closing.signal }).catch(() => {})
    if (this.#closing.signal.aborted) return
    this.#looked = performance.now()
    const commits = [...this.#waiting]
    this.#waiting = new Set()
    try {
      await this.#parts.fetchCommits(commits)
      if ((await this.#still(commits)).length > 0 && performance.now() - this.#fetchedSources >= every.sources) {
        this.#fetchedSources = performance.now()
        await this.#parts.fetchSources()
      }
    } catch (error) {
      this.#parts.say('warn', `Could not look for commits of other servers: ${errorText(error)}`)
    }
    for (const commit of await this.#still(commits)) this.#absent.set(commit, true)
  }

  async #still(commits: readonly string[]): Promise<readonly string[]> {
    const here = await Promise.all(commits.map((commit) => this.#parts.has(commit)))
    return commits.filter((_, index) => !here[index])
  }
}
