import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../../src/store/database/database.ts'
import { findOrInsertName } from '../../../src/store/ingest/nodes.ts'
import { prepareNodeWrite } from '../../../src/store/ingest/write-locks.ts'
import { findProblems } from '../../../src/store/integrity/check.ts'
import {
  type CollectionPart,
  collectionParts,
  readLastCollection,
  startCollection,
} from '../../../src/store/retention/collection.ts'
import { defaultTimes, type RetentionTimes } from '../../../src/store/retention/times.ts'
import { databaseKinds, storeFor } from '../databases.ts'
import { runOf, written } from './fleet.ts'

const day = 86_400_000
const now = Date.UTC(2026, 10, 20)
const forever = Number.POSITIVE_INFINITY
const kept: RetentionTimes = {
  ...{ nodeTtl: forever, nodePurgeTtl: forever, reportTtl: forever, resourceEventsTtl: forever },
  ...{ catalogHistoryTtl: forever, factHistoryTtl: forever },
}

async function collected(
  database: Database,
  times: Partial<RetentionTimes>,
  { at = now, parts = collectionParts, purgeAtMost }: Wish = {},
): Promise<void> {
  const request = { parts, ...(purgeAtMost !== undefined && { purgeAtMost }) }
  const collection = startCollection(database, request, { times: { ...kept, ...times }, now: () => at })
  for (let slices = 0; (await collection.slice()) !== 'done'; slices++) expect(slices).toBeLessThan(5000)
}

interface Wish {
  readonly at?: number
  readonly parts?: readonly CollectionPart[]
  readonly purgeAtMost?: number
}

async function counts(database: Database, ...tables: string[]): Promise<number[]> {
  const found: number[] = []
  for (const table of tables) {
    const [row] = await database.all<{ count: number }>(sql`select count(*) as count from ${sql.table(table)}`)
    found.push(row!.count)
  }
  return found
}

const shared = [
  ...['fact_values', 'fact_leaves', 'packages', 'resources', 'resource_names', 'resource_contents', 'tag_sets'],
  ...['source_files', 'edge_sets', 'catalog_contents', 'environments', 'sourced_files'],
]
const ofNodes = [
  ...['nodes', 'facts', 'factsets', 'fact_changes', 'node_packages', 'catalogs', 'catalog_resources'],
  ...['reports', 'resource_events', 'purged_nodes'],
]

