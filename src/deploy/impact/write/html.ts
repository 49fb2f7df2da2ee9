import { hash } from 'node:crypto'
import { type Html, html } from '../../../base/text/html.ts'
import { formatQuantity } from '../../../base/text/quantity.ts'
import type { ChangeGroup, CompileFailureGroup, FaultGroup, Impact } from '../impact-result.ts'
import { formatChange } from './catalog-change.ts'
import {
  formatCatalogFault,
  formatChangeCounts,
  formatExportChange,
  formatFaultKind,
  formatFaultLocation,
  formatNodeNames,
  listResourceRows,
  listSummaryRows,
} from './impact-parts.ts'

/** Maximum number of rows in the table of resources, and of node names in a line. */
const mostRows = 200
const mostNames = 100

/**
 * Formats an impact as a self-contained HTML page without scripts and links, with a content
 * security policy that forbids them. The style is allowed by its digest.
 */
export function formatImpactHtml(impact: Impact): string {
  const { environment, from, to, exports, broken, faults, changed, failing, unchecked } = impact
  const title = `Impact on ${environment}: ${from === undefined ? to : `${from} → ${to}`}`
  const body = html`<body><h1>${title}</h1>
<table><tbody>${listSummaryRows(impact).map(({ what, nodes }) => html`<tr><td>${what}</td><td>${nodes}</td></tr>\n`)}</tbody></table>
${broken.map((group) => formatFailure(group, 'Catalog compilation would fail'))}
${faults.map(formatFault)}
${unchecked.length > 0 && html`<p>Not checked: ${formatNodeNames(unchecked, mostNames)}</p>`}
${formatResources(impact)}
${exports.length > 0 && html`<h2>Exported resources</h2>`}
${exports.map((each) => html`<p><code>${each.type}</code>: ${formatExportChange(each, mostNames)}</p>\n`)}
${changed.length > 0 && html`<h2>Changes</h2>`}
${changed.map(formatChangeGroup)}
${failing.map((group) => formatFailure(group, 'Catalog compilation fails as before'))}
</body>`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${styleDigest}'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width">
${html`<title>${title}</title>`}<style>${style}</style></head>
${body}</html>
`
}

function formatFailure(group: CompileFailureGroup, what: string): Html {
  const { nodes, message, hint } = group
  const text = `${message} ${formatFaultLocation(group)}`.trimEnd()
  return html`<section class="bad"><h2>${what}: ${formatQuantity(nodes.length, 'node')}</h2><p>${formatNodeNames(nodes, mostNames)}</p>
<pre>${text}${hint !== undefined && `\n${hint}`}</pre></section>\n`
}

function formatFault(group: FaultGroup): Html {
  const { nodes, severity } = group
  return html`<section class="${severity === 'error' ? 'bad' : ''}"><h2>${formatQuantity(nodes.length, 'node')}: ${formatFaultKind(group)}</h2><p>${formatNodeNames(nodes, mostNames)}</p>
<pre>${formatCatalogFault(group)}</pre></section>\n`
}

function formatResources(impact: Impact): Html | undefined {
  const rows = listResourceRows(impact)
  if (rows.length === 0) return undefined
  const shown = rows.slice(0, mostRows)
  return html`<h2>Resources</h2><table><thead><tr><th></th><th>resource</th><th>nodes</th></tr></thead><tbody>
${shown.map(({ sign, resource, parameters, nodes }) => html`<tr><td>${sign}</td><td><code>${resource}</code> ${parameters.join(', ')}</td><td>${nodes}</td></tr>\n`)}
</tbody></table>${rows.length > shown.length && html`<p>… ${rows.length - shown.length} more</p>`}`
}

function formatChangeGroup({ nodes, change }: ChangeGroup): Html {
  return html`<details><summary>${formatQuantity(nodes.length, 'node')}: ${formatChangeCounts(change.counts)}</summary>
<p>${formatNodeNames(nodes, mostNames)}</p><pre>${formatChange(change, 'diff').map(formatLine)}</pre></details>\n`
}

function formatLine(line: string): Html {
  const kind = kinds.get(line[0] ?? '')
  return kind === undefined ? html`${line}\n` : html`<span class="${kind}">${line}</span>\n`
}

const kinds: ReadonlyMap<string, string> = new Map([
  ['+', 'new'],
  ['-', 'old'],
  ['~', 'changed'],
])

/** The style of the page; `styleDigest` is its digest. */
export const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}h1{font-size:1.4rem}h2{font-size:1.1rem}' +
  'table{border-collapse:collapse}td,th{padding:.15rem .8rem .15rem 0;text-align:left;vertical-align:top}' +
  'pre{overflow-x:auto;padding:.8rem;border:1px solid #8886;border-radius:4px;font-size:.85rem}summary{cursor:pointer;font-weight:600}' +
  '.bad h2{color:#b00}.new{color:#070}.old{color:#a00}.changed{font-weight:600}' +
  '@media(prefers-color-scheme:dark){body{background:#111;color:#ddd}.bad h2{color:#f66}.new{color:#6c6}.old{color:#f77}}'

const styleDigest = `sha256-${hash('sha256', style, 'base64')}`
