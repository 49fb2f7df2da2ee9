import type { ExactJson } from '../base/exact-json.ts'
import { parseJson } from '../base/json-text.ts'
import { type Asked, askOptions, withStore } from './asking/asked.ts'
import { jsonRows } from './asking/json-rows.ts'
import { renderRows, rowsFormat } from './asking/render.ts'
import { piecesOf, plain, questionOf, rowsOf } from './asking/rows.ts'
import { defineCommand } from './command.ts'

/** `plumb node list` */
export const nodeList = defineCommand({
  name: 'list',
  summary: 'Lists nodes: their state, when they were last heard of, and what code they have.',
  description: `A node's state is that of its last report (failed, changed, unchanged), unreported without one, and deactivated or
expired of a node that is no more. Those are listed with --all alone. The time is the last one of report, catalog and
facts.

The store is the one that the settings name, or with --server the one behind that server. The exit status is 0, 1
when it cannot be asked, and 2 when there are no nodes.

  plumb node list
  plumb node list --all --render-as json
  plumb node list --server puppet.example.com`,
  options: [{ flags: '--all', doc: 'Deactivated and expired nodes too.' }, ...askOptions, rowsFormat],
  async run(invocation) {
    const { options, io } = invocation
    const count = await withStore(invocation, (store) =>
      renderRows(piecesOf(listed(store, options.all === true)), options.renderAs, io),
    )
    return count === 0 ? 2 : 0
  },
})

async function* listed(store: Asked, all: boolean): AsyncIterable<object> {
  const state = ['=', 'node_state', all ? 'any' : 'active']
  const catalogs = await rowsOf(store, questionOf(['from', 'catalogs', ['extract', ['certname', 'code_id'], state]]))
  const codes = new Map(catalogs.map(plain).map(({ certname, code_id }) => [certname, code_id ?? null]))
  const answer = await store.ask(questionOf(['from', 'nodes', state, ['order_by', ['certname']]]))
  if (!answer) return
  for await (const texts of jsonRows(answer.pieces))
    for (const text of texts) {
      const row = plain(parseJson(text) as never)
      yield { ...nodeLine(row), code_id: codes.get(row['certname'] ?? null) ?? null }
    }
}

/** A node in one line, from its row. */
export function nodeLine(row: Readonly<Record<string, ExactJson>>) {
  const { report_timestamp: report, catalog_timestamp: catalog, facts_timestamp: facts } = row
  const times = [report, catalog, facts].filter((time) => typeof time === 'string').sort()
  const environment = row['catalog_environment'] ?? row['facts_environment'] ?? row['report_environment'] ?? null
  return { certname: row['certname'], state: stateOf(row), last_heard: times.at(-1) ?? null, environment }
}

function stateOf(row: Readonly<Record<string, ExactJson>>): string {
  if (row['deactivated']) return 'deactivated'
  if (row['expired']) return 'expired'
  return String(row['latest_report_status'] ?? 'unreported')
}
