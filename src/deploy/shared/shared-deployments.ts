import { Slots } from '../../base/threads/slots.ts'
import { isEnvironmentName } from '../../code/environments/environment-name.ts'
import type { GitPlace } from '../../code/git/git-command.ts'
import { deployedPrefix, formatDeployedRef, formatPinRef, isOid, pinPrefix } from '../../code/git/ref-names.ts'
import { listRemoteRefs, pushRefs } from '../../code/git/remotes/remote-refs.ts'
import { listRefsBelow, moveRefs } from '../../code/git/remotes/source-store.ts'
import { fetchInTemporaryFolder } from '../../code/git/remotes/temporary-fetch.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { FollowedRemote } from '../sources/code-source.ts'

/** Runs work for an environment. Only one server at a time runs work for the same environment. */
export type DeployLock = <Result>(
  environment: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
) => Promise<Result>

/** Dependencies of a shared repository. */
export interface SharedDeploymentsParts {
  /** The repository that this server serves. */
  readonly store: GitPlace
  /** Folder for incoming objects, on the disk of this repository. */
  readonly incoming: string
  /** Returns the shared repository in the current sources file. */
  remote(): FollowedRemote
  readonly lock: DeployLock
  say(level: 'info' | 'warn' | 'error', message: string): void
}

/** A deployment that another server may have made. */
export interface SharedDeploymentTask {
  readonly environment: string
  readonly signal: AbortSignal
  /** Returns the commit that another server deployed. Called after the shared repository was fetched. */
  known(): Promise<string | undefined>
  /** Makes the deployment. */
  make(): Promise<string>
}

/** Commits of Plumbline's refs in the shared repository, by full ref name. */
type Listed = ReadonlyMap<string, string>

/**
 * A repository through which servers with the same sources share deployments:
 * `refs/plumb/deployed/ENVIRONMENT` is an environment's deployed commit, `refs/plumb/served/COMMIT`
 * a commit that agents may still request. One server makes a commit and the others fetch it, so
 * that all use the same code_id.
 */
export class SharedDeployments {
  readonly #parts: SharedDeploymentsParts
  readonly #closing = new AbortController()
  /** Runs the operations that use the folder for incoming objects one after another. */
  readonly #turn = new Slots({ atOnce: 1 })

  constructor(parts: SharedDeploymentsParts) {
    this.#parts = parts
  }

  /** Milliseconds between checks for other servers' deployments. */
  get intervalMs(): number {
    return this.#parts.remote().intervalMs
  }

  /**
   * Returns the deployed commit of an environment. Uses another server's commit, or makes a commit and shares it. A
   * lock prevents concurrent deployments. Throws errors of `make`, and REMOTE_… if the shared repository is
   * unavailable.
   */
  deploy({ environment, signal, known, make }: SharedDeploymentTask): Promise<string> {
    const ends = AbortSignal.any([signal, this.#closing.signal])
    return this.#parts.lock(environment, ends, async () => {
      const before = (await this.fetch((name) => name === environment)).listed.get(formatDeployedRef(environment))
      const theirs = await known()
      const made = theirs ?? (await make())
      if (made === before) return made
      ends.throwIfAborted()
      try {
        await this.#push(environment, before, made)
        return made
      } catch (error) {
        // Without the database there was no lock, so another server may have deployed the environment first.
        await this.fetch((name) => name === environment)
        const first = await known()
        if (first !== undefined && first !== made) return first
        throw error
      }
    })
  }

  /** Fetches other servers' deployments of these environments. Throws REMOTE_…. */
  fetch(isWanted: (environment: string) => boolean): Promise<{ readonly listed: Listed; readonly moved: number }> {
    return this.#turn.run(async () => {
      const listed = await this.#list()
      const here = await listRefsBelow(this.#parts.store, deployedPrefix)
      const news = [...listed].filter(([ref, commit]) => {
        if (!ref.startsWith(deployedPrefix)) return false
        const environment = ref.slice(deployedPrefix.length)
        return isEnvironmentName(environment) && isWanted(environment) && here.get(environment) !== commit
      })
      await this.#take(news.map(([ref]) => ref))
      return { listed, moved: news.length }
    })
  }

  /** Fetches commits that other servers gave to agents; skips commits that are not found. Throws REMOTE_…. */
  fetchCommits(commits: readonly string[]): Promise<void> {
    return this.#turn.run(async () => {
      const listed = await this.#list()
      await this.#take(commits.map(formatPinRef).filter((ref) => listed.has(ref)))
    })
  }

  /** Removes the ref of a commit that agents no longer request. */
  async release(commit: string): Promise<void> {
    await this.#remove(formatPinRef(commit), commit)
  }

  /** Removes the deployment of a deleted environment, unless another server has deployed it again. */
  async forget(environment: string, deployed: string): Promise<void> {
    await this.#remove(formatDeployedRef(environment), deployed)
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the server is stopping'))
    await this.#turn.run(async () => {})
  }

  get #order() {
    const { store, incoming, remote } = this.#parts
    return { ...remote(), store, incoming, signal: this.#closing.signal }
  }

  async #list(): Promise<Listed> {
    const listed = await listRemoteRefs(this.#order, { patterns: [`${deployedPrefix}*`, `${pinPrefix}*`] })
    // Skips refs whose name does not match their commit.
    return new Map([...listed].filter(([ref, oid]) => !ref.startsWith(pinPrefix) || ref === `${pinPrefix}${oid}`))
  }

  async #take(refs: readonly string[]): Promise<void> {
    if (refs.length === 0) return
    const { store } = this.#parts
    const have = new Set((await listRefsBelow(store, 'refs/')).values())
    const fetched = await fetchInTemporaryFolder(this.#order, have, async ({ place, fetch }) => {
      await fetch(refs.map((ref) => `+${ref}:${ref}`))
      return listRefsBelow(place, 'refs/plumb/')
    })
    const moves = [...fetched].map(([ref, to]) => ({ ref: `refs/plumb/${ref}`, to }))
    await moveRefs(
      store,
      moves.filter(({ ref, to }) => refs.includes(ref) && isOid(to)),
    )
  }

  async #push(environment: string, from: string | undefined, to: string): Promise<void> {
    await pushRefs(this.#order, [
      { ref: formatDeployedRef(environment), from, to },
      { ref: formatPinRef(to), from: 'any', to },
    ])
  }

  /** Removes a ref if it has the expected value. A failure is harmless. */
  async #remove(ref: string, from: string): Promise<void> {
    try {
      await this.#turn.run(async () => {
        if ((await this.#list()).get(ref) === from) await pushRefs(this.#order, [{ ref, from, to: undefined }])
      })
    } catch (error) {
      if (!this.#closing.signal.aborted)
        this.#parts.say('warn', `Could not delete ${ref} from the shared repository: ${formatError(error)}`)
    }
  }
}
