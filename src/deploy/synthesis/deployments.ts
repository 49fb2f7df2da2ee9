import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'
import { createPuppetError } from '../../base/issue.ts'
import { type BranchNaming, nameAfterBranch } from '../../code/environments/environment-name.ts'
import { branches } from '../../code/environments/git/branch-choice.ts'
import type { BranchPoint, ResolveDeployedCommit } from '../../code/environments/git/branch-deployer.ts'
import { findPresentObjects } from '../../code/git/object-writer.ts'
import { isOid } from '../../code/git/ref-names.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { type DeployOrder, type DeployParts, deployCommit, hasPuppetfile } from './commit-deployment.ts'
import { getSourceCommit } from './deployed-commit.ts'
import { synthesisIssues } from './issues.ts'
import { findAnyDeployment, findDeployment, findLastDeployment, readResolution } from './stored-deployments.ts'

/** Options of one deployment. */
export type DeployOptions = Pick<DeployOrder, 'anew' | 'freshSince' | 'progress' | 'signal'>

/** The settings about Puppetfiles. */
export type PuppetfileSettings = Pick<Settings, 'puppetfile' | 'puppetfile_timeout'>

/** Node's longest timer in milliseconds. Node would run a longer timer immediately. */
const longestTimerMs = 2 ** 31 - 1

/** Finds or creates the deployed commits of branches. Does not write refs. */
export class Deployments {
  readonly parts: DeployParts
  readonly #settings: PuppetfileSettings
  /** Deployed commits by environment, branch and commit. */
  readonly #made = new LRUCache<string, string>({ max: budgets.push.notedDeployments.bound })

  readonly #progress: DeployOptions['progress']

  constructor(parts: DeployParts, settings: PuppetfileSettings, progress?: DeployOptions['progress']) {
    this.parts = parts
    this.#settings = settings
    this.#progress = progress
  }

  /** Returns true for a commit with a Puppetfile that is used and whose modules were not added yet. */
  async isToDeploy(commit: string): Promise<boolean> {
    if (this.#settings.puppetfile === 'ignore' || !(await hasPuppetfile(this.parts.source, commit))) return false
    return (await getSourceCommit(this.parts.place, commit)) === undefined
  }

  /** Returns the commit to serve for a branch's commit. Throws errors in its Puppetfile or a module. */
  readonly deployed: ResolveDeployedCommit = async (point) => {
    if (!(await this.isToDeploy(point.commit))) return point.commit
    const at = toBranchPoint(point, this.parts.naming)
    return (
      (await this.known(at)) ??
      (await findAnyDeployment(this.parts, at.commit)) ??
      this.make(at, this.#progress ? { progress: this.#progress } : {})
    )
  }

  /** Returns the deployed commit of a branch's commit; `undefined` if it was never deployed. */
  async known(point: BranchPoint): Promise<string | undefined> {
    const made = this.#made.get(formatPointKey(point))
    if (made !== undefined && (await findPresentObjects(this.parts.place, [made])).has(made)) return made
    return findDeployment(this.parts, point)
  }

  /** Creates the commit to serve for a branch's commit. Throws the errors of `deployed`, and DEPLOY_TOOK_TOO_LONG. */
  async make(point: BranchPoint, { signal, ...way }: DeployOptions): Promise<string> {
    const last = await findLastDeployment(this.parts, point.environment)
    const known = last === undefined ? undefined : await readResolution(this.parts, last)
    const seconds = this.#settings.puppetfile_timeout
    const over = new AbortController()
    const abortOnTimeout = () => over.abort(createPuppetError(synthesisIssues.DEPLOY_TOOK_TOO_LONG, { seconds }))
    const timer = setTimeout(abortOnTimeout, Math.min(seconds * 1000, longestTimerMs))
    try {
      const ends = AbortSignal.any([over.signal, ...(signal ? [signal] : [])])
      const { environment, commit, ref } = point
      const branch = this.parts.sourceBranch?.(environment) ?? getBranchName(ref)
      const order = { environment, commit, branch, known, ...way, signal: ends }
      const made = await deployCommit(this.parts, order)
      this.#made.set(formatPointKey(point), made)
      return made
    } catch (error) {
      over.signal.throwIfAborted()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Returns the branch of a ref or of a revision such as `production~2`. */
export function getBranchName(ref: string): string {
  return (ref.startsWith(branches) ? ref.slice(branches.length) : ref).replace(/[~^].*$/s, '')
}

/** Uses the environment's name as branch for a commit given by id. */
function toBranchPoint({ environment, ref, commit }: BranchPoint, naming: BranchNaming = nameAfterBranch): BranchPoint {
  const branch = getBranchName(ref)
  if (isOid(branch) || branch === 'HEAD') return { environment, ref: environment, commit }
  const names = naming(branch)
  return { environment: names.includes(environment) ? environment : (names[0] ?? environment), ref, commit }
}

function formatPointKey({ environment, ref, commit }: BranchPoint): string {
  return `${environment} ${getBranchName(ref)} ${commit}`
}
