import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'

/** Sources of commits that the repository lacks. */
export interface MissingCommitsParts {
  /** Returns true if the repository has the commit. */
  has(commit: string): Promise<boolean>
  /** Fetches commits by id, if a source has them. */
  fetchCommits(commits: readonly string[]): Promise<void>
  /** Fetches all code sources. */
  fetchSources(): Promise<unknown>
  say(level: 'warn', message: string): void
}

/**
 * Minimum milliseconds between searches, and between fetches of all sources. They limit the work for unknown commits.
 */
const every = { look: 1000, sources: 10_000 }
/** Milliseconds for which a commit that was not found is not searched again. */
const absentMs = 10_000

/**
 * Fetches commits that agents request and the repository lacks, because another server deployed them. A search handles
 * all waiting requests together.
 */
export class MissingCommits {
  readonly #parts: MissingCommitsParts
  readonly #closing = new AbortController()
  readonly #absent = new LRUCache<string, true>({ max: budgets.environment.lackingCommits.bound, ttl: absentMs })
  #waiting = new Set<string>()
  #running: Promise<void> | undefined
  /** Times of the last search and of the last fetch of all sources, from `performance.now()`. */
  #looked = Number.NEGATIVE_INFINITY
  #fetchedSources = Number.NEGATIVE_INFINITY

  constructor(parts: MissingCommitsParts) {
    this.#parts = parts
  }

  /** Resolves when the commit is present or cannot be found. Throws errors of `has`. */
  readonly find = async (commit: string): Promise<void> => {
    const { bound } = budgets.environment.lackingCommits
    if (this.#absent.has(commit) || this.#waiting.size >= bound || this.#closing.signal.aborted) return
    // A request during a search is part of the next search.
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
      this.#parts.say('warn', `Could not search for commits of other servers: ${formatError(error)}`)
    }
    for (const commit of await this.#still(commits)) this.#absent.set(commit, true)
  }

  async #still(commits: readonly string[]): Promise<readonly string[]> {
    const here = await Promise.all(commits.map((commit) => this.#parts.has(commit)))
    return commits.filter((_, index) => !here[index])
  }
}
