import { sql } from 'kysely'
import { type Database, first } from '../database/database.ts'
import { lockNode } from './beside-others.ts'
import { identify } from './known-rows.ts'

/** The result of a command. */
export type Outcome = 'incorporated' | 'stale' | 'duplicate'

/**
 * Returns the id of a node that has new data with the given time. Reactivates the node if it was
 * deactivated or expired before that time.
 */
export async function activeNode(database: Database, certname: string, time: number): Promise<number> {
  const [id = 0] = await identify(database, { table: 'nodes', key: { certname: 'text' } }, [[certname]])
  await lockNode(database, id)
  await database.run(
    sql`update nodes set deactivated = null, expired = null
      where id = ${id} and (deactivated < ${time} or expired < ${time})`,
  )
  return id
}

/** Returns the id of a name in a table of names; null for null. */
export async function nameId(
  database: Database,
  table: 'environments' | 'producers',
  name: string | null,
): Promise<number | null> {
  if (name === null) return null
  const [id = null] = await identify(database, { table, key: { name: 'text' } }, [[name]])
  return id
}

/** Deactivates a node, unless newer data of the node is stored. */
export async function deactivate(database: Database, certname: string, time: number): Promise<Outcome> {
  const node = await first<{ id: number; newest: number | null }>(
    database,
    sql`select nodes.id as id, (select max(time) from (
        select producer_timestamp as time from catalogs where id = nodes.catalog_id
        union all select producer_timestamp from factsets where node_id = nodes.id
        union all select nodes.latest_report_timestamp
      ) as times) as newest
      from nodes where certname = ${certname}`,
  )
  if (node?.newest && node.newest > time) return 'stale'
  const id = node?.id ?? (await identify(database, { table: 'nodes', key: { certname: 'text' } }, [[certname]]))[0]
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
): Promise<Outcome> {
  const id = await activeNode(database, certname, time)
  await database.run(
    sql`update nodes set expires_facts = ${facts}, expires_facts_updated = ${time}
      where id = ${id} and (expires_facts_updated is null or expires_facts_updated < ${time})`,
  )
  return 'incorporated'
}
