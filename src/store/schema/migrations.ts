import { sql } from 'kysely'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { type Database, getFirstRow } from '../database/database.ts'
import type { Dialect } from '../database/dialect.ts'
import { createFirstSchema } from './first-schema.ts'
import { createOrderTables } from './orders.ts'
import { createReportEndTimes } from './report-end-times.ts'
import { createPartitionedReports } from './report-partitions.ts'
import { createRolloutTables } from './rollouts.ts'
import { createSourcedFilesSchema } from './sourced-files.ts'

/** Statements that migrate the schema from one version to the next. */
export type Migration = (dialect: Dialect) => readonly string[]

/** Migrations in one direction only: index 0 migrates to version 1. A released migration is never changed. */
const released: readonly Migration[] = [
  createFirstSchema,
  createSourcedFilesSchema,
  createPartitionedReports,
  createReportEndTimes,
  createRolloutTables,
  createOrderTables,
]

/** The schema version that this program reads and writes. */
export const schemaVersion = released.length

const issues = defineIssues({
  STORE_TOO_NEW: {
    text: (a: { version: number; known: number }) =>
      `The store has schema version ${a.version}; this program supports versions up to ${a.known}`,
    hint: () =>
      'A newer version of the program migrated the store. Install that version, or restore a backup from before the migration.',
  },
})

/**
 * Key of a PostgreSQL advisory lock, held during a migration because other servers may start with
 * the same database.
 */
const migrationLock = 0x706c756e

/** Schema version of a database; 0 if it is empty. */
export async function readSchemaVersion(database: Database): Promise<number> {
  const [place] = await database.all<{ found: unknown }>(placeOfVersions[database.dialect.name])
  if (place?.found == null) return 0
  const row = await getFirstRow<{ version: number | null }>(
    database,
    sql`select max(version) as version from schema_versions`,
  )
  return row?.version ?? 0
}

/** A query for the name of the version table, in the column `found`; no name if the table does not exist. */
const placeOfVersions = {
  sqlite: sql`select name as found from sqlite_master where type = 'table' and name = 'schema_versions'`,
  postgresql: sql`select to_regclass('schema_versions')::text as found`,
}

/** Options of a migration. */
export interface MigrationOptions {
  /** All known migrations. */
  readonly migrations?: readonly Migration[]
  /** Called and awaited before the schema of a non-empty database changes, to make a backup. */
  before?(version: number): Promise<void>
}

/** Migrates a database to the newest version in one transaction. Throws STORE_TOO_NEW. */
export async function migrateDatabase(
  database: Database,
  now: number,
  { migrations = released, before }: MigrationOptions = {},
): Promise<void> {
  const found = await readSchemaVersion(database)
  if (found === migrations.length) return
  if (found > 0 && found < migrations.length) await before?.(found)
  await database.transaction((inside) => migrateInTransaction(inside, now, migrations))
}

/**
 * Migrates a database inside a transaction, by default to the newest version. Throws STORE_TOO_NEW.
 */
export async function migrateInTransaction(
  inside: Database,
  now: number,
  migrations: readonly Migration[] = released,
): Promise<void> {
  if (inside.dialect.name === 'postgresql') await inside.all(sql`select pg_advisory_xact_lock(${migrationLock})`)
  await inside.run(
    sql`create table if not exists schema_versions (version bigint primary key, migrated bigint not null)`,
  )
  const version = await readSchemaVersion(inside)
  if (version > migrations.length) throwIssue(issues.STORE_TOO_NEW, { version, known: migrations.length })
  for (const [at, migration] of migrations.entries()) {
    if (at < version) continue
    for (const statement of migration(inside.dialect)) await inside.run(sql.raw(statement))
    await inside.run(sql`insert into schema_versions (version, migrated) values (${at + 1}, ${now})`)
  }
}

/** Returns the migrations up to a released version. Throws STORE_TOO_NEW. */
export function listMigrations(version: number): readonly Migration[] {
  if (version > released.length) throwIssue(issues.STORE_TOO_NEW, { version, known: released.length })
  return released.slice(0, version)
}
