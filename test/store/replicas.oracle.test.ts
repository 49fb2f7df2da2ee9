import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { addStoreMetrics } from '../../src/server/metrics/state-metrics.ts'
import { checkReplicas, findReplica } from '../../src/store/thread/replica-watch.ts'
import { Store } from '../../src/store/thread/store.ts'
import { without } from '../support/needs.ts'
import { startPostgres } from '../support/real-puppetdb.js'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { runOf } from './retention/fleet.ts'

type Postgres = Awaited<ReturnType<typeof startPostgres>>

const minute = 60_000
const now = Date.UTC(2026, 10, 22)
const missing = without('PostgreSQL')

describe.skipIf(missing)(`a store with a read replica${missing}`, () => {
  let primary: Postgres
  let replica: Postgres
  let replicas: readonly string[]
  let store: Store
  const changes: string[] = []
  const folder = scratchFolder('replicas')
  const places = {
    primary: scratchFolder('primary'),
    replica: scratchFolder('replica'),
    other: scratchFolder('other'),
    otherReplica: scratchFolder('other-replica'),
  }

  beforeAll(async () => {
    primary = await startPostgres(places.primary)
    primary.psql('postgres', 'create database store')
    replica = await startPostgres(places.replica, { primary: primary.port })
    replicas = [replica.url('store').replace('postgres@', 'postgres:secret@')]
    store = await Store.open({
      ...{ folder, postgresql: primary.url('store'), replicas },
      replicaChanged: (name, problem) => changes.push(`${name}: ${problem}`),
    })
  }, 2 * minute)
  afterAll(async () => {
    await store?.close()
    await replica?.stop()
    await primary?.stop()
  })

  const stateOf = () => store.upkeep.figures().replicas[0]
  const nameOf = () => `127.0.0.1:${replica.port}/store`

  /** Stores a run of a node. */
  async function stored(node: number): Promise<void> {
    for (const command of runOf(node, 1, now)) await store.submitAndWait(command, minute)
  }

  /** Certnames of the nodes, and the number of answers of the replica for them. */
  async function nodes(mayLag: boolean): Promise<{ names: readonly string[]; ofReplica: number }> {
    const before = store.upkeep.figures().replicaAnswers
    const search = `query=${encodeURIComponent('["extract","certname"]')}&order_by=[{"field":"certname"}]`
    const found = await store.ask({ method: 'GET', path: '/nodes', search, mayLag })
    const rows = JSON.parse(await text(found!.pieces)) as readonly { certname: string }[]
    const names = rows.map(({ certname }) => certname.replace(/\.test$/, ''))
    return { names, ofReplica: store.upkeep.figures().replicaAnswers - before }
  }

  test('asks it only for answers that may lag', async () => {
    await stored(1)
    expect(await nodes(false)).toEqual({ names: ['node1'], ofReplica: 0 })
    await expect.poll(() => nodes(true)).toEqual({ names: ['node1'], ofReplica: 1 })
    expect(stateOf()).toEqual({ name: nameOf(), lagMs: expect.any(Number), problem: undefined })
    const registry = new Registry()
    addStoreMetrics(registry, store.upkeep)
    const metrics = await registry.metrics()
    expect(metrics).toContain(`plumb_store_replica_usable{replica="${nameOf()}"} 1\n`)
    expect(metrics).toMatch(/^plumb_store_replica_queries_total [1-9]/m)
    expect(metrics).not.toContain('secret')
  })

  test('skips it while it is too far behind', { timeout: 2 * minute }, async () => {
    // After the start, its lag may not have been known for a moment.
    changes.splice(0)
    replica.psql('store', 'select pg_wal_replay_pause()')
    await stored(2)
    expect(await nodes(true)).toEqual({ names: ['node1'], ofReplica: 1 })
    expect(await nodes(false)).toEqual({ names: ['node1', 'node2'], ofReplica: 0 })
    await expect.poll(() => stateOf()?.problem).toMatch(/^it is 1\d seconds behind$/)
    expect(await nodes(true)).toEqual({ names: ['node1', 'node2'], ofReplica: 0 })
    replica.psql('store', 'select pg_wal_replay_resume()')
    await expect.poll(() => stateOf()?.problem).toBe(undefined)
    expect(await nodes(true)).toEqual({ names: ['node1', 'node2'], ofReplica: 1 })
    expect(changes.splice(0)).toEqual([
      expect.stringMatching(`^${nameOf()}: it is 1\\d seconds behind$`),
      `${nameOf()}: undefined`,
    ])
  })

  test('asks the primary at once when the replica stops', { timeout: 2 * minute }, async () => {
    onTestFinished(() => void changes.splice(0))
    await replica.stop()
    expect(await nodes(true)).toEqual({ names: ['node1', 'node2'], ofReplica: 0 })
    await expect.poll(() => stateOf()?.problem).toMatch(/ECONNREFUSED/)
    expect(await findReplica({ kind: 'postgresql', url: primary.url('store'), replicas })).toBe(undefined)
    await replica.restart()
    await expect.poll(() => stateOf()?.problem).toBe(undefined)
    expect(await findReplica({ kind: 'postgresql', url: primary.url('store'), replicas })).toBe(0)
  })

  test('answers what may lag while the primary is away', { timeout: 2 * minute }, async () => {
    await primary.stop()
    expect(await nodes(true)).toEqual({ names: ['node1', 'node2'], ofReplica: 1 })
    await expect(nodes(false)).rejects.toThrow(/^The store query failed/)
    await primary.restart()
    await stored(3)
    await expect.poll(async () => (await nodes(true)).names).toEqual(['node1', 'node2', 'node3'])
  })

  test('is read by `plumb query`, and checked by `plumb doctor`', { timeout: 2 * minute }, async () => {
    const confdir = join(folder, 'etc')
    mkdirSync(confdir)
    const configure = (urls: readonly string[]) =>
      writeFileSync(
        join(confdir, 'puppet.conf'),
        `[server]\nstore = ${primary.url('store')}\nstore_replicas = ${urls.join(', ')}\n`,
      )
    const place = ['--confdir', confdir, '--vardir', join(folder, 'var')]
    configure(replicas)
    const scans = () =>
      Number(replica.psql('store', "select seq_scan + idx_scan from pg_stat_user_tables where relname = 'nodes'"))
    const before = scans()
    const { out } = await runHere(['query', 'nodes[count()] {}', '--render-as', 'json', ...place])
    expect(JSON.parse(out)).toEqual([{ count: 3 }])
    await expect.poll(scans).toBeGreaterThan(before)
    const checked = async () => (await runHere(['doctor', 'store', '--role', 'server', ...place])).out
    expect(await checked()).not.toMatch(/replica/)
    configure([...replicas, primary.url('store')])
    expect(await checked()).toMatch(
      `127.0.0.1:${primary.port}/store of the store is skipped: it is not a standby server`,
    )
  })

  test('does not read from a database that is no replica of it', { timeout: 2 * minute }, async () => {
    const other = await startPostgres(places.other)
    onTestFinished(() => other.stop())
    other.psql('postgres', 'create database store')
    const itsReplica = await startPostgres(places.otherReplica, { primary: other.port })
    onTestFinished(() => itsReplica.stop())
    const location = { kind: 'postgresql', url: primary.url('store'), replicas: [itsReplica.url('store')] } as const
    expect(await checkReplicas(location)).toMatchObject([{ problem: 'it is not a replica of this database' }])
    replica.psql('postgres', 'select pg_promote()')
    await expect.poll(() => stateOf()?.problem).toBe('it is not a standby server')
    expect((await nodes(true)).ofReplica).toBe(0)
  })
})
