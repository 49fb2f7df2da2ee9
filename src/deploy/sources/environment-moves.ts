import type { RefMove } from '../../code/git/remotes/source-store.ts'
import type { Choice } from './environment-choice.ts'

/** Restrictions on moving and removing environments. */
export interface MoveRestrictions {
  readonly frozen: { has(environment: string): boolean }
  /** True if `write_lock` blocks all environments. */
  readonly isLocked: boolean
  /**
   * False if the environment must not be removed, because it may belong to a source that was never
   * fetched.
   */
  mayGo(environment: string): boolean
}

/** Prefix of served refs: each branch of the store is an environment. */
const served = 'refs/heads/'

/** Returns the ref updates that make the store's branches match the chosen environments. */
export function listEnvironmentMoves(
  { chosen, held }: Choice,
  now: ReadonlyMap<string, string>,
  holds: MoveRestrictions,
): readonly RefMove[] {
  if (holds.isLocked) return []
  const moves: RefMove[] = []
  for (const [environment, { commit }] of chosen)
    if (now.get(environment) !== commit && !holds.frozen.has(environment))
      moves.push({ ref: `${served}${environment}`, to: commit })
  for (const environment of now.keys())
    if (
      !chosen.has(environment) &&
      !held.has(environment) &&
      !holds.frozen.has(environment) &&
      holds.mayGo(environment)
    )
      moves.push({ ref: `${served}${environment}`, to: undefined })
  return moves
}
