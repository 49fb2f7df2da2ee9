import type { ExactJson } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { defineCommand } from '../command/command.ts'
import { renderAs } from '../command/options.ts'
import { tokenOptions } from '../connection/token-session.ts'
import { createGetQuery, queryObject } from '../query/query-rows.ts'
import { withQueryStore } from '../query/query-store.ts'

/** The command `plumb node status`, with the output of PuppetDB's `puppet node status`. */
export const nodeStatus = defineCommand({
  name: 'status',
  summary: 'Print the states of nodes and the times of their last catalogs and facts.',
  description: `Prints the states in the format of the PuppetDB command 'node status'. Exits with 0, with 1 if the store cannot be
queried, or with 2 if one of the nodes is not in the store.

  plumb node status web1.example.com web2.example.com
  plumb node status web1.example.com --server puppet.example.com --render-as json`,
  usage: '<node...>',
  options: [...tokenOptions, renderAs],
  async run(invocation) {
    const { args, options, io } = invocation
    const rows = await withQueryStore(invocation, async (store) => {
      const found: (readonly [name: string, row: Row | undefined])[] = []
      for (const name of args) found.push([name, await queryObject(store, createGetQuery(['nodes', name]))])
      return found
    })
    if (options.renderAs === 'json')
      io.out(`${formatExactJson(rows.map(([name, row]) => row ?? { name }) as never, 2)}\n`)
    else
      io.out(rows.map(([name, row]) => `${[name, ...formatStatusLines(row)].map(toPrintable).join('\n')}\n`).join('\n'))
    return rows.some(([, row]) => !row) ? 2 : 0
  },
})

type Row = Readonly<Record<string, ExactJson>>

function formatStatusLines(row: Row | undefined): readonly string[] {
  if (!row) return ['No information known']
  const { deactivated, expired, catalog_timestamp: catalog, facts_timestamp: facts } = row
  const state = deactivated ? `Deactivated at ${deactivated}` : expired ? `Expired at ${expired}` : 'Currently active'
  return [
    state,
    catalog ? `Last catalog: ${catalog}` : 'No catalog received',
    facts ? `Last facts: ${facts}` : 'No facts received',
  ]
}
