import { formatError } from '../../../language/ruby-semantics/errno.ts'
import type { GitObjectSource } from '../../git/git-object-source.ts'
import { lastServedPrefix } from '../../git/ref-names.ts'

/**
 * The last served commit of each environment, stored in the repository. If a branch is broken when
 * a server starts, the server continues to serve the stored commit. If the repository is read-only,
 * nothing is stored.
 */
export class LastServedCommits {
  readonly #source: GitObjectSource
  readonly #warn: (message: string) => void
  #commits: Map<string, string> | undefined

  constructor(source: GitObjectSource, warn: (message: string) => void) {
    this.#source = source
    this.#warn = warn
  }

  /** Reads the stored commits, unless they were read before. */
  async look(): Promise<void> {
    if (this.#commits) return
    const { commits } = await this.#source.listRefs(lastServedPrefix)
    this.#commits = new Map([...commits].map(([ref, commit]) => [ref.slice(lastServedPrefix.length), commit]))
  }

  /** True if the repository was never served. */
  get isEmpty(): boolean {
    return (this.#commits?.size ?? 0) === 0
  }

  of(environment: string): string | undefined {
    return this.#commits?.get(environment)
  }

  /**
   * Records the current commit of an environment. Returns the time at which this commit was first
   * recorded, in milliseconds since 1970.
   */
  async note(environment: string, commit: string): Promise<number> {
    if (this.of(environment) === commit) return this.since(environment)
    this.#commits?.set(environment, commit)
    const why = await this.#source.noteServed(environment, commit).catch(formatError)
    if (why !== undefined)
      this.#warn(`Commit ${commit} of environment ${environment} will not be served after a restart: ${why}`)
    return Date.now()
  }

  /**
   * Returns the time at which any server of the repository first served the recorded commit, in
   * milliseconds since 1970; the current time if unknown.
   */
  async since(environment: string): Promise<number> {
    return (await this.#source.servedSince?.(environment)) ?? Date.now()
  }

  /** Deletes the records of environments that no longer exist. */
  async keepOnly(environments: { has(name: string): boolean }): Promise<void> {
    for (const name of this.#commits?.keys() ?? []) {
      if (environments.has(name)) continue
      this.#commits?.delete(name)
      const why = await this.#source.noteServed(name, undefined).catch(formatError)
      if (why !== undefined) this.#warn(`Could not remove the record of the last commit of environment ${name}: ${why}`)
    }
  }
}
