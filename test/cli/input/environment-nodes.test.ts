import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { filterByGlob, listEnvironmentNodes, listKnownNodes } from '../../../src/cli/input/environment-nodes.ts'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { openSqlite } from '../../../src/store/database/sqlite.ts'
import { migrateDatabase } from '../../../src/store/schema/migrations.ts'
import { aReport, someFacts, tell } from '../../store/history/a-past.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('known-nodes')
const given = { confdir: join(folder, 'etc'), vardir: join(folder, 'var'), store: 'sqlite' }
const settings = loadSettings({ given, runMode: 'server' })
const data = join(folder, 'var/server_data')

it('knows nodes by their facts, where there is no store', async () => {
  expect(await listKnownNodes(settings)).toEqual([])
  mkdirSync(join(data, 'facts'), { recursive: true })
  for (const name of ['b.json', 'a.json', 'other.txt']) writeFileSync(join(data, 'facts', name), '{}')
  expect(await listKnownNodes(settings)).toEqual(['a', 'b'])
})

it('knows those of the store in the environment, those heard of last first', async () => {
  mkdirSync(join(data, 'store'), { recursive: true })
  const database = openSqlite(join(data, 'store/store.db'))
  await migrateDatabase(database, Date.now())
  await tell(database, [
    { facts: someFacts('web1', 0, { kernel: 'Linux' }) },
    { facts: someFacts('web2', 5, { kernel: 'Linux' }) },
    { facts: someFacts('web3', 3, { kernel: 'Linux' }) },
    { report: aReport('web1', 12, 'failed') },
  ])
  await database.close()
  expect(await listKnownNodes(settings)).toEqual(['web1', 'web2', 'web3'])
  const elsewhere = loadSettings({ given: { ...given, environment: 'elsewhere' }, runMode: 'server' })
  expect(await listEnvironmentNodes(elsewhere)).toEqual({
    nodes: [],
    untried: [{ reason: 'other_environment', nodes: ['web1', 'web2', 'web3'], environments: ['production'] }],
  })
})

it('takes those whose names match a pattern', () => {
  const names = ['web1.example.com', 'web2.example.com', 'db1.example.com', 'WEB3']
  expect(filterByGlob(names, 'web?.example.com')).toEqual(['web1.example.com', 'web2.example.com'])
  expect(filterByGlob(names, '*')).toEqual(names)
  expect(filterByGlob(names, 'w[')).toEqual([])
  expect(() => filterByGlob(names, '*'.repeat(5000))).toThrow()
})
