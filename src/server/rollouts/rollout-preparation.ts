import { budgets } from '../../base/budgets/budgets.ts'
import { runCooperatively } from '../../base/threads/cooperative-tasks.ts'
import { selectNodes } from '../../deploy/gate/node-selection.ts'
import type { Impact } from '../../deploy/impact/impact-result.ts'
import type { PredictedChange, RolloutMembers } from '../../deploy/rollout/rollout-document.ts'
import { assignWavesInSlices } from '../../deploy/rollout/wave-members.ts'
import { queryWaves, readRolloutNodes } from '../../deploy/rollout/wave-queries.ts'
import { createRowReader } from '../../store/node-rows.ts'
import type { NodeStore } from '../../store/node-store.ts'
import type { ServedCommits } from '../gate/commit-impact.ts'
import { readNodeList } from '../gate/node-list.ts'
import type { Services } from '../services/services.ts'

/** Compares two commits of an environment. */
export interface CommitComparison {
  /** Computes the impact on some nodes; undefined if no node can be compiled. */
  impact(commits: ServedCommits & { readonly nodes: readonly string[] }): Promise<Impact | undefined>
  /** Returns true if files differ that agents fetch beside their catalog. */
  haveDifferentFetchedFiles(commits: ServedCommits): Promise<boolean>
}

/** Dependencies of the preparation. */
export interface PreparationParts {
  readonly askings: Services['askings']
  readonly store: Pick<NodeStore, 'ask'>
  /** Milliseconds after which a node's run in an environment is ignored; 0 for never. */
  readonly nodeTtl: number
  readonly comparison: CommitComparison
}

/** Resources named in a predicted change. */
const maxPredictedResources = 1000

/**
 * Determines the nodes of each wave, from the nodes that are known now, and the nodes that a push does not change. Throws
 * ROLLOUT_QUERY if the query of a wave fails.
 */
export async function prepareMembers(
  commits: ServedCommits,
  before: RolloutMembers,
  { askings, store, nodeTtl, comparison }: PreparationParts,
): Promise<RolloutMembers> {
  const { plan, previous } = before
  const { environment } = commits
  const known = await readNodeList({ askings, store, now: Date.now(), ttl: nodeTtl })
  const { nodes } = selectNodes(known, { environment, needsRequest: false })
  const queried = await queryWaves(plan, store)
  const described = await readRolloutNodes(plan, nodes, store)
  const assigned = await runCooperatively(assignWavesInSlices(plan, described, queried))
  const { nodes: compiled } = selectNodes(known, { environment, needsRequest: true })
  const impact = await comparison.impact({ ...commits, nodes: compiled })
  // A node with the commit of a superseded rollout changes, even if its catalog of the stable commit is the same.
  const kept = new Set(Object.values(previous).flat())
  const canBeUnaffected = impact && !(await comparison.haveDifferentFetchedFiles(commits))
  const equal = canBeUnaffected ? [...impact.unaffected, ...impact.same] : []
  const unaffected = equal.filter((node) => !kept.has(node)).sort()
  const isUnaffected = new Set(unaffected)
  const waves: string[][] = plan.waves.map(() => [])
  for (const [node, wave] of assigned) if (!isUnaffected.has(node)) waves[wave]!.push(node)
  for (const wave of waves) wave.sort()
  return limitDocument({
    ...{ plan, previous, waves, unaffected },
    broken: impact?.broken.flatMap((group) => group.nodes) ?? [],
    failing: [
      ...new Set([
        ...(await listFailingNodes(store, commits.from)),
        ...(impact?.failing.flatMap((group) => group.nodes) ?? []),
      ]),
    ],
    predicted: impact && listPredictedChanges(impact),
  })
}

/** Nodes whose last run failed with the stable commit. A failure with another commit is no reason to expect one. */
async function listFailingNodes(store: Pick<NodeStore, 'ask'>, stable: string): Promise<readonly string[]> {
  const isLast = ['=', 'latest_report?', true] as const
  const condition = ['and', isLast, ['=', 'status', 'failed'], ['=', 'code_id', stable]] as const
  const rows = await createRowReader(store)(['from', 'reports', ['extract', ['certname'], condition]])
  return rows.map(({ certname }) => String(certname))
}

/** The resources that change on each group of nodes. */
function listPredictedChanges({ changed }: Impact): readonly PredictedChange[] {
  return changed.map(({ nodes, change }) => ({
    nodes,
    resources: [
      ...change.added.map(({ resource }) => resource),
      ...change.removed,
      ...change.changed.map(({ resource }) => resource),
    ].slice(0, maxPredictedResources),
  }))
}

/** Omits the predicted changes of a document that exceeds the budget. */
function limitDocument(members: RolloutMembers): RolloutMembers {
  if (!members.predicted || JSON.stringify(members).length <= budgets.rollout.document.bound) return members
  return { ...members, predicted: undefined }
}
