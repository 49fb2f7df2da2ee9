import { errorText } from '../../../language/ruby-semantics/errno.ts'
import type { GitObjectSource } from '../../git/git-object-source.ts'
import { pinPrefix } from '../../git/names.ts'

/** Repository, limits and clock of pins. */
export interface PinsOptions {
  readonly source: GitObjectSource
  /** Milliseconds that a commit stays pinned after it was served last. */
  readonly pinnedFor: number
  /** Number of pinned commits that are served no more, and that nothing names. */
  readonly most: number
  /** Those of some commits that are named by what is kept elsewhere. */
  readonly named?: ((commits: readonly string[]) => Promise<ReadonlySet<string>>) | undefined
  /** Told of a commit that is kept no more. */
  readonly unpinned?: ((commit: string) => void) | undefined
  warn(message: string): void
}

const oneHour = 3600 * 1000
/** Pins that one look lets go: each is a process, and the next look comes soon. */
const unpinnedAtOnce = 100

/** The commits that are kept from being pruned, because agents may ask for their files. */
export class Pins {
  readonly #options: PinsOptions
  /** When a commit that is pinned was served last. */
  readonly #last = new Map<string, number>()
  /** Commits that were named at the last question about them, which is asked once between two looks. */
  readonly #named = new Set<string>()
  #looked = 0
  /** True when there may be a pin to let go. */
  #due = false

  constructor(options: PinsOptions) {
    this.#options = options
  }

  /** The commits that are pinned. */
  get commits(): { has(commit: string): boolean } {
    return this.#last
  }

  /** Looks which commits are pinned in the repository, once an hour. */
  async look(): Promise<void> {
    const now = Date.now()
    if (now - this.#looked < oneHour) return
    this.#looked = now
    const { commits, broken } = await this.#options.source.listRefs(pinPrefix)
    for (const [ref, why] of broken) this.#options.warn(`The pin ${ref} keeps nothing: ${why}`)
    for (const commit of commits.values()) if (!this.#last.has(commit)) this.#last.set(commit, now)
    this.#named.clear()
    this.#due = true
  }

  /** A repository that we may only read is served all the same. */
  async pin(commit: string): Promise<void> {
    const { source, warn } = this.#options
    try {
      if (!this.#last.has(commit)) await source.pin(commit)
    } catch (error) {
      warn(`Commit ${commit} may be pruned while it is served: ${errorText(error)}`)
    }
    this.#last.set(commit, Date.now())
  }

  /**
   * Lets go of commits that no environment has had for long and that nothing names, after a look; and of the oldest, when
   * there are too many.
   */
  async keep(served: ReadonlySet<string>): Promise<void> {
    const { pinnedFor, most } = this.#options
    if (!this.#due && this.#last.size <= most + served.size + this.#named.size) return
    this.#due = false
    const now = Date.now()
    for (const commit of served) if (this.#last.has(commit)) this.#last.set(commit, now)
    const isFree = (commit: string) => !served.has(commit) && !this.#named.has(commit)
    const left = [...this.#last].filter(([commit]) => isFree(commit)).sort(([, a], [, b]) => a - b)
    const old = left.filter(([, last], index) => now - last > pinnedFor || index < left.length - most)
    this.#due = old.length > unpinnedAtOnce
    const next = old.slice(0, unpinnedAtOnce).map(([commit]) => commit)
    const named = next.length > 0 ? await this.#options.named?.(next) : undefined
    for (const commit of next)
      if (named?.has(commit)) this.#named.add(commit)
      else await this.#unpin(commit)
  }

  /** Lets a pin go. Where another process holds a lock, or the repository is read-only, the pin stays, and all else goes on. */
  async #unpin(commit: string): Promise<void> {
    const { source, warn, unpinned } = this.#options
    try {
      await source.unpin(commit)
      this.#last.delete(commit)
      unpinned?.(commit)
    } catch (error) {
      this.#last.set(commit, Date.now())
      warn(`Commit ${commit} stays pinned although it is no longer served: ${errorText(error)}`)
    }
  }
}
