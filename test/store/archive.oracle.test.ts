import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { createGunzip, gzipSync } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportArchive } from '../../src/store/archive/export.ts'
import { importStoreArchive } from '../../src/store/archive/import.ts'
import { readCommand } from '../../src/store/commands/read-command.ts'
import type { Database } from '../../src/store/database/database.ts'
import { openSqlite } from '../../src/store/database/sqlite.ts'
import { ingest } from '../../src/store/ingest/ingest.ts'
import type { SubmittedCommand } from '../../src/store/node-store.ts'
import { type QueryRequest, runQuery } from '../../src/store/query/execution.ts'
import { migrateDatabase } from '../../src/store/schema/migrations.ts'
import { hasPuppetDb, startPuppetDb } from '../support/real-puppetdb.js'
import { scratchFolder } from '../support/scratch-folder.ts'
import { answered, loadDataset } from './asked.ts'
import { datasetCommands } from './dataset/commands.js'
import { datasetConfig, submit } from './dataset/load.js'

const now = Date.UTC(2026, 10, 22)
const folder = scratchFolder('archives')

async function opened(): Promise<Database> {
  const database = openSqlite(join(mkdtempSync(join(folder, 'store-')), 'store.db'))
  await migrateDatabase(database, now)
  return database
}

const asking = (database: Database) => ({
  ask: async (question: QueryRequest) => {
    const given = await runQuery(database, question, { now: Date.now(), nodePurgeTtl: Date.now() })
    return given && { ...given, total: given.total }
  },
})

/** Writes what is submitted at once. */
const into = (database: Database) => (command: SubmittedCommand) =>
  database.transaction((inside) => ingest(inside, readCommand({ ...command, received: new Date().toISOString() }), now))

