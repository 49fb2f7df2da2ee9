import { createPageAddress, type Html, html } from '../../../base/text/html.ts'
import type { Commit, PageRenderer, PageSources } from '../page.ts'
import { renderDefinitions } from '../parts/definitions.ts'
import { renderTime } from '../parts/time-format.ts'
import { createExtractQuery } from '../questions/conditions.ts'
import { queryFirstRow, queryRows } from '../questions/store-query.ts'
import { type ReportRow, renderReportsTable, reportFields } from '../report/reports-table.ts'
import { renderRunsChart } from '../runs-chart.ts'
import { type NodeRow, readNodeRow, renderNodeHead, renderUnknownNode } from './node-head.ts'

/** The summary of a node: its catalog, main facts and last runs. */
export const renderNodePage: PageRenderer = async ({ path }, sources) => {
  const [certname = ''] = path
  const node = await readNodeRow(sources, certname)
  if (!node) return renderUnknownNode(certname)
  const [catalog, facts, reports, runs] = await Promise.all([
    readLastCatalog(sources, certname),
    readMainFacts(sources, certname),
    queryRows<ReportRow>(sources.store, {
      of: 'reports',
      query: createExtractQuery(reportFields, ['=', 'certname', certname]),
      order: [['producer_timestamp', 'desc']],
      limit: 15,
    }),
    renderRunsChart(sources, certname),
  ])
  const codeId = catalog?.code_id
  const commit = codeId ? await sources.commit(codeId) : undefined
  const body = html`${renderNodeHead(node, undefined, sources)}
<div class="columns">
<section aria-labelledby="catalog"><h2 id="catalog">Catalog</h2>${renderCatalog({ catalog, commit }, node, sources.now())}</section>
<section aria-labelledby="about"><h2 id="about">About</h2>${renderDefinitions(
    telling.flatMap(([name, label]) => (facts.has(name) ? [[label, facts.get(name)] as const] : [])),
    'No facts received.',
  )}</section>
</div>
${runs}
<section aria-labelledby="reports"><h2 id="reports">Last reports</h2>
${renderReportsTable(reports.rows, sources.now(), { withNode: false })}
<p><a href="${createPageAddress(['reports'], { name: certname })}">All reports</a></p></section>`
  return { title: certname, body, modules: ['charts.js'] }
}

interface CatalogRow {
  readonly code_id: string | null
  readonly version: string
  readonly environment: string | null
  readonly producer: string | null
  readonly catalog_uuid: string | null
  readonly producer_timestamp: string
}

function readLastCatalog({ store }: PageSources, certname: string): Promise<CatalogRow | undefined> {
  const fields = ['code_id', 'version', 'environment', 'producer', 'catalog_uuid', 'producer_timestamp']
  return queryFirstRow(store, { of: 'catalogs', query: createExtractQuery(fields, ['=', 'certname', certname]) })
}

interface CompiledCatalogRow {
  readonly catalog: CatalogRow | undefined
  readonly commit: Commit | undefined
}

function renderCatalog({ catalog, commit }: CompiledCatalogRow, { certname }: NodeRow, now: number): Html {
  if (!catalog) return html`<p class="empty">The node has no catalog.</p>`
  const { code_id: codeId, version, environment, producer, producer_timestamp: time } = catalog
  return html`${renderDefinitions([
    [
      'Commit',
      codeId !== null &&
        html`<a href="${createPageAddress(['nodes'], { code_id: codeId })}"><code>${codeId}</code></a>`,
    ],
    ['Subject', commit?.subject],
    ['Version', version],
    ['Environment', environment],
    ['Compiled', renderTime(time, now)],
    ['Server', producer],
  ])}
<p><a href="${createPageAddress(['diff'], { a: certname })}">Compare with another catalog</a></p>`
}

/** The main facts of a machine: dotted names and labels. */
const telling: readonly (readonly [name: string, label: string])[] = [
  ['os.name', 'System'],
  ['os.release.full', 'Release'],
  ['kernelrelease', 'Kernel'],
  ['networking.ip', 'Address'],
  ['processors.count', 'Processors'],
  ['memory.system.total', 'Memory'],
  ['virtual', 'Virtual'],
  ['system_uptime.uptime', 'Uptime'],
  ['clientversion', 'Puppet'],
]

async function readMainFacts({ store }: PageSources, certname: string): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(telling.map(([name]) => name.split('.')[0]!))]
  const { rows } = await queryRows<{ path: readonly (string | number)[]; value: unknown }>(store, {
    of: 'fact-contents',
    query: createExtractQuery(
      ['path', 'value'],
      ['and', ['=', 'certname', certname], ['in', 'name', ['array', names]]],
    ),
  })
  return new Map(rows.map(({ path, value }) => [path.join('.'), String(value)]))
}
