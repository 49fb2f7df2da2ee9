import { sql } from 'kysely'
import { type Database, getFirstRow } from '../database/database.ts'
import { findOrInsertRows } from './shared-rows.ts'
import { lockNode } from './write-locks.ts'

/** The result of a command. */
export type IngestOutcome = 'incorporated' | 'stale' | 'duplicate'

/**
 * Returns the id of a node that has new data with the given time. Reactivates the node if it was
 * deactivated or expired before that time.
 */
export async function activateNode(database: Database, certname: string, time: number): Promise<number> {
  const [id = 0] = await findOrInsertRows(database, { table: 'nodes', key: { certname: 'text' } }, [[certname]])
  await lockNode(database, id)
  await database.run(
    sql`update nodes set deactivated = null, expired = null
      where id = ${id} and (deactivated < ${time} or expired < ${time})`,
  )
  return id
}

/** Returns the id of a name in a table of names, and inserts a missing name; null for null. */
export async function findOrInsertName(
  database: Database,
  table: 'environments' | 'producers',
  name: string | null,
): Promise<number | null> {
  if (name === null) return null
  const [id = null] = await findOrInsertRows(database, { table, key: { name: 'text' } }, [[name]])
  return id
}

/** Deactivates a node, unless newer data of the node is stored. */
export async function deactivateNode(database: Database, certname: string, time: number): Promise<IngestOutcome> {
  const node = await getFirstRow<{ id: number; newest: number | null }>(
    database,
    sql`select nodes.id as id, (select max(time) from (
        select producer_timestamp as time from catalogs where id = nodes.catalog_id
        union all select producer_timestamp from factsets where node_id = nodes.id
        union all select nodes.latest_report_timestamp
      ) as times) as newest
      from nodes where certname = ${certname}`,
  )
  if (node?.newest && node.newest > time) return 'stale'
  const id =
    node?.id ?? (await findOrInsertRows(database, { table: 'nodes', key: { certname: 'text' } }, [[certname]]))[0]
  await database.run(
    sql`update nodes set deactivated = ${time} where id = ${id} and (deactivated is null or deactivated < ${time})`,
  )
  return 'incorporated'
}

/** Sets the expiration of a node's facts. */
export async function setExpiration(
  database: Database,
  certname: string,
  { facts, time }: { facts: boolean; time: number },
): Promise<IngestOutcome> {
  const id = await activateNode(database, certname, time)
  await database.run(
    sql`update nodes set expires_facts = ${facts}, expires_facts_updated = ${time}
      where id = ${id} and (expires_facts_updated is null or expires_facts_updated < ${time})`,
  )
  return 'incorporated'
}