async function bytesOf(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** The files of an archive, by their paths, as JSON; the order of lists that have none is that of their text. */
async function filesIn(archive: Buffer): Promise<ReadonlyMap<string, unknown>> {
  const files = new Map<string, unknown>()
  const entries = extract()
  Readable.from([archive])
    .pipe(createGunzip())
    .pipe(entries as unknown as NodeJS.WritableStream)
  for await (const entry of entries) {
    const parts: Buffer[] = []
    for await (const part of entry) parts.push(part as Buffer)
    files.set(entry.header.name, ordered(JSON.parse(Buffer.concat(parts).toString())))
  }
  return files
}

const unordered = new Set(['resources', 'edges', 'events', 'metrics', 'logs', 'inputs', 'tags'])

function ordered(json: unknown, name = ''): unknown {
  if (Array.isArray(json)) {
    const all = json.map((each) => ordered(each))
    return unordered.has(name) ? all.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : all
  }
  if (typeof json !== 'object' || json === null) return json
  const members = Object.entries(json)
    // What PuppetDB without the enterprise's extensions does not keep.
    .filter(([key]) => key !== 'corrective_change' && key !== 'package_inventory' && key !== 'timestamp')
    .map(([key, value]) => [key, ordered(value, key)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members)
}

const questions = [
  '/factsets?order_by=[{"field":"certname"}]&query=["extract",["certname","environment","producer","producer_timestamp"]]',
  '/facts?order_by=[{"field":"certname"},{"field":"name"}]',
  '/catalogs?order_by=[{"field":"certname"}]&query=["extract",["certname","code_id","job_id","version","environment","edges"]]',
  '/reports?order_by=[{"field":"hash"}]&query=["extract",["hash","status","metrics","logs","noop","type","corrective_change"],["null?","type",false]]',
  '/events?order_by=[{"field":"report"},{"field":"resource_type"},{"field":"resource_title"},{"field":"timestamp"},{"field":"property"}]&query=["extract",["report","status","resource_type","resource_title","property","new_value","old_value","message","file","line","containment_path","corrective_change"],["~","certname","."]]',
  '/package-inventory?order_by=[{"field":"certname"},{"field":"package_name"}]',
  '/catalog-inputs?order_by=[{"field":"certname"}]',
]

describe('an archive', () => {
  let origin: Database
  let archive: Buffer

  beforeAll(async () => {
    origin = await opened()
    await loadDataset(origin)
    archive = await bytesOf(exportArchive(asking(origin), now))
  }, 60_000)

  test('of one store fills another, which answers alike', async () => {
    const target = await opened()
    expect(await importStoreArchive(Readable.from([archive]), into(target))).toBeGreaterThan(90)
    for (const question of questions) {
      const all = (text: string) => JSON.parse(text).filter(({ certname = '' }) => !certname.startsWith('gone'))
      expect(all(await answered(target, question)), question).toEqual(all(await answered(origin, question)))
    }
    const again = await filesIn(await bytesOf(exportArchive(asking(target), now)))
    expect(Object.fromEntries(again)).toEqual(Object.fromEntries(await filesIn(archive)))
  })

  test.each([
    ['nothing', Buffer.alloc(0), 'ARCHIVE_BROKEN'],
    ['no gzip', Buffer.from('nothing at all'), 'ARCHIVE_BROKEN'],
    ['no tar', gzipSync(Buffer.alloc(2048, 1)), 'ARCHIVE_BROKEN'],
    ['an empty tar', gzipSync(Buffer.alloc(1024)), 'ARCHIVE_METADATA'],
  ])('of %s is refused', async (_, bytes, code) => {
    await expect(importStoreArchive(Readable.from([bytes]), async () => {})).rejects.toMatchObject({
      diagnostic: { code },
    })
  })

  test('gives no names that lead elsewhere', async () => {
    const tar = pack()
    tar.entry({ name: 'puppetdb-bak/export-metadata.json' }, '{"command_versions":{"replace_facts":5}}')
    for (const name of ['puppetdb-bak/facts/../../a.json', '/puppetdb-bak/facts/b.json', 'puppetdb-bak/other/c.json'])
      tar.entry({ name }, '{}')
    tar.entry({ name: 'puppetdb-bak/facts/d.json', type: 'symlink', linkname: '/etc/passwd' })
    tar.entry({ name: 'puppetdb-bak/facts/e.json' }, '{}')
    tar.finalize()
    const seen: string[] = []
    const packed = gzipSync(await bytesOf(tar as unknown as Readable))
    await importStoreArchive(Readable.from([packed]), async ({ certname }) => seen.push(certname))
    expect(seen).toEqual(['e'])
  })
})

const missing = hasPuppetDb ? '' : ' (left out: PuppetDB is not installed)'
describe.skipIf(missing)(`archives of a real PuppetDB${missing}`, () => {
  let real: Awaited<ReturnType<typeof startPuppetDb>>
  beforeAll(async () => {
    real = await startPuppetDb(scratchFolder('archive-puppetdb'), { config: datasetConfig })
  }, 400_000)
  afterAll(async () => await real?.stop())

  // PuppetDB 7.12 exports nothing as soon as a node is deactivated, or has an expiration.
  const commands = datasetCommands().filter(
    ({ command, payload }) =>
      !['deactivate node', 'configure expiration'].includes(command) && !payload.certname.startsWith('gone'),
  )

  test('hold what ours hold, and go both ways', { timeout: 400_000 }, async () => {
    for (const command of commands) await submit(real.url, command)
    const theirs = Buffer.from(await (await fetch(`${real.url}/pdb/admin/v1/archive`)).arrayBuffer())
    const ours = await opened()
    const count = await importStoreArchive(Readable.from([theirs]), into(ours))
    expect(count).toBeGreaterThan(80)
    const exported = await bytesOf(exportArchive(asking(ours), now))
    const [before, after] = [await filesIn(theirs), await filesIn(exported)]
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort())
    for (const [path, content] of before) expect(after.get(path), path).toEqual(content)

    for (const { certname } of JSON.parse(await (await fetch(`${real.url}/pdb/query/v4/nodes`)).text()))
      await admin(real.url, { command: 'delete', version: 1, payload: { certname } })
    const form = new FormData()
    form.append('archive', new Blob([exported]), 'archive.tgz')
    const answer = await fetch(`${real.url}/pdb/admin/v1/archive`, { method: 'POST', body: form })
    expect(await answer.json()).toEqual({ ok: true })
    const expected = [...after.keys()].filter((path) => path.startsWith('puppetdb-bak/reports/')).length
    await expect.poll(() => reportsIn(real.url)).toBe(expected)
    const different = async () => {
      const back = await filesIn(Buffer.from(await (await fetch(`${real.url}/pdb/admin/v1/archive`)).arrayBuffer()))
      return [...before].filter(([path, content]) => !isDeepStrictEqual(back.get(path), content)).map(([path]) => path)
    }
    await expect.poll(different).toEqual([])
  })
})

const admin = (url: string, body: object) =>
  fetch(`${url}/pdb/admin/v1/cmd`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function reportsIn(url: string): Promise<number> {
  const query = encodeURIComponent('["extract",[["function","count"]],["null?","type",false]]')
  const [row] = JSON.parse(await (await fetch(`${url}/pdb/query/v4/reports?query=${query}`)).text())
  return row.count
}
