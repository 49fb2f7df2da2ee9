import { isEnvironmentName } from '../../code/environments/environment-name.ts'
import type { GitPlace } from '../../code/git/git-command.ts'
import { deployedPrefix, deployedRef, isOid, pinPrefix, pinRef } from '../../code/git/names.ts'
import { fetchAside } from '../../code/git/remotes/fetch-aside.ts'
import { listRemoteRefs, pushRefs } from '../../code/git/remotes/remote-refs.ts'
import { moveRefs, refsBelow } from '../../code/git/remotes/source-store.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import type { FollowedRemote } from '../sources/code-source.ts'

/** Work that one server at a time does for an environment. */
export type DeployLock = <Result>(
  environment: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
) => Promise<Result>

/** Parts of what servers of the same sources share. */
export interface SharedParts {
  /** The repository that this server serves. */
  readonly store: GitPlace
  /** A folder on its disk for what is fetched. */
  readonly incoming: string
  /** The shared repository, as the file of sources has it now. */
  remote(): FollowedRemote
  readonly lock: DeployLock
  say(level: 'info' | 'warn' | 'error', message: string): void
}

/** A deployment that another server may have made already. */
export interface SharedWork {
  readonly environment: string
  readonly signal: AbortSignal
  /** The commit that another server made, once all that there is has been fetched. */
  known(): Promise<string | undefined>
  /** Makes it. */
  make(): Promise<string>
}

/** The refs of the shared repository that are ours, by their whole names. */
type Listed = ReadonlyMap<string, string>

/**
 * A repository in which servers of the same sources share what they deployed: `refs/plumb/deployed/ENVIRONMENT` has what an
 * environment is deployed as, `refs/plumb/served/COMMIT` what agents may still ask for. One server makes a commit, the
 * others fetch it, and so all name the same code_id.
 */
export class SharedDeployments {
  readonly #parts: SharedParts
  readonly #closing = new AbortController()
  /** Fetches into the one folder are done one after the other. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: SharedParts) {
    this.#parts = parts
  }

  /** Milliseconds between two looks at what others deployed. */
  get intervalMs(): number {
    return this.#parts.remote().intervalMs
  }

  /**
   * The commit that an environment is deployed as: the one that another server made, or one that is made now and shared,
   * while no other server makes one. Throws what `make` does, and REMOTE_… where the shared repository is away.
   */
  deploy({ environment, signal, known, make }: SharedWork): Promise<string> {
    const ends = AbortSignal.any([signal, this.#closing.signal])
    return this.#parts.lock(environment, ends, async () => {
      const before = (await this.fetch((name) => name === environment)).listed.get(deployedRef(environment))
      const theirs = await known()
      const made = theirs ?? (await make())
      if (made === before) return made
      ends.throwIfAborted()
      try {
        await this.#push(environment, before, made)
        return made
      } catch (error) {
        // Without the lock, while the database was away, another server may have been first.
        await this.fetch((name) => name === environment)
        const first = await known()
        if (first !== undefined && first !== made) return first
        throw error
      }
    })
  }

  /** Fetches what others deployed of these environments. Throws REMOTE_…. */
  fetch(isWanted: (environment: string) => boolean): Promise<{ readonly listed: Listed; readonly moved: number }> {
    return this.#inTurn(async () => {
      const listed = await this.#list()
      const here = await refsBelow(this.#parts.store, deployedPrefix)
      const news = [...listed].filter(([ref, commit]) => {
        if (!ref.startsWith(deployedPrefix)) return false
        const environment = ref.slice(deployedPrefix.length)
        return isEnvironmentName(environment) && isWanted(environment) && here.get(environment) !== commit
      })
      await this.#take(news.map(([ref]) => ref))
      return { listed, moved: news.length }
    })
  }

  /** Fetches commits that agents were given by other servers; those that cannot be had are left out. Throws REMOTE_…. */
  fetchCommits(commits: readonly string[]): Promise<void> {
    return this.#inTurn(async () => {
      const listed = await this.#list()
      await this.#take(commits.map(pinRef).filter((ref) => listed.has(ref)))
    })
  }

  /** Lets go of a commit that nobody asks for any more. */
  async release(commit: string): Promise<void> {
    await this.#remove(pinRef(commit), commit)
  }

  /** Lets go of what an environment was deployed as that is no more, unless another server has deployed it anew. */
  async forget(environment: string, deployed: string): Promise<void> {
    await this.#remove(deployedRef(environment), deployed)
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the server ends'))
    await this.#last.catch(() => {})
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#last.then(work, work)
    this.#last = mine.catch(() => {})
    return mine
  }

  get #order() {
    const { store, incoming, remote } = this.#parts
    return { ...remote(), store, incoming, signal: this.#closing.signal }
  }

  async #list(): Promise<Listed> {
    const listed = await listRemoteRefs(this.#order, { patterns: [`${deployedPrefix}*`, `${pinPrefix}*`] })
    // The ref of a commit has that commit.
    return new Map([...listed].filter(([ref, oid]) => !ref.startsWith(pinPrefix) || ref === `${pinPrefix}${oid}`))
  }

  async #take(refs: readonly string[]): Promise<void> {
    if (refs.length === 0) return
    const { store } = this.#parts
    const have = new Set((await refsBelow(store, 'refs/')).values())
    const fetched = await fetchAside(this.#order, have, async ({ place, fetch }) => {
      await fetch(refs.map((ref) => `+${ref}:${ref}`))
      return refsBelow(place, 'refs/plumb/')
    })
    const moves = [...fetched].map(([ref, to]) => ({ ref: `refs/plumb/${ref}`, to }))
    await moveRefs(
      store,
      moves.filter(({ ref, to }) => refs.includes(ref) && isOid(to)),
    )
  }

  async #push(environment: string, from: string | undefined, to: string): Promise<void> {
    await pushRefs(this.#order, [
      { ref: deployedRef(environment), from, to },
      { ref: pinRef(to), from: 'any', to },
    ])
  }

  /** Removes a ref, where it is there and still what it was. What cannot be removed does no harm. */
  async #remove(ref: string, from: string): Promise<void> {
    try {
      await this.#inTurn(async () => {
        if ((await this.#list()).get(ref) === from) await pushRefs(this.#order, [{ ref, from, to: undefined }])
      })
    } catch (error) {
      if (!this.#closing.signal.aborted)
        this.#parts.say('warn', `The shared repository keeps ${ref}: ${errorText(error)}`)
    }
  }
}
