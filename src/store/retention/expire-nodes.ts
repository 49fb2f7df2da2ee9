import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { type Step, throughTable } from './step.ts'

interface Expiring {
  /** Nodes of which nothing was heard since then, in milliseconds since 1970. */
  readonly since: number
  readonly now: number
  /** Ids of the nodes that are looked at: those above, up to the last. All by default. */
  readonly after?: number
  readonly last?: number
}

/** Nodes of which nothing was heard since a time are expired as of now. Number of them. */
export function expireNodes(
  database: Database,
  { now, since, after = 0, last = Number.MAX_SAFE_INTEGER }: Expiring,
): Promise<number> {
  return database.run(
    sql`update nodes set expired = ${now}
      where id > ${after} and id <= ${last} and deactivated is null and expired is null
        and coalesce((select producer_timestamp from catalogs where catalogs.id = nodes.catalog_id), 0) < ${since}
        and coalesce((select producer_timestamp from factsets where factsets.node_id = nodes.id), 0) < ${since}
        and coalesce((select producer_timestamp from reports where reports.id = nodes.latest_report_id), 0) < ${since}
        and (expires_facts_updated is null or (expires_facts and expires_facts_updated < ${since}))
        and coalesce(catalog_inputs_timestamp, 0) < ${since}`,
  )
}

/** Expires nodes. */
export function expiringNodes(nodeTtl: number, now: number): Step {
  return throughTable('nodes', (inside, range) => expireNodes(inside, { ...range, now, since: now - nodeTtl }))
}
