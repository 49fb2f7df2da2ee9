import { createPageAddress, type Html, html } from '../../../base/text/html.ts'
import { computeReportDeadline, getNodeState, type LastRun, lastRunFields } from '../node-state.ts'
import type { Page, PageSources } from '../page.ts'
import { renderStateBadge } from '../parts/state-badge.ts'
import { createExtractQuery } from '../questions/conditions.ts'
import { queryFirstRow } from '../questions/store-query.ts'

/** A `nodes` row, with the fields that all pages of a node print. */
export interface NodeRow extends LastRun {
  readonly certname: string
  readonly deactivated: string | null
  readonly expired: string | null
  readonly report_timestamp: string | null
  readonly facts_timestamp: string | null
  readonly catalog_timestamp: string | null
  readonly report_environment: string | null
  readonly catalog_environment: string | null
  readonly latest_report_hash: string | null
}

const fields = [
  'certname',
  'deactivated',
  'expired',
  'report_timestamp',
  'facts_timestamp',
  'catalog_timestamp',
  'report_environment',
  'catalog_environment',
  'latest_report_hash',
  ...lastRunFields,
]

const parts: readonly (readonly [path: string | undefined, label: string])[] = [
  [undefined, 'Summary'],
  ['facts', 'Facts'],
  ['resources', 'Resources'],
  ['history', 'History'],
]

/** Reads an active or inactive node; `undefined` if the store does not contain it. */
export async function readNodeRow({ store }: PageSources, certname: string): Promise<NodeRow | undefined> {
  const active = ['or', ['=', ['node', 'active'], true], ['=', ['node', 'active'], false]]
  return queryFirstRow<NodeRow>(store, {
    of: 'nodes',
    query: createExtractQuery(fields, ['and', ['=', 'certname', certname], active]),
  })
}

/** The header of each page about a node. */
export function renderNodeHead(node: NodeRow, here: string | undefined, sources: PageSources): Html {
  const { certname, deactivated, expired } = node
  const ended = deactivated !== null ? 'deactivated' : expired !== null ? 'expired' : undefined
  return html`<p class="crumbs"><a href="${createPageAddress(['nodes'])}">Nodes</a></p>
<h1>${certname} ${ended === undefined ? renderStateBadge(getNodeState(node, computeReportDeadline(sources))) : html`<span class="tag">${ended}</span>`}</h1>
${ended !== undefined && html`<p class="notice">This node is ${ended}; the pages show its last known state.</p>`}
<nav class="tabs" aria-label="Parts of the node"><ul>${parts.map(([path, label]) => {
    const address = createPageAddress(['nodes', certname, ...(path === undefined ? [] : [path])])
    if (path !== here) return html`<li><a href="${address}">${label}</a></li>`
    return html`<li><a href="${address}" aria-current="page">${label}</a></li>`
  })}</ul></nav>`
}

/** The page for a node that the store does not contain. */
export function renderUnknownNode(certname: string): Page {
  // The name without its domain, or the first half of a name without a domain.
  const dot = certname.indexOf('.')
  const part = dot > 0 ? certname.slice(0, dot) : certname.slice(0, Math.max(1, Math.ceil(certname.length / 2)))
  const body = html`<h1>Node not found</h1>
<p>The store has no node <code>${certname}</code>. <a href="${createPageAddress(['nodes'], { name: part })}">Search for names with <code>${part}</code></a>.</p>`
  return { title: 'Node not found', body, status: 404 }
}
