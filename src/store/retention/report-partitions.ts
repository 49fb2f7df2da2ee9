import { sql } from 'kysely'
import { type Database, getFirstRow } from '../database/database.ts'
import {
  createPartition,
  getPartitionName,
  listPartitions,
  type PartitionedTable,
  partitionIds,
  partitionVersion,
} from '../schema/report-partitions.ts'
import type { RetentionStep, SliceResult } from './step.ts'
import type { RetentionTimes } from './times.ts'

/** Times that determine the partitions. */
export type ReportTimes = Pick<RetentionTimes, 'reportTtl' | 'resourceEventsTtl'>

const dayMs = 86_400_000
/** Number of partitions in the retention time of reports. Each partition adds to the planning time of queries. */
const partitionsOfTtl = 20
/** Minimum number of reports in a partition: deleting fewer rows is faster than planning queries for a further partition. */
const fewestReports = 100_000
/** Time limit for a lock on the tables: queries and commands wait behind a request for the lock. */
const lockMs = 100

/** Milliseconds after which a new partition begins: a day, or more if reports are kept for long. */
function getInterval({ reportTtl }: ReportTimes): number {
  return Math.max(dayMs, reportTtl / partitionsOfTtl)
}

/**
 * Milliseconds that expired rows are kept, so that they are removed with their partition and not one by one.
 * Rows are removed one by one if there is only one partition, or if a partition cannot be dropped for longer
 * than this time, for example because of a report with a time in the future.
 */
export async function readGrace(inside: Database, table: PartitionedTable, times: ReportTimes): Promise<number> {
  return (await listPartitions(inside, table)).length > 1 ? 2 * getInterval(times) : 0
}

/** The step that begins a partition when the last one is old and large enough. Writers wait for the slice. */
export function createPartitionStart(times: ReportTimes, now: number): RetentionStep {
  return async (inside) => {
    const last = (await listPartitions(inside, 'reports')).at(-1)
    if (last === undefined || !(await isComplete(inside, last, now - getInterval(times)))) return nothing
    await tryWithLocks(inside, async () => {
      await createPartition(inside, last + 1)
      await inside.all(sql`select setval('reports_ids', ${(last + 1) * partitionIds}, false)`)
    })
    return nothing
  }
}

const nothing: SliceResult = { removed: 0, done: true }

/**
 * True if a partition has enough reports, and its first report was received, and the tables were partitioned,
 * before a time. The latter gives time to update all servers: an older version deletes wrong events if there
 * are several partitions.
 */
async function isComplete(inside: Database, at: number, before: number): Promise<boolean> {
  const partition = sql.table(getPartitionName('reports', at))
  const row = await getFirstRow<{ size: number | null; since: number | null }>(
    inside,
    sql`select max(id) - min(id) + 1 as size, greatest(
        (select receive_time from ${partition} order by id limit 1),
        (select migrated from schema_versions where version = ${partitionVersion})) as since
      from ${partition}`,
  )
  return row?.size != null && row.size >= fewestReports && row.since! <= before
}

/** The step that drops the partitions whose reports have expired, with their events; one in each slice. */
export function createReportPartitionRemoval({ reportTtl }: ReportTimes, now: number): RetentionStep {
  return async (inside) => {
    const at = await findExpired(inside, 'reports', now - reportTtl)
    if (at === undefined) return nothing
    const hasEvents = (await listPartitions(inside, 'resource_events')).includes(at)
    return dropPartitions(inside, at, hasEvents ? ['reports', 'resource_events'] : ['reports'])
  }
}

/** The step that drops the partitions whose events have expired before their reports. */
export function createEventPartitionRemoval({ resourceEventsTtl }: ReportTimes, now: number): RetentionStep {
  return async (inside) => {
    const at = await findExpired(inside, 'resource_events', now - resourceEventsTtl)
    return at === undefined ? nothing : dropPartitions(inside, at, ['resource_events'])
  }
}

const times: Readonly<Record<PartitionedTable, string>> = {
  reports: 'producer_timestamp',
  resource_events: 'timestamp',
}

/** The first partition, except the last one, without a row at or after a time. */
async function findExpired(inside: Database, table: PartitionedTable, horizon: number): Promise<number | undefined> {
  for (const at of (await listPartitions(inside, table)).slice(0, -1)) {
    const partition = sql.table(getPartitionName(table, at))
    const row = await getFirstRow<{ newest: number | null }>(
      inside,
      sql`select max(${sql.id(times[table])}) as newest from ${partition}`,
    )
    if ((row?.newest ?? 0) < horizon) return at
  }
  return undefined
}

async function dropPartitions(inside: Database, at: number, tables: readonly PartitionedTable[]): Promise<SliceResult> {
  let removed = 0
  const isDropped = await tryWithLocks(inside, async () => {
    for (const table of tables) {
      const partition = getPartitionName(table, at)
      const row = await getFirstRow<{ rows: number }>(
        inside,
        sql`select greatest(reltuples, 0)::bigint as rows from pg_class where oid = to_regclass(${partition})`,
      )
      removed += row?.rows ?? 0
      await inside.run(sql`drop table ${sql.table(partition)}`)
    }
    if (tables.includes('reports'))
      await inside.run(
        sql`update nodes set latest_report_id = null
          where latest_report_id >= ${at * partitionIds} and latest_report_id < ${(at + 1) * partitionIds}`,
      )
  })
  return isDropped ? { removed, done: false } : nothing
}

/**
 * Runs statements that lock whole tables. Returns false, and undoes them, if a lock is not available within
 * the time limit, for example because of a long query; the next collection tries again.
 */
async function tryWithLocks(inside: Database, work: () => Promise<void>): Promise<boolean> {
  await inside.run(sql`savepoint partitions`)
  try {
    await inside.run(sql`set local lock_timeout = ${sql.lit(lockMs)}`)
    await work()
    return true
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== lockNotAvailable) throw error
    await inside.run(sql`rollback to savepoint partitions`)
    return false
  }
}

const lockNotAvailable = '55P03'
