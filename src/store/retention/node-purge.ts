import { sql } from 'kysely'
import { type Database, getFirstRow } from '../database/database.ts'
import { removeReports } from './old-reports.ts'
import type { RetentionStep } from './step.ts'

/**
 * Removes a node from all query results at once. `createPurgedNodeSweep` removes its remaining rows later.
 */
export async function purgeNode(inside: Database, id: number): Promise<void> {
  await inside.run(sql`insert into purged_nodes (node_id) values (${id}) on conflict do nothing`)
  await inside.run(sql`delete from nodes where id = ${id}`)
}

/**
 * The step that purges nodes that were deactivated or expired long enough ago, oldest first.
 * @param most Maximum number of purged nodes; no limit if absent.
 */
export function createNodePurge(nodePurgeTtl: number, now: number, most = Number.POSITIVE_INFINITY): RetentionStep {
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

/** Tables that contain rows of a node, except the tables of its reports. */
const ofNode = [
  'factsets',
  'facts',
  'fact_changes',
  'node_packages',
  'catalog_resources',
  'catalog_inputs',
  'catalogs',
] as const

/** For tables without a row id: the column that distinguishes the rows of one node. */
const keys: Readonly<Record<(typeof ofNode)[number], string>> = {
  factsets: 'node_id',
  facts: 'value_id',
  fact_changes: 'producer_timestamp',
  node_packages: 'package_id',
  catalog_resources: 'content_id',
  catalog_inputs: 'name',
  catalogs: 'id',
}

/** The step that removes the remaining rows of purged nodes. */
export function createPurgedNodeSweep(): RetentionStep {
  return async (inside, limit) => {
    const purged = await getFirstRow<{ node_id: number }>(inside, sql`select node_id from purged_nodes limit 1`)
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
