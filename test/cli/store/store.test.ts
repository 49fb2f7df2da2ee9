import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../src/store/database/sqlite.ts'
import { schemaVersion } from '../../../src/store/schema/migrations.ts'
import { Store } from '../../../src/store/thread/store.ts'
import { runOf } from '../../store/retention/fleet.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** Milliseconds: only what hangs is given up. */
const patience = 300_000
const folder = scratchFolder('plumb-store')
const data = join(folder, 'var', 'server_data')
const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
const store = (...words: string[]) => runHere(['store', ...words, '--store', 'sqlite', ...places])
const elsewhere = (name: string, ...words: string[]) => store(...words, '--server_datadir', join(folder, name))
const file = (name: string) => join(folder, name)

beforeAll(async () => {
  const open = await Store.open({ folder: join(data, 'store') })
  for (const node of [1, 2])
    for (const command of runOf(node, 1, Date.now())) await open.submitAndWait(command, patience)
  const payload = Buffer.from('{"certname":1}')
  await open.submitAndWait({ name: 'replace facts', version: 5, certname: 'wrong.test\u001b[31m', payload }, patience)
  await open.close()
})

describe('plumb store', () => {
  it('says what it has, and what it could not take', async () => {
    const { status, out } = await store('status', '--render-as', 'json')
    expect(status).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      ...{ kind: 'sqlite', schema: schemaVersion, newest_schema: schemaVersion, collected: null },
      counts: { nodes: 2, catalogs: 2, catalogs_of_the_past: 0, reports: 2 },
      queue: { commands: 0, bytes: 0, discarded: 1 },
    })
    expect((await store('status')).out).toMatch(
      /^kind +sqlite\n[\s\S]*^commands discarded +1: see 'plumb store discarded'$/m,
    )
    const discarded = await store('discarded')
    expect(discarded.out).toContain('replace facts 5 of wrong.test\\x1b[31m')
    expect(JSON.parse((await store('discarded', '--render-as', 'json')).out)).toMatchObject([{ version: 5 }])
  })

  it('backs up and restores, and refuses what would lose something', async () => {
    const { out } = await store('backup', file('store.gz'))
    expect(out).toMatch(/^Wrote \d+ rows to /)
    expect(statSync(file('store.gz')).mode & 0o777).toBe(0o600)
    expect(await store('backup', file('store.gz'))).toMatchObject({
      status: 1,
      err: expect.stringContaining('already'),
    })
    expect((await elsewhere('new', 'restore', file('store.gz'))).out).toMatch(/^Restored \d+ rows\n$/)
    expect(await elsewhere('new', 'restore', file('store.gz'))).toMatchObject({
      ...{ status: 1, err: expect.stringContaining('The store is not empty') },
    })
    expect(JSON.parse((await elsewhere('new', 'status', '--render-as', 'json')).out).counts).toEqual(
      JSON.parse((await store('status', '--render-as', 'json')).out).counts,
    )
    expect(await elsewhere('new', 'check')).toEqual({ status: 0, out: 'No problems found\n', err: '' })
  })

  it('exports and imports', async () => {
    expect((await store('export', file('puppetdb.tgz'))).status).toBe(0)
    expect((await elsewhere('imported', 'migrate')).out).toBe(`Migrated from schema version 0 to ${schemaVersion}\n`)
    expect(await elsewhere('imported', 'import', file('puppetdb.tgz'))).toEqual({
      ...{ status: 0, out: '6 commands imported\n', err: '' },
    })
    expect((await elsewhere('imported', 'migrate')).out).toBe(`The schema is up to date: version ${schemaVersion}\n`)
    writeFileSync(file('broken.tgz'), 'nothing')
    expect(await elsewhere('imported', 'import', file('broken.tgz'))).toMatchObject({
      ...{ status: 1, err: expect.stringContaining('Could not read the archive') },
    })
  })

  it('finds what is not whole', async () => {
    await elsewhere('broken', 'restore', file('store.gz'))
    const database = openSqlite(join(folder, 'broken', 'store', 'store.db'))
    await database.run(sql`delete from tag_sets`)
    await database.run(sql`update fact_values set value = '"other"' where name = 'kernel'`)
    await database.close()
    const { status, out } = await elsewhere('broken', 'check')
    expect([status, out]).toEqual([
      1,
      expect.stringContaining('resource_contents: tags_id refers to a missing row in tag_sets'),
    ])
    expect(out).toContain('fact_values: the value does not match its digest (1 row)')
    expect(JSON.parse((await elsewhere('broken', 'check', '--render-as', 'json')).out)).toHaveLength(2)
  })

  it('says where there is none', async () => {
    expect(await runHere(['store', 'status', '--store', 'none', ...places])).toMatchObject({
      err: expect.stringContaining('This server has no store'),
    })
    expect(await elsewhere('nowhere', 'status')).toMatchObject({
      status: 1,
      err: expect.stringContaining('The store does not exist yet'),
    })
  })

  it('shows no secret: what a manifest calls Sensitive never comes into it', async () => {
    const manifest = file('site.pp')
    writeFileSync(manifest, `notify { 'a': message => Sensitive('s3cr3t-word') }`)
    const compiled = await runHere(['catalog', 'compile', '--manifest', manifest, '--render-as', 'pdb-v9', ...places])
    expect(compiled.status, compiled.err).toBe(0)
    const open = await Store.open({ folder: join(folder, 'secret', 'store') })
    const given = { ...JSON.parse(compiled.out), certname: 'secret.test', producer_timestamp: new Date().toISOString() }
    const command = {
      name: 'replace catalog',
      version: 9,
      certname: 'secret.test',
      payload: Buffer.from(JSON.stringify(given)),
    }
    const { processed } = await open.submitAndWait(command as Parameters<Store['submit']>[0], patience)
    expect(processed).toEqual({ problem: undefined })
    await open.close()
    await elsewhere('secret', 'backup', file('secret.gz'))
    await elsewhere('secret', 'export', file('secret.tgz'))
    for (const name of ['secret.gz', 'secret.tgz'])
      expect(gunzipSync(readFileSync(file(name))).toString('latin1')).not.toContain('s3cr3t-word')
    rmSync(file('secret.gz'))
  })
})
