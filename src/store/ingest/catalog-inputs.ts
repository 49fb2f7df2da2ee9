import { sql } from 'kysely'
import type { CatalogInputs } from '../commands/command.ts'
import { type Database, getFirstRow } from '../database/database.ts'
import { activateNode, type IngestOutcome } from './nodes.ts'

/** Replaces the stored inputs of a node's catalog. */
export async function replaceCatalogInputs(database: Database, given: CatalogInputs): Promise<IngestOutcome> {
  if (given.inputs.length === 0) return 'incorporated'
  const time = Date.parse(given.producer_timestamp)
  const nodeId = await activateNode(database, given.certname, time)
  const before = await getFirstRow<{ time: number | null }>(
    database,
    sql`select catalog_inputs_timestamp as time from nodes where id = ${nodeId}`,
  )
  if (before?.time && before.time >= time) return 'stale'
  const handed = database.dialect.rows({ type: 'text', name: 'text' }, given.inputs)
  await database.run(sql`delete from catalog_inputs where node_id = ${nodeId}`)
  await database.run(
    sql`insert into catalog_inputs (node_id, type, name) select ${nodeId}, type, name from ${handed}
      where true on conflict do nothing`,
  )
  await database.run(
    sql`update nodes set catalog_inputs_timestamp = ${time}, catalog_inputs_uuid = ${given.catalog_uuid}
      where id = ${nodeId}`,
  )
  return 'incorporated'
}
