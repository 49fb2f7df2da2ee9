import { hash } from 'node:crypto'
import { budgets } from '../../base/budgets/budgets.ts'
import { compareCodeUnits } from '../../base/text/code-unit-order.ts'
import { compileNameGlob, createGlobMeter, type Meter } from '../../base/text/glob.ts'
import { runToEnd } from '../../base/threads/cooperative-tasks.ts'
import type { RolloutPlan, WaveNodes } from './rollout-plan.ts'

/** A node of a rollout, with the values of the facts in `by`, by path; a fact that the node lacks has no value. */
export interface RolloutNode {
  readonly certname: string
  readonly groups: Readonly<Record<string, string>>
}

/** Certnames in the results of the waves' queries, by the index of the wave. */
export type QueriedNodes = ReadonlyMap<number, ReadonlySet<string>>

/**
 * Returns the index of the wave of each node: the first wave that selects the node. A wave selects nodes from the whole
 * fleet, so that `percent: 10` and then `percent: 50` are together half of the fleet. The result does not depend on the
 * order of the nodes. Throws GLOB_TOO_COSTLY.
 */
export function assignWaves(
  plan: Pick<RolloutPlan, 'waves'>,
  nodes: readonly RolloutNode[],
  queried: QueriedNodes,
): ReadonlyMap<string, number> {
  return runToEnd(assignWavesInSlices(plan, nodes, queried))
}

/** Like `assignWaves`, in slices for `runCooperatively`. */
export function* assignWavesInSlices(
  { waves }: Pick<RolloutPlan, 'waves'>,
  nodes: readonly RolloutNode[],
  queried: QueriedNodes,
): Generator<void, ReadonlyMap<string, number>> {
  const assigned = new Map<string, number>()
  const meter = createGlobMeter('the patterns of the waves with the nodes', budgets.rollout.matchingSteps.bound)
  const digests = new Map<string, string>()
  for (const [index, { nodes: selected }] of waves.entries()) {
    const candidates = yield* findCandidates(selected, nodes, queried.get(index), meter)
    const share =
      selected?.percent === undefined
        ? candidates
        : yield* takeShare(candidates, { percent: selected.percent, by: selected.by }, digests)
    for (const { certname } of share) if (!assigned.has(certname)) assigned.set(certname, index)
    yield
  }
  return assigned
}

function* findCandidates(
  selected: WaveNodes | undefined,
  nodes: readonly RolloutNode[],
  queried: ReadonlySet<string> | undefined,
  meter: Meter,
): Generator<void, readonly RolloutNode[]> {
  if (selected === undefined || (selected.certnames.length === 0 && selected.query === undefined)) return nodes
  const exact = new Set(selected.certnames.filter((each) => !each.includes('*')))
  const globs = selected.certnames.filter((each) => each.includes('*')).map(compileNameGlob)
  const found: RolloutNode[] = []
  for (const node of nodes) {
    const { certname } = node
    if (exact.has(certname) || queried?.has(certname) || globs.some((glob) => glob.matches(certname, meter)))
      found.push(node)
    yield
  }
  return found
}

/** Takes the nodes with the lowest digests in each group. A share is rounded up, so that each group has a node. */
function* takeShare(
  candidates: readonly RolloutNode[],
  { percent, by }: Pick<WaveNodes, 'by'> & { readonly percent: number },
  digests: Map<string, string>,
): Generator<void, readonly RolloutNode[]> {
  const groups = new Map<string, RolloutNode[]>()
  for (const node of candidates) {
    if (!digests.has(node.certname)) digests.set(node.certname, hash('sha256', node.certname, 'hex'))
    const key = JSON.stringify(by.map((path) => node.groups[path] ?? null))
    const group = groups.get(key) ?? []
    groups.set(key, group)
    group.push(node)
    yield
  }
  const found: RolloutNode[] = []
  for (const group of groups.values()) {
    group.sort((a, b) => compareCodeUnits(digests.get(a.certname)!, digests.get(b.certname)!))
    for (const node of group.slice(0, countShare(group.length, percent))) found.push(node)
    yield
  }
  return found
}

/** Rounds a share up, except for the error of binary fractions. */
function countShare(count: number, percent: number): number {
  return Math.ceil((count * percent) / 100 - 1e-9)
}
