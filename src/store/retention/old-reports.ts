import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Sql } from '../database/dialect.ts'
import { getPartitionName, listPartitions } from '../schema/report-partitions.ts'
import { type ReportTimes, readGrace } from './report-partitions.ts'
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
export function createReportRemoval(times: ReportTimes, now: number): RetentionStep {
  return async (inside, limit) => {
    const horizon = now - times.reportTtl - (await readGrace(inside, 'reports', times))
    const removed = await removeReports(inside, sql`producer_timestamp < ${horizon}`, limit)
    return { removed, done: removed === 0 }
  }
}

/** The step that removes old events of reports that are kept. */
export function createEventRemoval(times: ReportTimes, now: number): RetentionStep {
  return async (inside, limit) => {
    const horizon = now - times.resourceEventsTtl - (await readGrace(inside, 'resource_events', times))
    const partitions = await listPartitions(inside, 'resource_events')
    const tables = partitions.map((at) => getPartitionName('resource_events', at))
    // Rows are removed by their place in a table, so each partition is a table of its own.
    for (const table of tables.length > 0 ? tables : ['resource_events']) {
      const removed = await inside.run(inside.dialect.removeSome(table, sql`timestamp < ${horizon}`, limit))
      if (removed > 0) return { removed, done: false }
    }
    return { removed: 0, done: true }
  }
}