describe.each(databaseKinds)('a collection on $title', (kind) => {
  const store = storeFor(kind)

  test.skipIf(kind.missing)('gives up what is too old, and no more', async () => {
    const { database } = store
    for (let age = 40; age >= 0; age -= 4) await written(database, runOf(1, age, now - age * day))
    await written(database, runOf(2, 1, now - 10 * day))
    await written(database, runOf(3, 1, now - 30 * day))

    await collected(database, {})
    expect(await counts(database, 'nodes', 'reports', 'resource_events', 'catalogs', 'fact_changes')).toEqual([
      ...[3, 13, 13, 13, 10],
    ])

    await collected(database, { reportTtl: 21 * day, resourceEventsTtl: 5 * day })
    expect(await counts(database, 'reports', 'resource_events')).toEqual([7, 2])
    await collected(database, { catalogHistoryTtl: 13 * day, factHistoryTtl: 9 * day })
    expect(await counts(database, 'catalogs', 'fact_changes')).toEqual([6, 3])

    const times = { nodeTtl: 7 * day, nodePurgeTtl: 14 * day }
    await collected(database, times)
    expect(await states(database)).toEqual(['node1.test', 'node2.test expired', 'node3.test expired'])
    await collected(database, times, { at: now + 13 * day, parts: ['purge_nodes'] })
    expect(await states(database)).toHaveLength(3)
    await collected(database, times, { at: now + 15 * day, parts: ['purge_nodes'], purgeAtMost: 1 })
    expect(await states(database)).toEqual(['node1.test', 'node3.test expired'])
    expect(await findProblems(database)).toEqual([])
  })

  test.skipIf(kind.missing)('leaves nothing of purged nodes but the newest of what is kept once', async () => {
    const { database } = store
    for (let run = 0; run < 4; run++)
      for (let node = 1; node < 6; node++) await written(database, runOf(node, run, now))
    await collected(database, { nodeTtl: 0, nodePurgeTtl: 0 }, { at: now + 1 })
    await collected(database, { nodeTtl: 0, nodePurgeTtl: 0 }, { at: now + 2 })
    await collected(database, {})
    expect(await counts(database, ...ofNodes)).toEqual(ofNodes.map(() => 0))
    expect(await counts(database, 'catalog_contents', 'environments', 'packages', 'fact_values')).toEqual([1, 1, 1, 1])
    // The newest list of contents stays, and so what it has.
    expect(Math.max(...(await counts(database, ...shared)))).toBeLessThan(10)
    expect(await findProblems(database)).toEqual([])
    expect(await readLastCollection(database)).toBe(now)
    await written(database, runOf(1, 3, now))
    expect(await findProblems(database)).toEqual([])
  })

  test.skipIf(kind.missing)('keeps what was written between any two of its slices', async () => {
    const { database } = store
    let run = 100
    const times = { ...kept, catalogHistoryTtl: 1000, factHistoryTtl: 1000 }
    const collection = startCollection(database, { parts: collectionParts }, { times, now: () => now })
    do for (let twice = 0; twice < 2; twice++) await written(database, runOf(50, run++, now + run))
    while ((await collection.slice()) !== 'done')
    expect(await findProblems(database)).toEqual([])
  })

  // In SQLite one writes at a time.
  test.skipIf(kind.missing || kind.name === 'SQLite')('waits for who is about to refer to a row', async () => {
    const { database } = store
    for (const name of ['forgotten', 'newest'])
      await database.run(sql`insert into environments (name) values (${name})`)
    const options = { times: kept, now: () => now, patience: Number.POSITIVE_INFINITY }
    const collection = startCollection(database, { parts: ['other'] }, options)
    await database.transaction(async (inside) => {
      await prepareNodeWrite(inside, ['late.test'])
      const id = await findOrInsertName(inside, 'environments', 'forgotten')
      expect(await collection.slice()).toBe('busy')
      await inside.run(
        sql`insert into factsets (node_id, hash, environment_id, producer_timestamp, timestamp, since)
          select id, '', ${id}::bigint, 0, 0, 0 from nodes
          where id not in (select node_id from factsets) or id = (select min(id) from nodes)
          limit 1 on conflict (node_id) do update set environment_id = excluded.environment_id`,
      )
    })
    while ((await collection.slice()) !== 'done') expect(collection.parts).toEqual(['other'])
    expect(await database.all(sql`select name from environments where name = 'forgotten'`)).toHaveLength(1)
    expect(await findProblems(database)).toEqual([])
  })

  test.skipIf(kind.missing)('keeps what is needed while commands are written', async () => {
    const { database } = store
    const times = {
      ...defaultTimes,
      nodeTtl: 40,
      nodePurgeTtl: 10,
      reportTtl: 30,
      resourceEventsTtl: 20,
      catalogHistoryTtl: 60,
    }
    let collections = 0
    let commands = 0
    const isOver = () => collections >= 3 && commands >= 300
    const writers = [0, 1, 2].map(async (writer) => {
      for (let run = 0; !isOver(); run++) {
        const node = (run % 4) + (writer === 2 ? 0 : writer * 20)
        for (const command of runOf(node, run, Date.now())) {
          await retried(() => written(database, [command]))
          commands++
        }
        await new Promise((done) => setImmediate(done))
      }
    })
    for (; !isOver(); collections++) {
      const collection = startCollection(database, { parts: collectionParts }, { times, now: Date.now, patience: 2 })
      while ((await collection.slice()) !== 'done') await new Promise((done) => setImmediate(done))
    }
    await Promise.all(writers)
    expect(await findProblems(database)).toEqual([])
    expect((await counts(database, 'nodes'))[0]).toBeGreaterThan(0)
  })
})

async function states(database: Database): Promise<string[]> {
  const rows = await database.all<{ certname: string; expired: number | null }>(
    sql`select certname, expired from nodes order by certname`,
  )
  return rows.map(({ certname, expired }) => `${certname}${expired === null ? '' : ' expired'}`)
}

/** Two that write to one PostgreSQL may have to wait for each other: one of them is refused, and tries again. */
async function retried(work: () => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries++)
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: unknown }).code !== '40P01' || tries > 20) throw error
    }
}
