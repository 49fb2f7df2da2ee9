import { sql } from 'kysely'
import { type Database, first } from '../database/database.ts'
import { removeReports } from './old-reports.ts'
import type { Step } from './step.ts'

/** Forgets a node at once, as far as anybody can see; what it leaves behind is removed by `sweepingPurged`. */
export async function purgeNode(inside: Database, id: number): Promise<void> {
  await inside.run(sql`insert into purged_nodes (node_id) values (${id}) on conflict do nothing`)
  await inside.run(sql`delete from nodes where id = ${id}`)
}

/**
 * Purges nodes that have been deactivated or expired for some time, those that were so the longest first.
 * @param most Nodes at most; all of them if absent.
 */
export function purgingNodes(nodePurgeTtl: number, now: number, most = Number.POSITIVE_INFINITY): Step {
  let left = most
  return async (inside, limit) => {
    const number = Math.min(left, limit)
    const horizon = now - nodePurgeTtl
    const old = await inside.all<{ id: number }>(
      sql`select id from nodes where deactivated < ${horizon} or expired < ${horizon}
        order by coalesce(deactivated, expired), id limit ${number}`,
    )
    for (const { id } of old) await purgeNode(inside, id)
    left -= old.length
    return { removed: old.length, done: old.length < number || left === 0 }
  }
}

/** Tables that have rows of a node, without its reports. */
const ofNode = [
  'factsets',
  'facts',
  'fact_changes',
  'node_packages',
  'catalog_resources',
  'catalog_inputs',
  'catalogs',
] as const

/** The column by which rows of one node differ, where a table has no place of rows. */
const keys: Readonly<Record<(typeof ofNode)[number], string>> = {
  factsets: 'node_id',
  facts: 'value_id',
  fact_changes: 'producer_timestamp',
  node_packages: 'package_id',
  catalog_resources: 'content_id',
  catalog_inputs: 'name',
  catalogs: 'id',
}

/** Removes what purged nodes left behind. */
export function sweepingPurged(): Step {
  return async (inside, limit) => {
    const purged = await first<{ node_id: number }>(inside, sql`select node_id from purged_nodes limit 1`)
    if (!purged) return { removed: 0, done: true }
    const { node_id: node } = purged
    for (const table of ofNode) {
      const key = sql.id(keys[table])
      const removed = await inside.run(
        sql`delete from ${sql.table(table)} where node_id = ${node} and ${key} in (
          select ${key} from ${sql.table(table)} where node_id = ${node} limit ${limit})`,
      )
      if (removed > 0) return { removed, done: false }
    }
    const reports = await removeReports(inside, sql`node_id = ${node}`, limit)
    if (reports === 0) await inside.run(sql`delete from purged_nodes where node_id = ${node}`)
    return { removed: reports, done: false }
  }
}
