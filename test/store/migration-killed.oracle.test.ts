import { spawn } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../../src/store/database/database.ts'
import { openPostgres } from '../../src/store/database/postgresql.ts'
import { openSqlite } from '../../src/store/database/sqlite.ts'
import { migrateDatabase, readSchemaVersion, schemaVersion } from '../../src/store/schema/migrations.ts'
import { without } from '../support/needs.ts'
import { isNight } from '../support/nightly.ts'
import { startPostgres } from '../support/real-puppetdb.js'
import { scratchFolder } from '../support/scratch-folder.ts'
import { answered, loadDataset, questions } from './asked.ts'

const moments = isNight ? 20 : 6
const now = Date.UTC(2026, 10, 22)

/** Lets a process migrate, and kills it so long after it began; at the first time it is let run, to know how long it takes. */
async function migrated(place: string, killAfterMs?: number): Promise<number> {
  const script = join(import.meta.dirname, 'migrate-slowly.js')
  const child = spawn(process.execPath, [script, place], { stdio: ['ignore', 'pipe', 'inherit'] })
  let began = 0
  for await (const line of createInterface({ input: child.stdout })) {
    if (line !== 'begin') continue
    began = performance.now()
    // Wall clock: the moment of the kill is of no matter.
    if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  }
  return performance.now() - began
}

/** Old or new, and nothing between. */
async function isWhole(database: Database): Promise<number> {
  const version = await readSchemaVersion(database)
  const has = async (query: string) =>
    database.all(sql.raw(query)).then(
      () => true,
      () => false,
    )
  const state = [
    await has('select 1 from added'),
    await has('select extra from nodes'),
    await has('select 1 from collections'),
  ]
  expect(state).toEqual(version === schemaVersion ? [false, false, true] : [true, true, false])
  if (version > schemaVersion)
    expect(await database.all(sql`select count(*) as count from nodes where extra is null`)).toEqual([{ count: 0 }])
  return version
}

test(`a migration that is killed at ${moments} moments leaves the old schema or the new one`, {
  timeout: 1_800_000,
}, async () => {
  const folder = scratchFolder('migrations')
  const old = openSqlite(join(folder, 'old.db'))
  await migrateDatabase(old, now)
  await loadDataset(old)
  const expected = await Promise.all(questions.map((question) => answered(old, question)))
  await old.run(sql`vacuum into ${join(folder, 'origin.db')}`)
  await old.close()
  const copy = (name: string) => {
    copyFileSync(join(folder, 'origin.db'), join(folder, name))
    return join(folder, name)
  }
  const whole = await migrated(copy('first.db'))
  for (let moment = 0; moment < moments; moment++) {
    const file = copy(`${moment}.db`)
    await migrated(file, (whole * moment) / (moments - 1))
    const database = openSqlite(file)
    await isWhole(database)
    expect(await Promise.all(questions.slice(0, 4).map((question) => answered(database, question)))).toEqual(
      expected.slice(0, 4),
    )
    await database.close()
  }
})

const missing = without('PostgreSQL')
test.skipIf(missing)(`so does one of PostgreSQL${missing}`, { timeout: 1_800_000 }, async () => {
  const postgres = await startPostgres(scratchFolder('migrations-postgresql'))
  postgres.psql('postgres', 'create database origin')
  const origin = await openPostgres(postgres.url('origin'))
  await migrateDatabase(origin, now)
  await loadDataset(origin)
  await origin.close()
  const copy = (name: string) => {
    postgres.psql('postgres', `create database ${name} template origin`)
    return postgres.url(name)
  }
  const whole = await migrated(copy('first'))
  for (let moment = 0; moment < moments; moment++) {
    const url = copy(`moment${moment}`)
    await migrated(url, (whole * moment) / (moments - 1))
    // What was sent before the end may still be done.
    const others = `select count(*) from pg_stat_activity where datname = 'moment${moment}'`
    await expect.poll(() => postgres.psql('postgres', others).trim()).toBe('0')
    const database = await openPostgres(url)
    await isWhole(database)
    await database.close()
  }
  await postgres.stop()
})
