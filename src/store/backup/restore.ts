import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { sql } from 'kysely'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { Database } from '../database/database.ts'
import type { Sql } from '../database/dialect.ts'
import { listMigrations, migrateInTransaction, readSchemaVersion } from '../schema/migrations.ts'
import {
  createPartition,
  listPartitions,
  type PartitionedTable,
  partitionIds,
  partitionKeys,
} from '../schema/report-partitions.ts'
import { backupFormat } from './format.ts'
import { type BackupColumn, listTables } from './tables.ts'

const issues = defineIssues({
  STORE_NOT_EMPTY: {
    text: (a: { table: string }) => `The store is not empty: the table ${a.table} contains rows`,
    hint: () => 'Restore the backup to an empty store: an empty server_datadir/store, or an empty database.',
  },
  NOT_A_BACKUP: {
    text: (a: { file: string; why: string }) => `Incomplete or invalid backup of a store: ${a.file}: ${a.why}`,
  },
})

/** Maximum number of bound values in one statement. */
const valuesAtOnce = 4000

interface Head {
  readonly format: string
  readonly version: number
  readonly schema: number
}

/**
 * Restores a backup into an empty database in one transaction, migrates it to the current schema,
 * and returns the number of rows. Throws STORE_NOT_EMPTY, NOT_A_BACKUP and STORE_TOO_NEW.
 */
export async function restoreBackup(database: Database, file: string, now: number): Promise<number> {
  const lines = readBackupLines(file)
  const head = (await lines.next()).value as Head | undefined
  if (head?.format !== backupFormat || head.version !== 1)
    throwIssue(issues.NOT_A_BACKUP, { file, why: 'it has no header' })
  const migrations = listMigrations(head.schema)
  return database.transaction(async (inside) => {
    await requireEmptyTables(inside)
    if ((await readSchemaVersion(inside)) === 0) await migrateInTransaction(inside, now, migrations)
    const rows = await restoreRows(inside, lines, file)
    await advanceIdCounters(inside)
    await migrateInTransaction(inside, now)
    return rows
  })
}

async function* readBackupLines(file: string): AsyncGenerator<unknown> {
  const packed = createReadStream(file)
  const gunzip = createGunzip()
  packed.on('error', (error) => gunzip.destroy(error))
  try {
    for await (const text of createInterface({ input: packed.pipe(gunzip), crlfDelay: Infinity }))
      yield JSON.parse(text)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    throwIssue(issues.NOT_A_BACKUP, { file, why: (error as Error).message })
  }
}

async function requireEmptyTables(database: Database): Promise<void> {
  for (const { name: table } of await listTables(database)) {
    const [row] = await database.all(sql`select 1 from ${sql.table(table)} limit 1`)
    if (row) throwIssue(issues.STORE_NOT_EMPTY, { table })
  }
}

async function restoreRows(database: Database, lines: AsyncIterable<unknown>, file: string): Promise<number> {
  const known = new Map((await listTables(database)).map((table) => [table.name, table.columns]))
  let [rows, ended, insert] = [0, undefined as number | undefined, undefined as Inserting | undefined]
  for await (const data of lines) {
    if (Array.isArray(data)) {
      rows++
      await insert?.add(data)
      continue
    }
    await insert?.flush()
    const { table, columns, end } = data as { table?: string; columns?: readonly string[]; end?: number }
    if (end !== undefined) ended = end
    else insert = createInserter(database, table!, resolveColumns(table!, columns!, known, file))
  }
  if (ended !== rows) throwIssue(issues.NOT_A_BACKUP, { file, why: 'it is truncated' })
  return rows
}

function resolveColumns(
  table: string,
  names: readonly string[],
  known: ReadonlyMap<string, readonly BackupColumn[]>,
  file: string,
): readonly BackupColumn[] {
  return names.map(
    (name) =>
      known.get(table)?.find((column) => column.name === name) ??
      throwIssue(issues.NOT_A_BACKUP, { file, why: `the schema has no ${table}.${name}` }),
  )
}

interface Inserting {
  add(row: readonly unknown[]): Promise<void>
  flush(): Promise<void>
}

/** Inserts several rows with one statement. */
function createInserter(database: Database, table: string, columns: readonly BackupColumn[]): Inserting {
  const names = sql.join(columns.map(({ name }) => sql.id(name)))
  const most = Math.max(1, Math.floor(valuesAtOnce / columns.length))
  let waiting: Sql[] = []
  const key = columns.findIndex(({ name }) => name === partitionKeys[table as PartitionedTable])
  const partitions = new Set<number>()
  const flush = async () => {
    const rows = waiting
    waiting = []
    if (database.dialect.name === 'postgresql') await createPartitions(database, partitions)
    if (rows.length > 0) await database.run(sql`insert into ${sql.table(table)} (${names}) values ${sql.join(rows)}`)
  }
  return {
    flush,
    async add(row) {
      if (key !== -1) partitions.add(Math.floor(Number(row[key]) / partitionIds))
      waiting.push(sql`(${sql.join(row.map((value, at) => bindValue(database, value, columns[at]!)))})`)
      if (waiting.length === most) await flush()
    },
  }
}

/** Creates the partitions that do not exist yet: those of the store from which the backup was made. */
async function createPartitions(database: Database, wanted: Set<number>): Promise<void> {
  const known = wanted.size === 0 ? [] : await listPartitions(database, 'reports')
  for (const at of wanted) if (known.length > 0 && !known.includes(at)) await createPartition(database, at)
  wanted.clear()
}

const castTo: Readonly<Record<BackupColumn['kind'], string>> = {
  ...{ integer: 'bigint', text: 'text', json: 'jsonb', boolean: 'boolean', bytes: 'bytea' },
}

function bindValue(database: Database, value: unknown, { kind }: BackupColumn): Sql {
  const given = kind === 'bytes' && typeof value === 'string' ? Buffer.from(value, 'base64') : value
  return database.dialect.name === 'sqlite' ? sql`${given}` : sql`${given}::${sql.raw(castTo[kind])}`
}

/**
 * Sets the id counters above all restored ids, and the counter for nodes also above the ids of
 * purged nodes, so that no id is used twice.
 */
async function advanceIdCounters(database: Database): Promise<void> {
  const last = sql`(select max(id) from (select max(id) as id from nodes union all select max(node_id) from purged_nodes) as ids)`
  if (database.dialect.name === 'sqlite') {
    await database.run(sql`delete from sqlite_sequence where name = 'nodes'`)
    await database.run(sql`insert into sqlite_sequence (name, seq) select 'nodes', coalesce(${last}, 0)`)
    return
  }
  for (const { name, columns } of await listTables(database)) {
    // The ids of orders are texts, and have no counter.
    if (columns[0]?.name !== 'id' || columns[0].kind !== 'integer') continue
    const highest = name === 'nodes' ? last : sql`(select max(id) from ${sql.table(name)})`
    await database.all(
      sql`select setval(pg_get_serial_sequence(${name}, 'id'), coalesce(${highest}, 1), ${highest} is not null)`,
    )
  }
}
