import { createPageAddress, type Html, html } from '../../base/text/html.ts'
import type { PageSources } from './page.ts'
import { shortenPaths } from './parts/code-location.ts'
import { renderTable } from './parts/table.ts'
import { formatCount, renderTime } from './parts/time-format.ts'
import { queryRows } from './questions/store-query.ts'
import { readFirstError } from './report/first-error.ts'

/** Maximum number of failed nodes to read, the latest first. */
const maxNodes = 40
/** Maximum number of groups of equal failures, and of node names in each. */
const [maxGroups, maxNames] = [10, 3]
const maxEvents = 400
const maxCulprits = 8

interface FailedNode {
  readonly certname: string
  readonly report_timestamp: string
  readonly latest_report_hash: string
  readonly report_environment: string | null
}

interface ReportOfFailure {
  readonly certname: string
  readonly hash: string
  readonly receive_time: string
  readonly environment: string | null
}

interface FailureEvent {
  readonly report: string
  readonly resource_type: string
  readonly resource_title: string
  readonly message: string | null
}

/** Nodes whose last runs failed for the same reason, the latest first. */
export interface FailedNodesGroup {
  /** The resource that failed; `undefined` if the run failed before any resource, for example without a catalog. */
  readonly resource: string | undefined
  readonly message: string | undefined
  readonly nodes: readonly FailedNode[]
}

/** The latest failures, grouped by equal reasons. */
export async function readLatestFailures(sources: PageSources): Promise<readonly FailedNodesGroup[]> {
  const { rows } = await queryRows<FailedNode>(sources.store, {
    of: 'nodes',
    query: [
      'extract',
      ['certname', 'report_timestamp', 'latest_report_hash', 'report_environment'],
      ['=', 'latest_report_status', 'failed'],
    ],
    order: [['report_timestamp', 'desc']],
    limit: maxNodes,
  })
  return groupFailures(sources, rows)
}

/** The failures in reports, by their hashes, grouped by equal reasons. Reads at most as many reports as the overview. */
export async function readFailureGroups(
  sources: PageSources,
  reports: readonly string[],
): Promise<readonly FailedNodesGroup[]> {
  if (reports.length === 0) return []
  const { rows } = await queryRows<ReportOfFailure>(sources.store, {
    of: 'reports',
    query: [
      'extract',
      ['certname', 'hash', 'receive_time', 'environment'],
      ['in', 'hash', ['array', reports.slice(0, maxNodes)]],
    ],
    order: [['receive_time', 'desc']],
    limit: maxNodes,
  })
  const nodes = rows.map(({ certname, hash, receive_time: time, environment }) => ({
    ...{ certname, latest_report_hash: hash, report_timestamp: time, report_environment: environment },
  }))
  return groupFailures(sources, nodes)
}

