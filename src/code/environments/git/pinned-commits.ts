import { formatError } from '../../../language/ruby-semantics/errno.ts'
import type { GitObjectSource } from '../../git/git-object-source.ts'
import { pinPrefix } from '../../git/ref-names.ts'
import type { GitEnvironmentsOptions } from './git-environments-options.ts'

/** Options for pinning commits: the repository, limits and callbacks. */
export interface PinsOptions {
  readonly source: GitObjectSource
  /** Milliseconds for which a commit stays pinned after it was last served. */
  readonly pinnedFor: number
  /** Largest number of pinned commits that are neither served nor referenced. */
  readonly most: number
  /** Returns the commits that are referenced elsewhere, such as in stored catalogs. */
  readonly named?: ((commits: readonly string[]) => Promise<ReadonlySet<string>>) | undefined
  /** Called for a commit that is no longer pinned. */
  readonly unpinned?: ((commit: string) => void) | undefined
  warn(message: string): void
}

const oneHour = 3600 * 1000
/** One month: agents apply a cached catalog while they cannot reach a server. */
const oneMonth = 30 * 24 * oneHour
/** Largest number of pins removed in one check: each removal starts a git process, and the next check follows soon. */
const unpinnedAtOnce = 100

/** Creates the pins of a served repository. */
export function createPinnedCommits(options: GitEnvironmentsOptions, warn: (message: string) => void): PinnedCommits {
  const { source, settings, pinnedFor = oneMonth, named, unpinned } = options
  return new PinnedCommits({ source, pinnedFor, most: settings.max_pinned_commits, named, unpinned, warn })
}

/** Commits protected from pruning, because agents may request their files. */
export class PinnedCommits {
  readonly #options: PinsOptions
  /** Time at which each pinned commit was last served. */
  readonly #last = new Map<string, number>()
  /** Commits that `named` has reported as referenced since the pins were last read from the repository. */
  readonly #named = new Set<string>()
  #looked = 0
  /** True if there may be a pin to remove. */
  #due = false

  constructor(options: PinsOptions) {
    this.#options = options
  }

  /** The pinned commits. */
  get commits(): { has(commit: string): boolean } {
    return this.#last
  }

  /** Reads the pinned commits from the repository, at most once an hour. */
  async look(): Promise<void> {
    const now = Date.now()
    if (now - this.#looked < oneHour) return
    this.#looked = now
    const { commits, broken } = await this.#options.source.listRefs(pinPrefix)
    for (const [ref, why] of broken) this.#options.warn(`The pin ${ref} protects no commit: ${why}`)
    for (const commit of commits.values()) if (!this.#last.has(commit)) this.#last.set(commit, now)
    this.#named.clear()
    this.#due = true
  }

  /** Pins a commit. A read-only repository is served without pins. */
  async pin(commit: string): Promise<void> {
    const { source, warn } = this.#options
    try {
      if (!this.#last.has(commit)) await source.pin(commit)
    } catch (error) {
      warn(`Could not protect the served commit ${commit} from pruning: ${formatError(error)}`)
    }
    this.#last.set(commit, Date.now())
  }

  /**
   * Removes the pins of commits that have not been served for a long time and that nothing
   * references. If there are still too many pins, removes the oldest ones.
   */
  async keep(served: ReadonlySet<string>): Promise<void> {
    const { pinnedFor, most } = this.#options
    if (!this.#due && this.#last.size <= most + served.size + this.#named.size) return
    this.#due = false
    const now = Date.now()
    for (const commit of served) if (this.#last.has(commit)) this.#last.set(commit, now)
    const isRemovable = (commit: string) => !served.has(commit) && !this.#named.has(commit)
    const left = [...this.#last].filter(([commit]) => isRemovable(commit)).sort(([, a], [, b]) => a - b)
    const old = left.filter(([, last], index) => now - last > pinnedFor || index < left.length - most)
    this.#due = old.length > unpinnedAtOnce
    const next = old.slice(0, unpinnedAtOnce).map(([commit]) => commit)
    const named = next.length > 0 ? await this.#options.named?.(next) : undefined
    for (const commit of next)
      if (named?.has(commit)) this.#named.add(commit)
      else await this.#unpin(commit)
  }

  /** Removes a pin. If another process holds a lock or the repository is read-only, the pin stays. */
  async #unpin(commit: string): Promise<void> {
    const { source, warn, unpinned } = this.#options
    try {
      await source.unpin(commit)
      this.#last.delete(commit)
      unpinned?.(commit)
    } catch (error) {
      this.#last.set(commit, Date.now())
      warn(`Could not unpin commit ${commit}, which is no longer served: ${formatError(error)}`)
    }
  }
}
