import { PuppetError } from '../../../base/issue.ts'
import { type ExactJson, getEntries, isExactObject } from '../../../base/json/exact-json.ts'
import { formatExactJson } from '../../../base/json/json-text.ts'
import { createPageAddress, type Html, html } from '../../../base/text/html.ts'
import type { PageRenderer, PageSources } from '../page.ts'
import { renderTable } from '../parts/table.ts'
import { formatCount } from '../parts/time-format.ts'
import { clipText } from '../parts/values.ts'
import { type Rows, readRows } from '../questions/store-query.ts'

const mostRows = 200

/** Example queries. */
const examples: readonly (readonly [label: string, query: string])[] = [
  ['Failed nodes', 'nodes[certname, report_timestamp] {\n  latest_report_status = "failed"\n}'],
  ['Nodes by system', 'facts[value, count()] {\n  name = "osfamily"\n  group by value\n}'],
  [
    'Nodes by a structured fact',
    'inventory[certname, facts.os.name, facts.os.release.full] {\n  facts.os.family = "Debian"\n}',
  ],
  ['Nodes with a resource', 'resources[certname, parameters] {\n  type = "Service" and title = "ssh"\n}'],
  [
    'Changes of the last runs',
    'events[certname, resource_type, resource_title, message] {\n  latest_report? = true and status = "success"\n}',
  ],
  ['Nodes by commit', 'catalogs[environment, code_id, count()] {\n  group by environment, code_id\n}'],
]

interface Outcome {
  readonly found: Rows<ExactJson>
  readonly milliseconds: number
}

/** The query page: an editor, the rows of a query, and downloads. */
export const renderQueryPage: PageRenderer = async ({ query }, sources) => {
  const q = query.get('q')?.trim() ?? ''
  const outcome = q === '' ? undefined : await runQuery(sources, q)
  const isRefused = outcome instanceof PuppetError
  const body = html`<h1>Query</h1>
<form class="console" action="${createPageAddress(['query'])}" data-words="${createPageAddress(['query', 'words.json']).toString()}">
<label for="q">Query in PQL or AST</label>
<div class="editor"><textarea id="q" name="q" rows="6" spellcheck="false" autocomplete="off" autocapitalize="none" aria-describedby="keys">${q}</textarea>
<ul id="suggestions" role="listbox" aria-label="Suggestions" hidden></ul></div>
<p class="fine" id="keys">Ctrl+Enter: run the query. Ctrl+Space: suggest names; arrow keys select, Enter inserts, Escape closes.</p>
<p class="actions"><button>Run</button> <span class="saving"></span></p>
<p class="hidden" role="status" id="suggested"></p>
</form>
${isRefused ? html`<pre class="problem" role="alert">${outcome.diagnostic.message}</pre>` : outcome && renderResults(q, outcome)}
<div class="columns">
<section aria-labelledby="examples"><h2 id="examples">Examples</h2>
<ul>${examples.map(([label, text]) => html`<li><a href="${createPageAddress(['query'], { q: text })}">${label}</a></li>`)}</ul></section>
<section class="saved" aria-labelledby="saved" hidden><h2 id="saved">Saved in this browser</h2><ul></ul></section>
</div>`
  return { title: 'Query', body, modules: ['console.js'], ...(isRefused && { status: 400 as const }) }
}

async function runQuery({ store }: PageSources, q: string): Promise<Outcome | PuppetError> {
  const since = performance.now()
  try {
    const answer = await store.ask(createRootQuery(q))
    const found = answer ? await readRows<ExactJson>(answer, mostRows) : { rows: [], total: undefined, more: false }
    return { found, milliseconds: performance.now() - since }
  } catch (error) {
    if (error instanceof PuppetError) return error
    throw error
  }
}

/** Builds the store request of a query text. */
export function createRootQuery(q: string) {
  return { method: 'POST', path: '', search: '', body: JSON.stringify({ query: q }) } as const
}

function renderResults(q: string, { found, milliseconds }: Outcome): Html {
  const { rows, more } = found
  const rest = more && html` The table shows the first ${formatCount(rows.length)}; downloads contain more.`
  return html`<section aria-labelledby="rows"><h2 id="rows">Rows</h2>
<p role="status">${more ? 'More than ' : ''}${formatCount(rows.length)} ${rows.length === 1 ? 'row' : 'rows'} in ${Math.ceil(milliseconds)} ms.${rest}
<span class="downloads">Download as <a href="${createPageAddress(['query', 'rows.csv'], { q })}" download>CSV</a> or <a href="${createPageAddress(['query', 'rows.json'], { q })}" download>JSON</a>.</span></p>
${renderRowsTable(rows)}
<details><summary>As JSON</summary><pre>${clipText(`[${rows.map((row) => `\n  ${formatExactJson(row)}`).join(',')}\n]`)}</pre></details></section>`
}

function renderRowsTable(rows: readonly ExactJson[]): Html {
  const names = [
    ...new Set(rows.flatMap((row) => (isExactObject(row) ? [...getEntries(row)].map(([name]) => name) : []))),
  ]
  // PuppetDB sorts the fields of a node so that its name is in the middle.
  names.sort((a, b) => Number(b === 'certname') - Number(a === 'certname'))
  const getCell = (row: ExactJson, name: string) =>
    isExactObject(row) ? [...getEntries(row)].find(([key]) => key === name)?.[1] : undefined
  return renderTable<ExactJson>(
    'Rows',
    names.map((name) => ({ label: name, cell: (row) => renderCell(name, getCell(row, name)) })),
    rows,
    'No rows.',
  )
}

function renderCell(name: string, value: ExactJson | undefined) {
  if (value === undefined || value === null) return html`<span class="none">null</span>`
  if (typeof value !== 'string') return html`<code>${clipText(formatExactJson(value))}</code>`
  if (name === 'certname') return html`<a href="${createPageAddress(['nodes', value])}">${value}</a>`
  if (name === 'report' || name === 'latest_report_hash')
    return html`<a href="${createPageAddress(['reports', value])}"><code>${value.slice(0, 12)}</code></a>`
  if (isTime.test(value)) return html`<time datetime="${value}">${value}</time>`
  return html`<span class="message">${clipText(value)}</span>`
}

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/
