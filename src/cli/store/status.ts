import { stat } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Database } from '../../store/database/database.ts'
import { countQueueBacklog, readQueuePosition } from '../../store/queue/backlog.ts'
import { listDiscardedCommands } from '../../store/queue/discarded-commands.ts'
import { collectionParts, readLastCollection } from '../../store/retention/collection.ts'
import { readSchemaVersion, schemaVersion } from '../../store/schema/migrations.ts'
import { getServerName } from '../../store/thread/queue-folder.ts'
import type { OpenedStore } from './configured-store.ts'

/** Output of `plumb store status`. */
export interface StoreStatusReport {
  readonly kind: 'sqlite' | 'postgresql'
  /** Size of the database in bytes. */
  readonly size: number
  readonly schema: number
  /** The schema version of this program. */
  readonly newest_schema: number
  readonly counts: Readonly<Record<string, number>>
  readonly queue: { readonly commands: number; readonly bytes: number; readonly discarded: number }
  /**
   * End time of the last complete garbage collection. `collections` has the end time and number of removed rows of each
   * part.
   */
  readonly collected: string | null
  readonly collections: Readonly<Record<string, { readonly ended: string; readonly removed: number }>>
}

/** Tables and conditions of the counts, by name. */
const counted: Readonly<Record<string, string>> = {
  nodes: 'nodes',
  inactive_nodes: 'nodes where deactivated is not null or expired is not null',
  catalogs: 'nodes where catalog_id is not null',
  catalogs_of_the_past: 'catalogs where id not in (select catalog_id from nodes where catalog_id is not null)',
  resources: 'catalog_resources',
  distinct_resources: 'resources',
  facts: 'facts',
  distinct_facts: 'fact_values',
  reports: 'reports',
  events: 'resource_events',
}

/** Reads the status of a store. */
export async function readStoreStatus({ database, queue, file }: OpenedStore): Promise<StoreStatusReport> {
  const schema = await readSchemaVersion(database)
  const common = {
    kind: database.dialect.name,
    size: await computeStoreSize(database, file),
    schema,
    newest_schema: schemaVersion,
  }
  const discarded = (await listDiscardedCommands(queue)).length
  if (schema === 0)
    return { ...common, counts: {}, queue: { commands: 0, bytes: 0, discarded }, collected: null, collections: {} }
  const counts: Record<string, number> = {}
  for (const [name, what] of Object.entries(counted)) counts[name] = await countRows(database, what)
  const waiting = await countQueueBacklog(
    queue,
    await readQueuePosition(database, await getServerName(queue).catch(() => '')),
  )
  return { ...common, counts, queue: { ...waiting, discarded }, ...(await readCollections(database)) }
}

async function countRows(database: Database, what: string): Promise<number> {
  const [row] = await database.all<{ count: number }>(sql`select count(*) as count from ${sql.raw(what)}`)
  return row!.count
}

async function computeStoreSize(database: Database, file: string | undefined): Promise<number> {
  if (file !== undefined) {
    const sizes = await Promise.all(
      [file, `${file}-wal`].map((each) =>
        stat(each).then(
          (found) => found.size,
          () => 0,
        ),
      ),
    )
    return sizes.reduce((sum, size) => sum + size, 0)
  }
  const [row] = await database.all<{ size: number }>(sql`select pg_database_size(current_database()) as size`)
  return row!.size
}

async function readCollections(database: Database): Promise<Pick<StoreStatusReport, 'collected' | 'collections'>> {
  const rows = await database.all<{ part: string; ended: number; removed: number }>(
    sql`select part, ended, removed from collections`,
  )
  const found = collectionParts.flatMap((part) => rows.filter((row) => row.part === part))
  const last = await readLastCollection(database)
  return {
    collected: last === undefined ? null : new Date(last).toISOString(),
    collections: Object.fromEntries(
      found.map(({ part, ended, removed }) => [part, { ended: new Date(ended).toISOString(), removed }]),
    ),
  }
}

/** Formats a status as text. */
export function formatStoreStatus(status: StoreStatusReport): string {
  const { kind, size, schema, newest_schema: newest, counts, queue, collected } = status
  const rows: [string, string | number][] = [
    ['kind', kind],
    ['size', formatBytes(size)],
    ['schema', schema === newest ? schema : `${schema}, newest is ${newest}: run 'plumb store migrate'`],
    ...Object.entries(counts).map(([name, count]): [string, number] => [name.replaceAll('_', ' '), count]),
    ['commands queued', queue.commands === 0 ? 0 : `${queue.commands} (${formatBytes(queue.bytes)})`],
    ['commands discarded', queue.discarded === 0 ? 0 : `${queue.discarded}: see 'plumb store discarded'`],
    ['collected', collected ?? 'not yet'],
    ...Object.entries(status.collections).map(([part, { removed }]): [string, string] => [
      `  ${part}`,
      `${removed} removed`,
    ]),
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join('')
}

function formatBytes(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
