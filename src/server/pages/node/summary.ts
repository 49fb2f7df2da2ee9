import { addressOf, type Html, html } from '../../../base/text/html.ts'
import type { Commit, PageOf, PageSources } from '../page.ts'
import { definitions } from '../parts/definitions.ts'
import { moment } from '../parts/moment.ts'
import { ask, first } from '../questions/ask.ts'
import { extract } from '../questions/conditions.ts'
import { type ReportRow, reportFields, reportsTable } from '../report/reports-table.ts'
import { runsChart } from '../runs-chart.ts'
import { type NodeRow, nodeHead, nodeRow, unknownNode } from './node-head.ts'

/** The summary of a node: its catalog, main facts and last runs. */
export const nodePage: PageOf = async ({ path }, sources) => {
  const [certname = ''] = path
  const node = await nodeRow(sources, certname)
  if (!node) return unknownNode(certname)
  const [catalog, facts, reports, runs] = await Promise.all([
    catalogOf(sources, certname),
    factsOf(sources, certname),
    ask<ReportRow>(sources.store, {
      of: 'reports',
      query: extract(reportFields, ['=', 'certname', certname]),
      order: [['producer_timestamp', 'desc']],
      limit: 15,
    }),
    runsChart(sources, certname),
  ])
  const codeId = catalog?.code_id
  const commit = codeId ? await sources.commit(codeId) : undefined
  const body = html`${nodeHead(node, undefined, sources)}
<div class="columns">
<section aria-labelledby="catalog"><h2 id="catalog">Catalog</h2>${catalogPart({ catalog, commit }, node, sources.now())}</section>
<section aria-labelledby="about"><h2 id="about">About</h2>${definitions(
    telling.flatMap(([name, label]) => (facts.has(name) ? [[label, facts.get(name)] as const] : [])),
    'No facts received.',
  )}</section>
</div>
${runs}
<section aria-labelledby="reports"><h2 id="reports">Last reports</h2>
${reportsTable(reports.rows, sources.now(), { withNode: false })}
<p><a href="${addressOf(['reports'], { name: certname })}">All reports</a></p></section>`
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

function catalogOf({ store }: PageSources, certname: string): Promise<CatalogRow | undefined> {
  const fields = ['code_id', 'version', 'environment', 'producer', 'catalog_uuid', 'producer_timestamp']
  return first(store, { of: 'catalogs', query: extract(fields, ['=', 'certname', certname]) })
}

interface Compiled {
  readonly catalog: CatalogRow | undefined
  readonly commit: Commit | undefined
}

function catalogPart({ catalog, commit }: Compiled, { certname }: NodeRow, now: number): Html {
  if (!catalog) return html`<p class="empty">The node has no catalog.</p>`
  const { code_id: codeId, version, environment, producer, producer_timestamp: time } = catalog
  return html`${definitions([
    [
      'Commit',
      codeId !== null && html`<a href="${addressOf(['nodes'], { code_id: codeId })}"><code>${codeId}</code></a>`,
    ],
    ['Subject', commit?.subject],
    ['Version', version],
    ['Environment', environment],
    ['Compiled', moment(time, now)],
    ['Server', producer],
  ])}
<p><a href="${addressOf(['diff'], { a: certname })}">Compare with another catalog</a></p>`
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

async function factsOf({ store }: PageSources, certname: string): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(telling.map(([name]) => name.split('.')[0]!))]
  const { rows } = await ask<{ path: readonly (string | number)[]; value: unknown }>(store, {
    of: 'fact-contents',
    query: extract(['path', 'value'], ['and', ['=', 'certname', certname], ['in', 'name', ['array', names]]]),
  })
  return new Map(rows.map(({ path, value }) => [path.join('.'), String(value)]))
}
