import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { restoreBackup } from '../../../src/store/backup/restore.ts'
import { writeBackup } from '../../../src/store/backup/write.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { openPostgres } from '../../../src/store/database/postgresql.ts'
import { findProblems } from '../../../src/store/integrity/check.ts'
import { startCollection } from '../../../src/store/retention/collection.ts'
import { defaultTimes } from '../../../src/store/retention/times.ts'
import { listMigrations, migrateDatabase } from '../../../src/store/schema/migrations.ts'
import { listPartitions, partitionIds } from '../../../src/store/schema/report-partitions.ts'
import { without } from '../../support/needs.ts'
import { startPostgres } from '../../support/real-puppetdb.js'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { answered, loadDataset, questions } from '../asked.ts'
import { runOf, written } from './fleet.ts'

const minute = 60_000
const day = 86_400_000
const now = Date.UTC(2026, 10, 20)
const missing = without('PostgreSQL')
const times = { ...defaultTimes, nodeTtl: 1000 * day, nodePurgeTtl: 1000 * day }

describe.skipIf(missing)(`reports and events in partitions${missing}`, () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>
  beforeAll(async () => {
    postgres = await startPostgres(scratchFolder('partitions'))
  }, 2 * minute)
  afterAll(() => postgres?.stop())

  /** An empty database with the schema of a version; the newest by default. */
  async function open(name: string, migrations = listMigrations(3)): Promise<Database> {
    postgres.psql('postgres', `create database ${name}`)
    const database = await openPostgres(postgres.url(name))
    onTestFinished(() => database.close())
    await migrateDatabase(database, now - 30 * day, { migrations })
    return database
  }

  async function collected(database: Database, at: number): Promise<void> {
    const parts = ['purge_reports', 'purge_resource_events'] as const
    const collection = startCollection(database, { parts }, { times, now: () => at })
    while ((await collection.slice()) !== 'done');
  }

  /** Adds many reports of a node that have one event each, as received at a time. */
  async function addReports(database: Database, received: number): Promise<void> {
    await database.run(sql`insert into reports (hash, node_id, puppet_version, report_format, configuration_version, start_time,
        end_time, producer_timestamp, receive_time, report_type, metrics, logs)
      select md5(n::text), 1, '7', 12, '1', ${received}, ${received}, ${received}, ${received}, 'agent', '', ''
      from generate_series(1, 100000) as n`)
    await database.run(sql`insert into resource_events (report_id, node_id, status, timestamp, resource_type, resource_title)
      select id, node_id, 'success', producer_timestamp, 'File', '/tmp/x' from reports where puppet_version = '7'`)
  }

  const partitions = async (database: Database) => [
    await listPartitions(database, 'reports'),
    await listPartitions(database, 'resource_events'),
  ]
  const countOf = async (database: Database, table: string) =>
    (await database.all<{ count: number }>(sql`select count(*) as count from ${sql.table(table)}`))[0]!.count

  test('are the same rows as before the migration', { timeout: 5 * minute }, async () => {
    const database = await open('migrated', listMigrations(2))
    await loadDataset(database)
    const before = await Promise.all(questions.map((question) => answered(database, question)))
    const newest = await database.all(sql`select max(id) as id from reports`)
    await migrateDatabase(database, now)
    expect(await Promise.all(questions.map((question) => answered(database, question)))).toEqual(before)
    expect(await partitions(database)).toEqual([[0], [0]])
    const reports = await countOf(database, 'reports')
    for (let times = 0; times < 2; times++) await written(database, runOf(1, 1, now))
    expect(await countOf(database, 'reports')).toBe(reports + 1)
    const [last] = await database.all<{ id: number }>(sql`select max(id) as id from reports`)
    expect(last!.id).toBeGreaterThan((newest[0] as { id: number }).id)
    expect(await findProblems(database)).toEqual([])
  })

  test('are dropped when all of them have expired, except while a query reads them', {
    timeout: 5 * minute,
  }, async () => {
    const database = await open('dropped')
    await addReports(database, now)
    await written(database, runOf(1, 1, now))
    await collected(database, now + day / 2)
    expect(await partitions(database)).toEqual([[0], [0]])

    // The next day begins a partition.
    await collected(database, now + day)
    expect(await partitions(database)).toEqual([
      [0, 1],
      [0, 1],
    ])
    await written(database, runOf(1, 2, now + day))
    await written(database, runOf(2, 1, now + day))
    expect(await countOf(database, 'reports_1')).toBe(2)
    expect(await countOf(database, 'resource_events_1')).toBeGreaterThan(0)
    const [row] = await database.all<{ id: number }>(sql`select min(id) as id from reports_1`)
    expect(row!.id).toBe(partitionIds)
    // A report is stored once, in whichever partition it is.
    await written(database, runOf(1, 1, now))
    expect(await countOf(database, 'reports')).toBe(100_003)

    // Nothing is deleted one by one meanwhile.
    await collected(database, now + 14 * day - 1)
    expect(await countOf(database, 'reports')).toBe(100_003)
    const reader = await openPostgres(postgres.url('dropped'))
    await reader.snapshot(async (inside) => {
      expect(await countOf(inside, 'reports')).toBe(100_003)
      await collected(database, now + 14 * day + 1)
      expect(await listPartitions(database, 'reports')).toEqual([0, 1])
      expect(await countOf(inside, 'reports')).toBe(100_003)
    })
    await reader.close()
    await collected(database, now + 14 * day + 1)
    expect(await partitions(database)).toEqual([[1], [1]])
    expect(await countOf(database, 'reports')).toBe(2)
    expect(await findProblems(database)).toEqual([])
    const [node] = await database.all(sql`select latest_report_id as id from nodes where certname = 'node1.test'`)
    expect(node).toEqual({ id: partitionIds })

    const file = join(scratchFolder('partitions-backup'), 'backup.gz')
    await writeBackup(database, file, now)
    const restored = await open('restored')
    await restoreBackup(restored, file, now)
    expect(await listPartitions(restored, 'reports')).toEqual([0, 1])
    await written(restored, runOf(1, 3, now + 2 * day))
    expect(await countOf(restored, 'reports_1')).toBe(3)
    expect(await findProblems(restored)).toEqual([])
  })

  test('are deleted one by one if a partition cannot be dropped', { timeout: 5 * minute }, async () => {
    const database = await open('future')
    await addReports(database, now)
    await written(database, runOf(1, 1, now))
    await written(database, runOf(2, 1, now + 1000 * day))
    await collected(database, now + 2 * day)
    await written(database, runOf(1, 2, now + 2 * day))
    // Few are enough for this test.
    await database.run(sql`delete from resource_events where report_id > 100 and report_id <= 100000`)
    await database.run(sql`delete from reports where id > 100 and id <= 100000`)
    await collected(database, now + 15 * day)
    expect(await countOf(database, 'reports')).toBe(103)
    await collected(database, now + 17 * day)
    expect(await partitions(database)).toEqual([
      [0, 1],
      [0, 1],
    ])
    expect(await countOf(database, 'reports')).toBe(2)
    expect(await findProblems(database)).toEqual([])
  })

  test('are read from the partitions that can have them', { timeout: 5 * minute }, async () => {
    const database = await open('planned')
    await addReports(database, now)
    await collected(database, now + day)
    await written(database, runOf(1, 1, now + day))
    await database.run(sql`analyze`)
    const scanned = async (query: ReturnType<typeof sql>) => {
      const plan = await database.explain(query)
      const scans = plan.matchAll(/"Relation Name": "(\w+)",[^{]*?"Actual Loops": (\d+)/g)
      return [...scans].filter(([, , loops]) => loops !== '0').map(([, name]) => name)
    }
    expect(await scanned(sql`select * from resource_events where report_id = ${partitionIds}`)).toEqual([
      'resource_events_1',
    ])
    expect(
      await scanned(sql`select status from nodes join reports on reports.id = nodes.latest_report_id`),
    ).not.toContain('reports_0')
    // A time bound reads the index of the other partition, and none of its rows.
    const plan = await database.explain(
      sql`select hash from reports where producer_timestamp >= ${now + day / 2} order by producer_timestamp`,
    )
    expect(plan).toMatch(/"Index Name": "reports_0_by_time",[^{]*"Actual Rows": 0,[^{]*"Shared Hit Blocks": \d,/)
  })
})
