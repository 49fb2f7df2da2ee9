import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readCommand } from '../../../src/store/commands/read-command.ts'
import { openSqlite } from '../../../src/store/database/sqlite.ts'
import { ingest } from '../../../src/store/ingest/ingest.ts'
import { migrateDatabase } from '../../../src/store/schema/migrations.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

test('a Sensitive value of a catalog is nowhere in the store', async () => {
  const folder = scratchFolder('secrets')
  const places = ['--confdir', folder, '--vardir', folder]
  const code = `file { '/a': content => Sensitive('hush-4711') } notify { 'n': message => { x => Sensitive('hush-4711') } }
    file { '/b': content => 'plain-4711' }`
  const words = ['catalog', 'compile', '--node', 'web1', ...places, '--code', code, '--render-as', 'pdb-v9']
  const { out } = await runHere(words)
  const received = '2026-11-23T00:00:00.000Z'
  const command = readCommand({ name: 'replace catalog', version: 9, payload: Buffer.from(out), received })
  const database = openSqlite(join(folder, 'store.db'))
  await migrateDatabase(database, 0)
  await database.transaction((inside) => ingest(inside, command, 0))
  await database.close()
  const files = readdirSync(folder).filter((name) => name.startsWith('store.db'))
  const kept = files.map((name) => readFileSync(join(folder, name)).toString('latin1')).join()
  expect(kept).toContain('plain-4711')
  expect(kept).not.toContain('hush-4711')
})
