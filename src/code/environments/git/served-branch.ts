import type { Environment, EnvironmentStatus } from '../environments.ts'
import { type Chosen, warningsAbout } from './choose-branches.ts'
import type { Retry } from './retry.ts'

/** The state of one environment. */
export interface ServedBranch {
  readonly ref: string
  readonly environment: Environment | undefined
  /** The branch's commit, of which the served one is made. */
  readonly source: string | undefined
  readonly since: number | undefined
  readonly refused: EnvironmentStatus['refused']
  readonly warnings: readonly string[]
  /** When what was refused is tried again; `undefined` if only another commit can help. */
  readonly retry: Retry | undefined
}

/** A look at a branch. */
export interface BranchLook {
  readonly chosen: Chosen
  /** The commit that is to be served for the branch's, where that is known already. */
  readonly deployed: string | undefined
  /** True where commits that were refused for a passing reason are tried again at once. */
  readonly retryNow: boolean
}

/** True where a branch has something else than was served, or refused, at the last look. */
export function isNews(before: ServedBranch | undefined, { chosen, deployed, retryNow }: BranchLook): boolean {
  if (!before || before.ref !== chosen.ref) return true
  if (before.warnings.join() !== warningsAbout(chosen).join()) return true
  const { refused, retry, environment, source } = before
  if (!refused) return source !== chosen.commit || (deployed !== undefined && deployed !== environment?.codeId)
  if (deployed !== undefined && deployed !== (refused.deployed ?? refused.commit)) return true
  return refused.commit !== chosen.commit || (retry !== undefined && (retryNow || Date.now() >= retry.at))
}

/** An environment's state for people, with the trouble of its modules. */
export function statusOf(
  name: string,
  { ref, environment, source, since, refused, warnings }: ServedBranch,
  trouble: string | undefined,
): EnvironmentStatus {
  const commit = environment?.codeId
  const troubles = trouble === undefined ? [] : [`The modules stay as they are: ${trouble}`]
  return {
    ...{ name, ref, commit },
    ...(source !== undefined && source !== commit && { source }),
    ...{ since, refused, warnings: [...warnings, ...(environment?.warnings ?? []), ...troubles] },
  }
}
