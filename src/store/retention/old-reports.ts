import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Sql } from '../database/dialect.ts'
import type { RetentionStep } from './step.ts'

/** Number of event rows that take as much work as one report; used for the limit of a slice. */
const eventsOfReport = 20

/** Removes reports together with their events, and returns the number of reports. */
export async function removeReports(inside: Database, which: Sql, limit: number): Promise<number> {
  const number = Math.ceil(limit / eventsOfReport)
  const found = await inside.all<{ id: number }>(
    sql`select id from reports where ${which} order by producer_timestamp limit ${number}`,
  )
  if (found.length === 0) return 0
  const ids = sql`(select value from ${inside.dialect.integers(found.map(({ id }) => id))})`
  await inside.run(sql`delete from resource_events where report_id in ${ids}`)
  await inside.run(sql`update nodes set latest_report_id = null where latest_report_id in ${ids}`)
  await inside.run(sql`delete from reports where id in ${ids}`)
  return found.length
}

/** The step that removes old reports. */
export function createReportRemoval(reportTtl: number, now: number): RetentionStep {
  return async (inside, limit) => {
    const removed = await removeReports(inside, sql`producer_timestamp < ${now - reportTtl}`, limit)
    return { removed, done: removed === 0 }
  }
}

/** The step that removes old events of reports that are kept. */
export function createEventRemoval(resourceEventsTtl: number, now: number): RetentionStep {
  return async (inside, limit) => {
    const old = sql`timestamp < ${now - resourceEventsTtl}`
    const removed = await inside.run(inside.dialect.removeSome('resource_events', old, limit))
    return { removed, done: removed === 0 }
  }
}
