import type { Environment } from '../environments.ts'

/** A commit that nodes of an environment may receive besides the served one. */
export interface HeldCommit {
  readonly environment: string
  readonly commit: string
}

/** Loads a commit as an environment. */
type LoadCommit = (environment: string, commit: string) => Promise<Environment>

/**
 * Earlier and later commits of environments that are assigned to some of the nodes, such as during a rollout. They
 * stay loaded while they are held.
 */
export class AssignedCommits {
  readonly #load: LoadCommit
  readonly #opened = new Map<string, Promise<Environment>>()

  constructor(load: LoadCommit) {
    this.#load = load
  }

  /** Keeps an environment that is served no longer, if it may be needed again. */
  add(environment: Environment): void {
    const { name, codeId } = environment
    if (codeId !== undefined) this.#opened.set(formatKey(name, codeId), Promise.resolve(environment))
  }

  /** Returns the environment at a commit, and loads it once for all callers. */
  #openCommit(environment: string, commit: string): Promise<Environment> {
    const key = formatKey(environment, commit)
    const known = this.#opened.get(key)
    if (known) return known
    const opened = this.#load(environment, commit)
    this.#opened.set(key, opened)
    opened.catch(() => this.#opened.delete(key))
    return opened
  }

  /**
   * Returns the environment at the first of the commits that can be loaded. Throws if none can be: the node must not
   * receive another commit.
   */
  async openFirst(
    environment: string,
    commits: readonly string[],
    served: Environment | undefined,
  ): Promise<Environment> {
    let failure: unknown
    for (const commit of commits) {
      if (commit === served?.codeId) return served
      try {
        return await this.#openCommit(environment, commit)
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  /** Releases all commits except the held ones. */
  keepOnly(held: readonly HeldCommit[]): void {
    const wanted = new Set(held.map(({ environment, commit }) => formatKey(environment, commit)))
    for (const key of this.#opened.keys()) if (!wanted.has(key)) this.#opened.delete(key)
  }
}

function formatKey(environment: string, commit: string): string {
  return `${environment}@${commit}`
}
