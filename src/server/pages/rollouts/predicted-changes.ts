import { createPageAddress, type Html, html } from '../../../base/text/html.ts'
import { runCooperatively } from '../../../base/threads/cooperative-tasks.ts'
import type { PredictedChange } from '../../../deploy/rollout/rollout-document.ts'
import type { CurrentRollout } from '../../rollouts/rollout-status.ts'
import type { PageSources } from '../page.ts'
import { renderTable } from '../parts/table.ts'
import { formatCount } from '../parts/time-format.ts'
import { queryRows } from '../questions/store-query.ts'

/** Maximum number of events to read, of nodes to list, and of resources to list for each node. */
const [maxEvents, maxNodes, maxResources] = [5000, 50, 5]

/** Changes of nodes with the commit of a rollout, compared with its impact. */
export interface RolloutChanges {
  /** Number of nodes for which the impact predicted changes; undefined if no impact was computed. */
  readonly predictedNodes: number | undefined
  /** Number of nodes that changed resources, and of these resources that were predicted. */
  readonly changedNodes: number
  readonly predictedResources: number
  readonly unpredicted: readonly UnpredictedChange[]
  /** True if only some of the events were read. */
  readonly isPartial: boolean
}

/** Resources that a node changed, although the impact did not predict it. */
export interface UnpredictedChange {
  readonly certname: string
  readonly report: string
  readonly resources: readonly string[]
}

interface ChangeEvent {
  readonly certname: string
  readonly report: string
  readonly resource_type: string
  readonly resource_title: string
}

/** Compares the changes in reports with the predicted ones; undefined before the waves are determined. */
export async function readChanges(
  sources: PageSources,
  environment: string,
  rollout: Pick<CurrentRollout, 'to' | 'begun'>,
): Promise<RolloutChanges | undefined> {
  const index = await sources.rollouts?.members(environment)
  if (!index || index.members.waves.length === 0) return undefined
  const { rows, more } = await queryChangeEvents(sources, rollout)
  const events = rows.filter(({ certname }) => index.waveOf(certname) !== undefined || index.isUnaffected(certname))
  return { ...(await compareChanges(events, index.members.predicted)), isPartial: more }
}

/** Compares the resources of events with the predicted ones. */
export async function compareChanges(
  events: readonly ChangeEvent[],
  predicted: readonly PredictedChange[] | undefined,
): Promise<Omit<RolloutChanges, 'isPartial'>> {
  const expected = predicted ? await indexPredictions(predicted) : new Map<string, Prediction>()
  const found = new Map<string, { report: string; predicted: Set<string>; others: Set<string> }>()
  for (const { certname, report, resource_type: type, resource_title: title } of events) {
    const resource = `${type}[${title}]`
    const node = found.get(certname) ?? { report, predicted: new Set(), others: new Set() }
    found.set(certname, node)
    if (expected.get(certname)?.some((resources) => resources.has(resource))) node.predicted.add(resource)
    else node.others.add(resource)
  }
  return {
    predictedNodes: predicted && expected.size,
    changedNodes: found.size,
    predictedResources: [...found.values()].reduce((sum, node) => sum + node.predicted.size, 0),
    unpredicted: predicted
      ? [...found].flatMap(([certname, { report, others }]) =>
          others.size === 0 ? [] : [{ certname, report, resources: [...others].sort() }],
        )
      : [],
  }
}

/** The predicted resources of a node, as the sets of its groups, which the nodes of each group share. */
type Prediction = readonly ReadonlySet<string>[]

/** The predictions of documents, which stay the same for hours while people watch their rollouts. */
const indexes = new WeakMap<readonly PredictedChange[], Promise<ReadonlyMap<string, Prediction>>>()

/** Returns the predictions by node. Their memory and time grow with the size of the document only. */
function indexPredictions(predicted: readonly PredictedChange[]): Promise<ReadonlyMap<string, Prediction>> {
  const index = indexes.get(predicted) ?? runCooperatively(listPredictions(predicted))
  indexes.set(predicted, index)
  return index
}

function* listPredictions(predicted: readonly PredictedChange[]): Generator<void, ReadonlyMap<string, Prediction>> {
  const found = new Map<string, ReadonlySet<string>[]>()
  for (const { nodes, resources } of predicted) {
    const own = new Set<string>()
    for (const resource of resources) {
      own.add(resource)
      yield
    }
    for (const node of nodes) {
      const sets = found.get(node)
      if (sets) sets.push(own)
      else found.set(node, [own])
      yield
    }
  }
  return found
}

/**
 * Changes in reports about the commit since the begin of the rollout. Corrected manual changes and refreshes, which have
 * no property, are not changes of the commit.
 */
function queryChangeEvents({ store }: PageSources, { to, begun }: Pick<CurrentRollout, 'to' | 'begun'>) {
  const ofCommit = ['and', ['=', 'code_id', to], ['>=', 'receive_time', new Date(begun).toISOString()]]
  return queryRows<ChangeEvent>(store, {
    of: 'events',
    query: [
      'extract',
      ['certname', 'report', 'resource_type', 'resource_title'],
      [
        'and',
        ['=', 'status', 'success'],
        ['null?', 'property', false],
        ['or', ['=', 'corrective_change', false], ['null?', 'corrective_change', true]],
        ['in', 'report', ['extract', 'hash', ['select_reports', ofCommit]]],
      ],
    ],
    limit: maxEvents,
  })
}

/** Renders the numbers of predicted changes, and the unpredicted ones. */
export function renderChanges(changes: RolloutChanges): Html {
  const { predictedNodes, changedNodes, predictedResources, unpredicted, isPartial } = changes
  const nodes = (count: number) => `${formatCount(count)} ${count === 1 ? 'node' : 'nodes'}`
  const prediction =
    predictedNodes === undefined
      ? html`No impact was computed for this push, so that its changes cannot be compared with a prediction.`
      : html`The impact predicted changes on ${nodes(predictedNodes)}. So far, ${nodes(changedNodes)} changed ${formatCount(predictedResources)} predicted ${predictedResources === 1 ? 'resource' : 'resources'}; ${nodes(unpredicted.length)} changed other resources.`
  return html`<section aria-labelledby="changes"><h2 id="changes">Predicted changes</h2>
<p>${prediction}${isPartial && ` Only the first ${formatCount(maxEvents)} events were compared.`}</p>
${unpredicted.length > 0 && renderUnpredicted(unpredicted)}</section>`
}

function renderUnpredicted(unpredicted: readonly UnpredictedChange[]): Html {
  const table = renderTable<UnpredictedChange>(
    'Unpredicted changes',
    [
      {
        label: 'Node',
        heads: true,
        cell: ({ certname }) => html`<a href="${createPageAddress(['nodes', certname])}">${certname}</a>`,
      },
      { label: 'Unpredicted changes', cell: renderResources },
      { label: 'Run', cell: ({ report }) => html`<a href="${createPageAddress(['reports', report])}">report</a>` },
    ],
    unpredicted.slice(0, maxNodes),
  )
  const more = unpredicted.length - maxNodes
  return html`${table}${more > 0 && html`<p>And ${formatCount(more)} more.</p>`}`
}

function renderResources({ resources }: UnpredictedChange): Html {
  const shown = resources.slice(0, maxResources).map((each, at) => html`${at > 0 && ', '}<code>${each}</code>`)
  const more = resources.length - maxResources
  return html`${shown}${more > 0 && ` and ${formatCount(more)} more`}`
}
