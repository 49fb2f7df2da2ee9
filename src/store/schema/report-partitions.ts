import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Dialect } from '../database/dialect.ts'

/**
 * Number of report ids in a partition: partition N contains the reports with the ids N * 2^32 to
 * (N + 1) * 2^32 - 1, and their events. No partition is ever full: a new partition begins by setting the
 * id counter to its first id.
 */
export const partitionIds = 2 ** 32

/** The schema version since which the tables are partitioned. */
export const partitionVersion = 3

/** Indexes of the partitioned tables, by the suffix of their names. */
const indexes = {
  reports: {
    by_node: '(node_id, producer_timestamp)',
    by_time: `(producer_timestamp, node_id, environment_id, producer_id, status, noop_pending, corrective_change,
      report_type)`,
    by_environment: '(environment_id)',
  },
  resource_events: {
    by_report: '(report_id)',
    by_time: '(timestamp)',
    by_resource: '(resource_type, resource_title)',
  },
} as const

/** A table that is partitioned in PostgreSQL. */
export type PartitionedTable = keyof typeof indexes

/** The partitioned tables, and the column that determines the partition of a row. */
export const partitionKeys: Readonly<Record<PartitionedTable, string>> = { reports: 'id', resource_events: 'report_id' }

/**
 * The third schema: in PostgreSQL, `reports` and `resource_events` are partitioned by the id of the report,
 * so that expired rows are removed by dropping a partition. Ids increase with the time of receipt. The key
 * is the id, not the time, because events must expire with their report, because queries join by the id,
 * and because no time that a client sends can be outside all partitions. The existing tables become the
 * first partition; their rows are read once, and not written.
 */
export function createPartitionedReports({ name }: Dialect): readonly string[] {
  if (name === 'sqlite') return []
  return [
    'alter table reports alter column id drop identity',
    'alter index reports_pkey rename to reports_0_pkey',
    ...moveToPartition('reports'),
    'create sequence reports_ids owned by reports.id',
    "select setval('reports_ids', coalesce(max(id), 1), max(id) is not null) from reports_0",
    "alter table reports alter column id set default nextval('reports_ids')",
    'alter table reports add primary key (id)',
    attachPartition('reports', 0),
    ...moveToPartition('resource_events'),
    attachPartition('resource_events', 0),
  ]
}

/** Renames a table to its first partition, and creates the partitioned table. */
function moveToPartition(table: PartitionedTable): readonly string[] {
  const all = Object.entries(indexes[table])
  return [
    `alter table ${table} rename to ${table}_0`,
    ...all.map(([suffix]) => `alter index ${table}_${suffix} rename to ${table}_0_${suffix}`),
    `create table ${table} (like ${table}_0) partition by range (${partitionKeys[table]})`,
    ...all.map(([suffix, columns]) => `create index ${table}_${suffix} on ${table} ${columns}`),
  ]
}

function attachPartition(table: PartitionedTable, at: number): string {
  const from = at === 0 ? 'minvalue' : at * partitionIds
  return `alter table ${table} attach partition ${table}_${at} for values from (${from}) to (${(at + 1) * partitionIds})`
}

/**
 * Creates a partition. Attaching it, unlike `create table … partition of`, does not block queries. The digest
 * of a report is unique in each partition; the writer looks for it in all of them, while it holds the node's lock.
 */
export async function createPartition(inside: Database, at: number): Promise<void> {
  for (const statement of [
    `create table reports_${at} (like reports including indexes)`,
    `alter table reports_${at} add unique (hash)`,
    attachPartition('reports', at),
    `create table resource_events_${at} (like resource_events including indexes)`,
    attachPartition('resource_events', at),
  ])
    await inside.run(sql.raw(statement))
}

/** Numbers of the partitions of a table, oldest first; none in SQLite. */
export async function listPartitions(database: Database, table: PartitionedTable): Promise<readonly number[]> {
  if (database.dialect.name === 'sqlite') return []
  const rows = await database.all<{ name: string }>(
    sql`select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = to_regclass(${table})`,
  )
  return rows.map(({ name }) => Number(name.slice(table.length + 1))).sort((a, b) => a - b)
}

/** Name of a partition. */
export function getPartitionName(table: PartitionedTable, at: number): string {
  return `${table}_${at}`
}