async function groupFailures(sources: PageSources, rows: readonly FailedNode[]): Promise<readonly FailedNodesGroup[]> {
  if (rows.length === 0) return []
  const events = await readFailureEvents(sources, rows)
  const groups = new Map<string, { resource: string | undefined; message: string | undefined; nodes: FailedNode[] }>()
  for (const node of rows) {
    const event = events.get(node.latest_report_hash)
    const resource = event && `${event.resource_type}[${event.resource_title}]`
    const message = event ? event.message : formatReason(await readFirstError(sources, node.latest_report_hash), node)
    // The message of a failed compilation names the node.
    const key = JSON.stringify([resource, message?.replaceAll(node.certname, 'NODE')])
    const group = groups.get(key) ?? { resource, message: message ?? undefined, nodes: [] }
    group.nodes.push(node)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** The prefix that the agent adds to the server's message. It is removed because the table is narrow. */
const preamble = /^Could not retrieve catalog from remote server: (?:Error \d{3} on SERVER: )?(?:Server Error: )?/

/** The first error of a run for the table: the server's own message, with paths relative to the root of the code. */
function formatReason(error: string | undefined, { report_environment: environment }: FailedNode): string | undefined {
  return error && shortenPaths(error.replace(preamble, ''), { codeId: null, environment })
}

/** The first failed event of each report; reports without a failed event are omitted. */
async function readFailureEvents(
  { store }: PageSources,
  nodes: readonly FailedNode[],
): Promise<ReadonlyMap<string, FailureEvent>> {
  const reports = nodes.map(({ latest_report_hash: hash }) => hash)
  const { rows } = await queryRows<FailureEvent>(store, {
    of: 'events',
    query: [
      'extract',
      ['report', 'resource_type', 'resource_title', 'message'],
      ['and', ['in', 'report', ['array', reports]], ['=', 'status', 'failure']],
    ],
    limit: maxEvents,
  })
  const first = new Map<string, FailureEvent>()
  for (const event of rows) if (!first.has(event.report)) first.set(event.report, event)
  return first
}

/** The table of failures, or the text `empty`. */
export function renderFailuresTable(
  groups: readonly FailedNodesGroup[],
  now: number,
  empty = 'No node failed in its last run.',
): Html {
  return renderTable<FailedNodesGroup>(
    'Latest failures',
    [
      { label: 'Nodes', heads: true, cell: ({ nodes }) => renderNodeLinks(nodes) },
      { label: 'Failure', cell: renderFailure },
      {
        label: 'Run',
        cell: ({ nodes: [latest] }) =>
          latest &&
          html`<a href="${createPageAddress(['reports', latest.latest_report_hash])}">${renderTime(latest.report_timestamp, now)}</a>`,
      },
    ],
    groups.slice(0, maxGroups),
    empty,
  )
}

function renderNodeLinks(nodes: readonly FailedNode[]): Html {
  const links = nodes
    .slice(0, maxNames)
    .map(
      ({ certname }, at) => html`${at > 0 && ', '}<a href="${createPageAddress(['nodes', certname])}">${certname}</a>`,
    )
  return html`${links}${nodes.length > maxNames && ` and ${formatCount(nodes.length - maxNames)} more`}`
}

function renderFailure({ resource, message }: Pick<FailedNodesGroup, 'resource' | 'message'>): Html {
  const text = message !== undefined && html`<span class="message">${truncateFirstLine(message)}</span>`
  if (resource === undefined) return html`${text || 'The run failed; its log has no error.'}`
  return html`<code>${resource}</code>${text && html`<br>${text}`}`
}

function truncateFirstLine(message: string): string {
  const line = message.split('\n', 1)[0]!
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}

interface Culprit {
  readonly what: Html
  readonly nodes: number
  readonly address: ReturnType<typeof createPageAddress>
}

/** The most frequent failed resources and errors. */
export async function renderCulpritsTable({ store }: PageSources, groups: readonly FailedNodesGroup[]): Promise<Html> {
  const fields = ['resource_type', 'resource_title']
  const failing = ['and', ['=', 'latest_report?', true], ['=', 'status', 'failure']]
  const { rows } = await queryRows<{ resource_type: string; resource_title: string; count: number }>(store, {
    of: 'events',
    query: ['extract', [['function', 'count'], ...fields], failing, ['group_by', ...fields]],
  })
  const resources = rows.map(
    ({ resource_type: type, resource_title: title, count: nodes }): Culprit => ({
      what: html`<code>${type}[${title}]</code>`,
      nodes,
      address: formatEventsQuery(type, title),
    }),
  )
  const errors = groups
    .filter(({ resource }) => resource === undefined)
    .map(
      (group): Culprit => ({
        what: renderFailure(group),
        nodes: group.nodes.length,
        address: createPageAddress(['reports', group.nodes[0]!.latest_report_hash]),
      }),
    )
  return renderTable<Culprit>(
    'Most frequent failures',
    [
      { label: 'Resource or error', heads: true, cell: ({ what }) => what },
      {
        label: 'Nodes',
        numeric: true,
        cell: ({ nodes, address }) => html`<a href="${address}">${formatCount(nodes)}</a>`,
      },
    ],
    [...resources, ...errors].sort((a, b) => b.nodes - a.nodes).slice(0, maxCulprits),
    'No failures.',
  )
}

function formatEventsQuery(type: string, title: string) {
  const q = `events[certname, timestamp, message, report] {\n  latest_report? = true and status = "failure"\n  and resource_type = ${JSON.stringify(type)} and resource_title = ${JSON.stringify(title)}\n}`
  return createPageAddress(['query'], { q })
}
