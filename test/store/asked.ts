import { readCommand } from '../../src/store/commands/read-command.ts'
import type { Database } from '../../src/store/database/database.ts'
import { ingest } from '../../src/store/ingest/ingest.ts'
import { runQuery } from '../../src/store/query/execution.ts'
import { datasetCommands } from './dataset/commands.js'
import { payloadText } from './dataset/load.js'

/** Questions over all that a store keeps; of those whose order is not defined, the order is asked for. */
export const questions: readonly string[] = [
  '/nodes?query=["=","node_state","any"]&order_by=[{"field":"certname"}]',
  '/factsets?query=["=","node_state","any"]&order_by=[{"field":"certname"}]',
  '/catalogs?query=["=","node_state","any"]&order_by=[{"field":"certname"}]',
  '/reports?order_by=[{"field":"hash"}]',
  '/events?query=["~","certname",""]&order_by=[{"field":"report"},{"field":"resource_type"},{"field":"resource_title"},{"field":"timestamp"},{"field":"property"}]',
  '/fact-paths?order_by=[{"field":"path"},{"field":"type"}]',
  '/fact-contents?order_by=[{"field":"certname"},{"field":"path"}]',
  '/resources?order_by=[{"field":"certname"},{"field":"type"},{"field":"title"}]',
  '/package-inventory?order_by=[{"field":"certname"},{"field":"package_name"}]',
  '/packages?order_by=[{"field":"package_name"},{"field":"version"},{"field":"provider"}]',
  '/catalog-inputs?order_by=[{"field":"certname"}]',
  '/environments?order_by=[{"field":"name"}]',
  '/inventory?query=["=","facts.os.family","Debian"]&order_by=[{"field":"certname"}]',
  '/resources?query=["=",["parameter","ensure"],"running"]&order_by=[{"field":"certname"},{"field":"type"},{"field":"title"}]',
]

/** The answer of a database to a question, as text. */
export async function answered(database: Database, question: string): Promise<string> {
  const at = question.indexOf('?')
  const [path, search] = [question.slice(0, at), question.slice(at + 1)]
  const given = { method: 'GET', path, search } as const
  const found = await runQuery(database, given, { now: Date.now(), nodePurgeTtl: Date.now() })
  let text = ''
  for await (const piece of found!.pieces) text += piece
  return text
}

/** Writes the dataset, some commands in each transaction. */
export async function loadDataset(database: Database): Promise<void> {
  const commands = datasetCommands()
  const received = '2026-11-21T00:00:00.000Z'
  for (let at = 0; at < commands.length; at += 20)
    await database.transaction(async (inside) => {
      for (const { command, version, payload } of commands.slice(at, at + 20)) {
        const read = readCommand({ name: command, version, payload: Buffer.from(payloadText(payload)), received })
        await ingest(inside, read, Date.parse(received))
      }
    })
}
