import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { createTableStep, type RetentionStep } from './step.ts'

interface Expiring {
  /** Milliseconds since 1970; nodes without new data since this time expire. */
  readonly since: number
  readonly now: number
  /** Range of the node ids to check: greater than `after`, and at most `last`. By default, all nodes are checked. */
  readonly after?: number
  readonly last?: number
}

/** Marks nodes without new data since a given time as expired, and returns their number. */
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

/** The step that expires nodes. */
export function createExpirationStep(nodeTtl: number, now: number): RetentionStep {
  return createTableStep('nodes', (inside, range) => expireNodes(inside, { ...range, now, since: now - nodeTtl }))
}
