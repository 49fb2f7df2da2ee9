import type { RefMove } from '../../code/git/remotes/source-store.ts'
import type { Choice } from './choose-environments.ts'

/** Reasons for which environments do not move. */
export interface Holds {
  readonly frozen: { has(environment: string): boolean }
  /** True where none may move, by `write_lock`. */
  readonly isLocked: boolean
  /** False for what may be of a source that was never fetched, under this name at least. */
  mayGo(environment: string): boolean
}

/** The prefix of what is served: each branch of the store is an environment. */
const served = 'refs/heads/'

/** The moves by which the branches of the store, by name, become what was chosen. */
export function movesTo({ chosen, held }: Choice, now: ReadonlyMap<string, string>, holds: Holds): readonly RefMove[] {
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
