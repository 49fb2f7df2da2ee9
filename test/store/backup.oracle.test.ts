import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { restoreBackup } from '../../src/store/backup/restore.ts'
import { writeBackup } from '../../src/store/backup/write.ts'
import type { Database } from '../../src/store/database/database.ts'
import { openPostgres } from '../../src/store/database/postgresql.ts'
import { openSqlite } from '../../src/store/database/sqlite.ts'
import { findProblems } from '../../src/store/integrity/check.ts'
import {
  listMigrations,
  migrateDatabase,
  migrateInTransaction,
  readSchemaVersion,
  schemaVersion,
} from '../../src/store/schema/migrations.ts'
import { without } from '../support/needs.ts'
import { startPostgres } from '../support/real-puppetdb.js'
import { scratchFolder } from '../support/scratch-folder.ts'
import { answered, loadDataset, questions } from './asked.ts'
import { runOf, written } from './retention/fleet.ts'

const folder = scratchFolder('backups')
const missing = without('PostgreSQL')
const now = Date.UTC(2026, 10, 22)

/** An answer, with the lists inside of its rows, and keys, in the order of their text: it is not defined. */
function ordered(answer: string): unknown {
  return JSON.parse(answer, (_, value: unknown) => {
    if (Array.isArray(value)) return value.map((each) => JSON.stringify(each)).sort()
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

describe('a backup', () => {
  let origin: Database
  const file = join(folder, 'origin.gz')

  beforeAll(async () => {
    origin = openSqlite(join(folder, 'origin.db'))
    await migrateDatabase(origin, now)
    await loadDataset(origin)
    for (let run = 0; run < 4; run++) for (const node of [1, 2]) await written(origin, runOf(node, run, now + run))
    await writeBackup(origin, file, now)
  })

  const answersAlike = async (restored: Database) => {
    for (const question of questions)
      expect(ordered(await answered(restored, question)), question).toEqual(ordered(await answered(origin, question)))
    expect(await findProblems(restored)).toEqual([])
  }

  test('restored elsewhere answers alike, and goes on', async () => {
    const restored = openSqlite(join(folder, 'restored.db'))
    expect(await restoreBackup(restored, file, now)).toBeGreaterThan(1000)
    await answersAlike(restored)
    for (const node of [1, 3]) for (const run of [5, 6]) await written(restored, runOf(node, run, now + run))
    expect(await findProblems(restored)).toEqual([])
    await restored.close()
  })

  test.skipIf(missing)(`goes from one kind of database to the other and back${missing}`, async () => {
    const postgres = await startPostgres(scratchFolder('backups-postgresql'))
    postgres.psql('postgres', 'create database store')
    const there = await openPostgres(postgres.url('store'))
    await restoreBackup(there, file, now)
    for (const question of questions)
      expect(ordered(await answered(there, question)), question).toEqual(ordered(await answered(origin, question)))
    expect(await findProblems(there)).toEqual([])
    const again = join(folder, 'again.gz')
    await writeBackup(there, again, now)
    for (const node of [1, 3]) for (const run of [5, 6]) await written(there, runOf(node, run, now + run))
    expect(await findProblems(there)).toEqual([])
    await there.close()
    await postgres.stop()
    const back = openSqlite(join(folder, 'back.db'))
    await restoreBackup(back, again, now)
    await answersAlike(back)
    await back.close()
  })

  test('is one state, whatever is written meanwhile', async () => {
    const [reading, writing] = [openSqlite(join(folder, 'origin.db')), openSqlite(join(folder, 'origin.db'))]
    const target = join(folder, 'meanwhile.gz')
    let done = false
    const backup = writeBackup(reading, target, now).finally(() => (done = true))
    for (let run = 10; !done; run++) {
      await written(writing, runOf(4, run, now + run))
      await new Promise((next) => setImmediate(next))
    }
    await backup
    const restored = openSqlite(join(folder, 'restored-meanwhile.db'))
    await restoreBackup(restored, target, now)
    expect(await findProblems(restored)).toEqual([])
    for (const each of [reading, writing, restored]) await each.close()
  })

  test('takes the place of nothing', async () => {
    await expect(writeBackup(origin, file, now)).rejects.toMatchObject({ diagnostic: { code: 'BACKUP_EXISTS' } })
    await expect(restoreBackup(origin, file, now)).rejects.toMatchObject({ diagnostic: { code: 'STORE_NOT_EMPTY' } })
  })

  test.each([
    ['cut short', (whole: Buffer) => whole.subarray(0, whole.length - 2000)],
    ['of something else', () => Buffer.from('nothing')],
    [
      'without its end',
      (whole: Buffer) =>
        Buffer.from(
          gunzipSync(whole)
            .toString()
            .replace(/\{"end":\d+\}\n$/, ''),
        ),
    ],
  ])('%s is refused, and leaves nothing', async (name, change) => {
    const broken = join(folder, `${name}.gz`)
    const { gzipSync } = await import('node:zlib')
    const bytes = change(readFileSync(file))
    writeFileSync(broken, name === 'without its end' ? gzipSync(bytes) : bytes)
    const target = openSqlite(join(folder, `${name}.db`))
    await expect(restoreBackup(target, broken, now)).rejects.toMatchObject({ diagnostic: { code: 'NOT_A_BACKUP' } })
    expect(await target.all(sql`select name from sqlite_master where name = 'nodes'`)).toEqual([])
    await target.close()
  })

  test('of an older schema is brought to the newest, and is made before a migration', async () => {
    const old = openSqlite(join(folder, 'old.db'))
    await migrateDatabase(old, now)
    const migrations = [...listMigrations(schemaVersion), () => ['create table added (id integer primary key)']]
    const made: number[] = []
    await migrateDatabase(old, now, { migrations, before: async (version) => void made.push(version) })
    expect([made, await readSchemaVersion(old)]).toEqual([[schemaVersion], schemaVersion + 1])
    await expect(old.transaction((inside) => migrateInTransaction(inside, now))).rejects.toMatchObject({
      diagnostic: { code: 'STORE_TOO_NEW' },
    })
    await old.close()
  })
})
