import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '../../src/store/database/postgresql.ts'
import { openSqlite } from '../../src/store/database/sqlite.ts'
import { openConnection } from '../../src/store/database/sqlite-connection.ts'
import { findProblems } from '../../src/store/integrity/check.ts'
import { defaultTimes } from '../../src/store/retention/times.ts'
import { migrateDatabase, readSchemaVersion, schemaVersion } from '../../src/store/schema/migrations.ts'
import { Store } from '../../src/store/thread/store.ts'
import { whyNotMount } from '../support/may-mount.ts'
import { without } from '../support/needs.ts'
import { startPostgres } from '../support/real-puppetdb.js'
import { scratchFolder } from '../support/scratch-folder.ts'
import { runOf } from './retention/fleet.ts'

const minute = 60_000
const now = Date.UTC(2026, 10, 22)

describe('a store', () => {
  test('waits for a database that another process has locked, and says so', { timeout: minute }, async () => {
    const folder = scratchFolder('locked')
    const stuck: string[] = []
    const store = await Store.open({ folder, stuck: (problem) => stuck.push(problem) })
    const other = openConnection(join(folder, 'store.db'))
    other.exec('begin immediate')
    const [command] = runOf(1, 1, now)
    const stored = store.submitAndWait(command!, minute)
    await expect.poll(() => stuck).not.toEqual([])
    expect(store.upkeep.figures()).toMatchObject({ queueDepth: 1, stuck: expect.stringMatching(/locked/) })
    other.exec('rollback')
    other.close()
    expect((await stored).processed).toEqual({ problem: undefined })
    await expect.poll(() => store.upkeep.figures().stuck).toBe(undefined)
    expect(store.upkeep.figures()).toMatchObject({ queueDepth: 0, processed: 1, queueBytes: 0 })
    await store.close()
  })

  const cannot = whyNotMount()
  test.skipIf(cannot)(`loses nothing to a full disk${cannot}`, { timeout: 2 * minute }, () => {
    const script = join(import.meta.dirname, 'fill-disk.js')
    const mounted = 'mount -t tmpfs -o size=24m none /mnt && exec "$0" "$1" /mnt/store /mnt/filler'
    const output = execFileSync('unshare', ['-m', 'sh', '-c', mounted, process.execPath, script], { encoding: 'utf8' })
    const { acknowledged, refused, stuck, stored, twice } = JSON.parse(output) as Record<string, number>
    expect(stuck! + refused!).toBeGreaterThan(0)
    expect(acknowledged).toBeGreaterThan(20)
    expect({ stored: stored! >= acknowledged!, twice }).toEqual({ stored: true, twice: 0 })
  })

  test('collects, also when the clock was set back', { timeout: minute }, async () => {
    const folder = scratchFolder('clock')
    const store = await Store.open({ folder })
    for (const command of runOf(1, 1, now)) await store.submitAndWait(command, minute)
    await store.close()
    const database = openSqlite(join(folder, 'store.db'))
    const future = Date.now() + 400 * 86_400_000
    for (const part of ['expire_nodes', 'purge_nodes', 'purge_reports', 'purge_resource_events'])
      await database.run(sql`insert into collections values (${part}, ${future}, 0)`)
    for (const part of ['gc_packages', 'gc_catalogs', 'gc_fact_paths', 'other'])
      await database.run(sql`insert into collections values (${part}, ${future}, 0)`)
    const times = { ...defaultTimes, nodeTtl: 1000 }
    const again = await Store.open({ folder, gcInterval: 200, times })
    const isExpired = sql`select 1 from nodes where expired is not null`
    await expect.poll(() => database.all(isExpired)).not.toEqual([])
    await again.close()
    await database.close()
  })

  test('whose queue was lost takes commands anew', { timeout: minute }, async () => {
    const folder = scratchFolder('lost-queue')
    for (const run of [1, 2, 3]) {
      const store = await Store.open({ folder })
      expect((await store.submitAndWait(runOf(1, run, now + run)[2]!, minute)).processed).toEqual({
        problem: undefined,
      })
      await store.close()
      if (run === 2) execFileSync('rm', ['-r', join(folder, 'queue')])
    }
    const database = openSqlite(join(folder, 'store.db'))
    expect(await database.all(sql`select count(*) as count from reports`)).toEqual([{ count: 3 }])
    await database.close()
  })

  const missing = without('PostgreSQL')
  let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined
  beforeAll(async () => {
    if (missing === '') postgres = await startPostgres(scratchFolder('shared-postgresql'))
  }, minute)
  afterAll(async () => await postgres?.stop())

  test.skipIf(missing)(`is made by one of the servers that begin at once${missing}`, { timeout: minute }, async () => {
    for (const round of Array(10).keys()) {
      postgres!.psql('postgres', `create database begun${round}`)
      const servers = await Promise.all(Array.from({ length: 6 }, () => openPostgres(postgres!.url(`begun${round}`))))
      await Promise.all(servers.map((each) => migrateDatabase(each, now)))
      const made = await Promise.all(servers.map((each) => readSchemaVersion(each)))
      expect(made).toEqual(servers.map(() => schemaVersion))
      await Promise.all(servers.map((each) => each.close()))
    }
  })

  test.skipIf(missing)(
    `shares a PostgreSQL with another one, which is restarted meanwhile${missing}`,
    { timeout: 3 * minute },
    async () => {
      const place = scratchFolder('shared')
      postgres!.psql('postgres', 'create database store')
      const url = postgres!.url('store')
      const stores = await Promise.all(
        ['a', 'b'].map((name) => Store.open({ folder: join(place, name), postgresql: url, gcInterval: 50 })),
      )
      const runs = 12
      let isMidway = () => {}
      const midway = new Promise<void>((done) => (isMidway = done))
      const restarted = midway.then(() => postgres!.restart())
      await Promise.all(
        stores.map(async (store, server) => {
          for (let run = 0; run < runs; run++) {
            // Both tell of the nodes 1 and 2, in the other order.
            for (const node of server === 0 ? [1, 2, 3] : [2, 1, 4])
              for (const command of runOf(node, run * 2 + server, now + run * 2 + server)) await store.submit(command)
            if (run === 4) isMidway()
            if (run === 8) await restarted
          }
        }),
      )
      await restarted
      const last = { certname: 'last.test', producer_timestamp: new Date(now).toISOString() }
      const payload = Buffer.from(JSON.stringify(last))
      for (const store of stores)
        await store.submitAndWait({ name: 'deactivate node', version: 3, certname: 'last.test', payload }, 2 * minute)
      for (const store of stores) {
        expect(store.upkeep.figures()).toMatchObject({ queueDepth: 0, discarded: 0, stuck: undefined })
        await store.close()
      }
      const shared = await openPostgres(url)
      const rows = await shared.all<{ certname: string; reports: number; version: string }>(
        sql`select certname, version, (select count(*) from reports where node_id = nodes.id) as reports
          from nodes join catalogs on catalogs.id = nodes.catalog_id order by certname`,
      )
      const newest = String(runs * 2 - 1)
      expect(rows).toEqual([
        { certname: 'node1.test', reports: runs * 2, version: newest },
        { certname: 'node2.test', reports: runs * 2, version: newest },
        { certname: 'node3.test', reports: runs, version: String(runs * 2 - 2) },
        { certname: 'node4.test', reports: runs, version: newest },
      ])
      expect(await findProblems(shared)).toEqual([])
      await shared.close()
    },
  )
})
