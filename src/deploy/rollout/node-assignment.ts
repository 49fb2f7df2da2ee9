import type { MemberIndex } from './rollout-document.ts'
import { type EnvironmentRollout, isActive, type Rollout } from './rollout-state.ts'

/**
 * The commits that a node may receive, in the order of preference. After the first one follows the stable commit, for
 * a server that has not fetched the new one yet.
 */
export function getAssignedCommits(
  { stable, rollout, seen }: EnvironmentRollout,
  index: MemberIndex | undefined,
  certname: string,
): readonly string[] {
  if (!isActive(rollout) || !index) return [stable, ...listEarlierCommits({ stable, rollout, seen })]
  if (hasNewCommit({ rollout, index, certname })) return [rollout.to, stable]
  const previous = index.previousOf(certname)
  return previous === undefined ? [stable] : [previous, stable]
}

/** Number of earlier commits that a server without the stable commit may serve. */
const earlierCommits = 3

/** Commits pushed before the stable one, newest first, without one that was taken back. */
function listEarlierCommits({
  stable,
  rollout,
  seen = [],
}: Pick<EnvironmentRollout, 'stable' | 'rollout' | 'seen'>): readonly string[] {
  const before = seen.slice(0, Math.max(0, seen.lastIndexOf(stable)))
  const wasTakenBack = (commit: string) => rollout?.phase !== 'complete' && rollout?.to === commit
  return before
    .filter((commit) => commit !== stable && !wasTakenBack(commit))
    .slice(-earlierCommits)
    .reverse()
}

interface NodeOfRollout {
  readonly rollout: Pick<Rollout, 'phase' | 'started'>
  readonly index: MemberIndex
  readonly certname: string
}

/** True if the node's wave has started, or if the push does not change its catalog. */
function hasNewCommit({ rollout, index, certname }: NodeOfRollout): boolean {
  if (rollout.phase === 'preparing') return false
  const wave = index.waveOf(certname)
  return wave === undefined ? index.isUnaffected(certname) : wave < rollout.started.length
}

/**
 * Nodes that have another commit than the stable one, by this commit: the `previous` of the rollout that replaces this
 * one.
 */
export function listPreviousCommits(
  state: EnvironmentRollout,
  index: MemberIndex | undefined,
): Readonly<Record<string, readonly string[]>> {
  if (!index || !isActive(state.rollout)) return {}
  const { waves, unaffected, previous } = index.members
  const found = new Map<string, string[]>()
  for (const certname of new Set([...waves.flat(), ...unaffected, ...Object.values(previous).flat()])) {
    const [commit = state.stable] = getAssignedCommits(state, index, certname)
    if (commit === state.stable) continue
    const nodes = found.get(commit) ?? []
    nodes.push(certname)
    found.set(commit, nodes)
  }
  return Object.fromEntries(found)
}
