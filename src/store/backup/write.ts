import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import { defineIssues, fail } from '../../base/issue.ts'
import { parseJson } from '../../base/json/json-text.ts'
import type { Database, Row } from '../database/database.ts'
import { keptText } from '../ingest/identity.ts'
import { versionOf } from '../schema/migrate.ts'
import { backupFormat } from './format.ts'
import { type Column, type Table, tablesOf } from './tables.ts'

const issues = defineIssues({
  BACKUP_EXISTS: {
    text: (a: { file: string }) => `There is a file already: ${a.file}`,
    hint: () => 'A backup takes the place of nothing. Name another file, or remove this one.',
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
  await refuseExisting(file)
  const part = `${file}.part`
  await rm(part, { force: true })
  let rows = 0
  try {
    await database.snapshot(async (inside) => {
      const lines = linesOf(inside, now, () => rows++)
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

async function refuseExisting(file: string): Promise<void> {
  const found = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await found?.close()
  if (found) fail(issues.BACKUP_EXISTS, { file })
}

async function* linesOf(database: Database, now: number, count: () => void): AsyncIterable<string> {
  const schema = await versionOf(database)
  yield line({ format: backupFormat, version: 1, schema, made: new Date(now).toISOString() })
  let rows = 0
  for (const table of await tablesOf(database)) {
    yield line({ table: table.name, columns: table.columns.map(({ name }) => name) })
    for await (const some of database.stream<Row>(sql`select * from ${sql.table(table.name)}`, atOnce)) {
      rows += some.length
      for (const _ of some) count()
      yield some.map((row) => line(valuesOf(row, table))).join('')
    }
  }
  yield line({ end: rows })
}

const line = (data: unknown): string => `${JSON.stringify(data)}\n`

function valuesOf(row: Row, { columns }: Table): readonly unknown[] {
  return columns.map((column) => travelling(row[column.name], column))
}

/** Encodes a value for a backup: bytes as base64, and JSON as the text that SQLite stores, with sorted keys. */
function travelling(value: unknown, { kind }: Column): unknown {
  if (value === null || value === undefined) return null
  if (kind === 'bytes') return Buffer.from(value as Uint8Array).toString('base64')
  return kind === 'json' ? keptText(parseJson(value as string)) : value
}

/**
 * Returns a function that backs up a database into a new file of `folder` before a migration.
 * `made` is called with the path of the file.
 */
export function backupBefore(database: Database, folder: string, now: number, made: (file: string) => void = () => {}) {
  return async (version: number): Promise<void> => {
    const time = new Date(now).toISOString().replace(/[:.]/g, '-')
    const file = join(folder, `schema-${version}-${time}.gz`)
    await writeBackup(database, file, now)
    made(file)
  }
}
