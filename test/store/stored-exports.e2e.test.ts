import { afterAll, describe, expect, it } from 'vitest'
import type { ExportedResource } from '../../src/model/exported-resource.ts'
import { StoredExports } from '../../src/store/exports/stored-exports.ts'
import { StoreRecorder } from '../../src/store/recording/recorder.ts'
import { Store } from '../../src/store/thread/store.ts'
import { eventually } from '../support/eventually.js'
import { startPostgres } from '../support/real-puppetdb.js'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type DatabaseKind, databaseKinds } from './databases.ts'
import { keepsExports } from './exports-contract.ts'

const said: string[] = []

/** Exports in a store, and whether what was taken is waited for before the next question. */
function exportsIn(store: Store, environment = 'production'): StoredExports {
  const say = (_: string, message: string) => void said.push(message)
  const recorder = new StoreRecorder({ store, producer: 'server.test', now: () => Date.now(), say })
  return new StoredExports({ store, recorder, environment })
}

/** All that was taken is stored: a command behind it was processed. */
async function stored(store: Store): Promise<void> {
  const payload = Buffer.from('{"certname":"last.test","producer_timestamp":"2026-01-01T00:00:00.000Z"}')
  await store.submitAndWait({ name: 'deactivate node', version: 3, certname: 'last.test', payload }, 60_000)
}

const opened: Store[] = []
const stops: (() => Promise<unknown>)[] = []
afterAll(async () => {
  await Promise.all(opened.map((store) => store.close()))
  for (const stop of stops) await stop()
})

async function open(folder = scratchFolder('stored'), postgresql?: string): Promise<Store> {
  const store = await Store.open({ folder, ...(postgresql !== undefined && { postgresql }) })
  opened.push(store)
  // Where others compute, the first word of its thread may come late.
  await eventually(
    () => store.upkeep.figures().stuck,
    (stuck) => stuck === undefined,
  )
  return store
}

/** A store of one kind of database for all tests of a contract; each begins with no active node. */
function emptied({ name }: DatabaseKind) {
  let made: Promise<{ store: Store; exports: StoredExports }> | undefined
  const make = async () => {
    const store = await (name === 'SQLite' ? open() : openOnPostgres())
    return { store, exports: exportsIn(store) }
  }
  return async () => {
    made ??= make()
    const { store, exports } = await made
    await stored(store)
    const answer = await store.ask({ method: 'GET', path: '/nodes', search: '' })
    let text = ''
    for await (const piece of answer!.pieces) text += piece
    for (const { certname } of JSON.parse(text) as { certname: string }[]) await exports.remove(certname)
    await stored(store)
    return { store, exports }
  }
}

async function openOnPostgres(): Promise<Store> {
  const postgres = await startPostgres(scratchFolder('postgres'))
  stops.push(postgres.stop)
  postgres.psql('postgres', 'create database exports')
  return open(scratchFolder('stored'), postgres.url('exports'))
}

for (const kind of databaseKinds) {
  const empty = emptied(kind)
  describe.skipIf(kind.missing !== '')(`in a store${kind.missing}`, () => {
    keepsExports(`in ${kind.name}, as they are taken`, async () => (await empty()).exports)
    keepsExports(`in ${kind.name}, once they are stored`, async () => {
      const { store, exports } = await empty()
      return {
        search: async (search) => {
          await stored(store)
          return exports.search(search)
        },
        replace: (certname, resources) => exports.replace(certname, resources),
        remove: async (certname) => {
          await stored(store)
          return exports.remove(certname)
        },
        refresh: () => exports.refresh(),
      }
    })
  })
}

const file = (certname: string, title: string): ExportedResource => ({
  certname,
  type: 'File',
  title,
  tags: ['file'],
  parameters: {},
})
const files = { type: 'File', except: 'z.test', query: undefined }
const titles = async (exports: StoredExports) => (await exports.search(files)).map(({ title }) => title)

describe('exports in a store', () => {
  it('that waited when the server was killed are found after its start', async () => {
    const folder = scratchFolder('killed')
    const before = await Store.open({ folder })
    const many = Array.from({ length: 200 }, (_, at) => `n${at}.test`)
    await Promise.all(many.map((name) => exportsIn(before).replace(name, [file(name, `/${name}`)])))
    await before.close() // most of it waits on disk
    expect(await titles(exportsIn(await open(folder)))).toHaveLength(many.length)
  })

  it('are none of a node that exported resources removed, nor of one that is deactivated by another', async () => {
    const store = await open()
    const [one, other] = [exportsIn(store), exportsIn(store)]
    await one.replace('a.test', [file('a.test', '/a')])
    await one.replace('b.test', [file('b.test', '/b')])
    await stored(store)
    expect(await titles(other)).toEqual(['/a', '/b'])
    await one.replace('a.test', [])
    expect(await titles(one)).toEqual(['/b'])
    await other.remove('b.test')
    await stored(store)
    expect(await titles(one)).toEqual([])
  })

  it('that have no such value are not selected by it', async () => {
    const exports = exportsIn(await open())
    await exports.replace('a.test', [file('a.test', '/a')])
    const found = (name: string, value: null | number | string[]) =>
      exports.search({ ...files, query: { kind: '==', name, value } })
    for (const wait of [false, true]) {
      if (wait) await stored(opened.at(-1)!)
      expect(await found('mode', null)).toEqual([])
      expect(await found('title', 1)).toEqual([])
      expect(await found('tag', [])).toEqual([])
      expect(await found('tag', ['file'])).toHaveLength(1)
    }
  })

  it('fail who asks for them when the store cannot answer', async () => {
    const store = await Store.open({ folder: scratchFolder('away') })
    const exports = exportsIn(store)
    await exports.replace('a.test', [])
    await stored(store)
    await store.close()
    await expect(exports.search(files)).rejects.toMatchObject({ diagnostic: { code: 'EXPORTS_UNAVAILABLE' } })
  })
})
