import { toPrintable } from '../../../base/text/printable.ts'
import { suggestEnvironments } from '../environment-suggestions.ts'
import type { Environment, EnvironmentStatus } from '../environments.ts'
import { branches, type ChosenBranch, listHiddenBranchWarnings } from './branch-choice.ts'
import type { NextAttempt } from './retry-schedule.ts'

/** The state of one environment. */
export interface ServedBranch {
  readonly ref: string
  readonly environment: Environment | undefined
  /** The branch's commit from which the served commit was created. */
  readonly source: string | undefined
  readonly since: number | undefined
  readonly refused: EnvironmentStatus['refused']
  readonly warnings: readonly string[]
  /** The next attempt to load a rejected commit; `undefined` if only a new commit can help. */
  readonly retry: NextAttempt | undefined
}

/** Details of the rejection of a branch's commit. */
export interface RefusalDetails {
  /** The commit created by adding the modules to the branch's commit; `undefined` if none was created. */
  readonly deployed?: string | undefined
  /** True if another log line already covers the rejection. */
  readonly silently?: boolean
}

/** The result of checking a branch. */
export interface BranchCheck {
  readonly chosen: ChosenBranch
  /** The commit to serve for the branch's commit, if already known. */
  readonly deployed: string | undefined
  /** True to retry commits now that were rejected for a temporary reason. */
  readonly retryNow: boolean
}

/** Returns true if a branch differs from its served or rejected state at the last check. */
export function hasBranchChanged(
  before: ServedBranch | undefined,
  { chosen, deployed, retryNow }: BranchCheck,
): boolean {
  if (!before || before.ref !== chosen.ref) return true
  if (before.warnings.join() !== listHiddenBranchWarnings(chosen).join()) return true
  const { refused, retry, environment, source } = before
  if (!refused) return source !== chosen.commit || (deployed !== undefined && deployed !== environment?.codeId)
  if (deployed !== undefined && deployed !== (refused.deployed ?? refused.commit)) return true
  return refused.commit !== chosen.commit || (retry !== undefined && (retryNow || Date.now() >= retry.at))
}

/** Returns an environment's state for users, including errors about its modules. */
export function getEnvironmentStatus(
  name: string,
  { ref, environment, source, since, refused, warnings }: ServedBranch,
  trouble: string | undefined,
): EnvironmentStatus {
  const commit = environment?.codeId
  const troubles = trouble === undefined ? [] : [`The modules are unchanged: ${trouble}`]
  return {
    ...{ name, ref, commit },
    ...(source !== undefined && source !== commit && { source }),
    ...{ since, refused, warnings: [...warnings, ...(environment?.warnings ?? []), ...troubles] },
  }
}

/** Returns a hint for a request for an environment without code: the branch's state, or the served environments. */
export function explainMissingEnvironment(
  name: string,
  served: ReadonlyMap<string, ServedBranch>,
  repository: string,
): string {
  const refused = served.get(name)
  if (refused && !refused.environment)
    return toPrintable(
      `The branch ${refused.ref.slice(branches.length)} of ${repository} exists, but none of its commits can be served. Run 'plumb code status' on the server for the reason.`,
    )
  const known = [...served]
    .flatMap(([each, { ref, environment }]) => (environment ? [{ name: each, ref }] : []))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  return suggestEnvironments(name, known, repository)
}
