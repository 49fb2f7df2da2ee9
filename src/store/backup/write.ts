import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { parseJson } from '../../base/json/json-text.ts'
import type { Database, DatabaseRow } from '../database/database.ts'
import { formatStoredJson } from '../ingest/identity.ts'
import { readSchemaVersion } from '../schema/migrations.ts'
import { backupFormat } from './format.ts'
import { type BackupColumn, type BackupTable, listTables } from './tables.ts'

const issues = defineIssues({
  BACKUP_EXISTS: {
    text: (a: { file: string }) => `The file already exists: ${a.file}`,
    hint: () => 'A backup does not overwrite files. Give another file name, or remove the file.',
  },
})

/** Number of rows per read. */
const atOnce = 500

/**
 * Writes a consistent snapshot of a database to a file, while other connections may write to the
 * database, and returns the number of rows. The file contains gzipped lines of JSON in the same
 * format for SQLite and PostgreSQL. It gets its final name when complete. Throws BACKUP_EXISTS.
 */
export async function writeBackup(database: Database, file: string, now: number): Promise<number> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await requireNewFile(file)
  const part = `${file}.part`
  await rm(part, { force: true })
  let rows = 0
  try {
    await database.snapshot(async (inside) => {
      const lines = formatBackupLines(inside, now, () => rows++)
      const out = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true })
      await pipeline(Readable.from(lines), createGzip({ level: 6 }), out)
    })
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  return rows
}

async function requireNewFile(file: string): Promise<void> {
  const found = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await found?.close()
  if (found) throwIssue(issues.BACKUP_EXISTS, { file })
}

async function* formatBackupLines(database: Database, now: number, count: () => void): AsyncIterable<string> {
  const schema = await readSchemaVersion(database)
  yield formatLine({ format: backupFormat, version: 1, schema, made: new Date(now).toISOString() })
  let rows = 0
  for (const table of await listTables(database)) {
    yield formatLine({ table: table.name, columns: table.columns.map(({ name }) => name) })
    for await (const some of database.stream<DatabaseRow>(sql`select * from ${sql.table(table.name)}`, atOnce)) {
      rows += some.length
      for (const _ of some) count()
      yield some.map((row) => formatLine(encodeRow(row, table))).join('')
    }
  }
  yield formatLine({ end: rows })
}

const formatLine = (data: unknown): string => `${JSON.stringify(data)}\n`

function encodeRow(row: DatabaseRow, { columns }: BackupTable): readonly unknown[] {
  return columns.map((column) => encodeValue(row[column.name], column))
}

/** Encodes a value for a backup: bytes as base64, and JSON as the text that SQLite stores, with sorted keys. */
function encodeValue(value: unknown, { kind }: BackupColumn): unknown {
  if (value === null || value === undefined) return null
  if (kind === 'bytes') return Buffer.from(value as Uint8Array).toString('base64')
  return kind === 'json' ? formatStoredJson(parseJson(value as string)) : value
}

/**
 * Returns a function that backs up a database into a new file of `folder` before a migration.
 * `made` is called with the path of the file.
 */
export function createMigrationBackup(
  database: Database,
  folder: string,
  now: number,
  made: (file: string) => void = () => {},
) {
  return async (version: number): Promise<void> => {
    const time = new Date(now).toISOString().replace(/[:.]/g, '-')
    const file = join(folder, `schema-${version}-${time}.gz`)
    await writeBackup(database, file, now)
    made(file)
  }
}
