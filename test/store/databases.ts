import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { Database } from '../../src/store/database/database.ts'
import { openPostgres } from '../../src/store/database/postgresql.ts'
import { openSqlite } from '../../src/store/database/sqlite.ts'
import { type Migration, migrateDatabase } from '../../src/store/schema/migrations.ts'
import { without } from '../support/needs.ts'
import { startPostgres } from '../support/real-puppetdb.js'
import { scratchFolder } from '../support/scratch-folder.ts'

/** A kind of database that suites of the store run on. */
export interface DatabaseKind {
  readonly name: 'SQLite' | 'PostgreSQL'
  /** Why its suites are left out, for their titles. */
  readonly missing: string
  /** The name for titles. */
  readonly title: string
}

/** The databases of the store that a suite runs on: SQLite, or PostgreSQL in `NAME.oracle.test.ts`, which imports it. */
export const databaseKinds: readonly DatabaseKind[] =
  process.env['TEST_KIND'] === 'oracle'
    ? [{ name: 'PostgreSQL', missing: without('PostgreSQL'), title: `PostgreSQL${without('PostgreSQL')}` }]
    : [{ name: 'SQLite', missing: '', title: 'SQLite' }]

/** An empty store for the tests of a suite, on a database of its own, with the newest schema if no other is given. */
export function storeFor({ name }: DatabaseKind, migrations?: readonly Migration[]): { readonly database: Database } {
  const folder = scratchFolder('store')
  const held: { database?: Database; stop?: () => Promise<void> } = {}
  beforeAll(async () => {
    if (name === 'SQLite') held.database = openSqlite(join(folder, 'store.db'))
    else {
      const postgres = await startPostgres(folder)
      postgres.psql('postgres', 'create database store')
      held.stop = postgres.stop
      held.database = await openPostgres(postgres.url('store'))
    }
    await migrateDatabase(held.database, Date.now(), migrations && { migrations })
  })
  afterAll(async () => {
    await held.database?.close()
    await held.stop?.()
  })
  return {
    get database() {
      return held.database!
    },
  }
}
