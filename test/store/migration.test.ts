import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/store/database/database.ts'
import { findProblems } from '../../src/store/integrity/check.ts'
import { listMigrations, migrateDatabase, readSchemaVersion, schemaVersion } from '../../src/store/schema/migrations.ts'
import { databaseKinds, storeFor } from './databases.ts'
import { aCatalog, commit, tell, textOf } from './history/a-past.ts'

/** Statements that lead from the second schema back to the first. */
const toFirst = [
  'drop index catalogs_by_sourced_files',
  'alter table catalogs drop column sourced_files_id',
  'drop table sourced_files',
  'delete from schema_versions where version = 2',
]

async function columns(database: Database): Promise<readonly string[]> {
  const rows = await database.all<{ name: string }>(
    database.dialect.name === 'sqlite'
      ? sql`select name from pragma_table_info('catalogs')`
      : sql`select column_name as name from information_schema.columns where table_name = 'catalogs'`,
  )
  return rows.map(({ name }) => name).sort()
}

async function indexes(database: Database): Promise<readonly string[]> {
  const rows = await database.all<{ name: string }>(
    database.dialect.name === 'sqlite'
      ? sql`select name from pragma_index_list('reports')`
      : sql`select indexname as name from pg_indexes where tablename = 'reports'`,
  )
  return rows.map(({ name }) => name)
}

describe.each(databaseKinds)('a store of the first schema, on $title', (kind) => {
  const store = storeFor(kind, listMigrations(2))

  test.skipIf(kind.missing)('keeps its catalogs, and compares the files of those that follow', async () => {
    const { database } = store
    const catalog = (at: number, checksum?: string) =>
      aCatalog('web1', at, { turn: 0, code: commit(at), ...(checksum && { files: { '/etc/conf.d/0': checksum } }) })
    await tell(database, [{ catalog: catalog(1) }, { catalog: catalog(2) }])
    const newest = await columns(database)
    for (const statement of toFirst) await database.run(sql.raw(statement))
    expect(await readSchemaVersion(database)).toBe(1)
    expect(await columns(database)).toEqual(newest.filter((name) => name !== 'sourced_files_id'))
    // Nothing to do: what is left is the first schema.
    await migrateDatabase(database, 0, { migrations: listMigrations(1) })
    const answers = () => Promise.all(['/catalogs/web1', '/catalog-history'].map((path) => textOf(database, path)))
    const before = await answers()

    await migrateDatabase(database, 0)
    expect(await readSchemaVersion(database)).toBe(schemaVersion)
    expect(await columns(database)).toEqual(newest)
    expect(await indexes(database)).toContain('reports_by_end')
    expect(await answers()).toEqual(before)
    expect(await textOf(database, '/sourced-files')).toBe('[]')
    await tell(database, [{ catalog: catalog(3, '{sha256}a') }, { catalog: catalog(4, '{sha256}b') }])
    const history = JSON.parse(await textOf(database, '/node-history/web1')) as {
      changes: { changed: number } | null
    }[]
    expect(history.map(({ changes }) => changes?.changed)).toEqual([1, 0, 0, undefined])
    expect(await findProblems(database)).toEqual([])
  })
})
