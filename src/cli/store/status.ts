import { stat } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Database } from '../../store/database/database.ts'
import { discardedIn } from '../../store/queue/discarded.ts'
import { positionOf, waitingIn } from '../../store/queue/waiting.ts'
import { collectionParts, lastCollection } from '../../store/retention/collection.ts'
import { schemaVersion, versionOf } from '../../store/schema/migrate.ts'
import { serverName } from '../../store/thread/places.ts'
import type { OpenedStore } from './opened.ts'

/** Output of `plumb store status`. */
export interface StoreStatus {
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
export async function statusOf({ database, queue, file }: OpenedStore): Promise<StoreStatus> {
  const schema = await versionOf(database)
  const common = {
    kind: database.dialect.name,
    size: await sizeOf(database, file),
    schema,
    newest_schema: schemaVersion,
  }
  const discarded = (await discardedIn(queue)).length
  if (schema === 0)
    return { ...common, counts: {}, queue: { commands: 0, bytes: 0, discarded }, collected: null, collections: {} }
  const counts: Record<string, number> = {}
  for (const [name, what] of Object.entries(counted)) counts[name] = await countOf(database, what)
  const waiting = await waitingIn(queue, await positionOf(database, await serverName(queue).catch(() => '')))
  return { ...common, counts, queue: { ...waiting, discarded }, ...(await collectionsOf(database)) }
}

async function countOf(database: Database, what: string): Promise<number> {
  const [row] = await database.all<{ count: number }>(sql`select count(*) as count from ${sql.raw(what)}`)
  return row!.count
}

async function sizeOf(database: Database, file: string | undefined): Promise<number> {
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

async function collectionsOf(database: Database): Promise<Pick<StoreStatus, 'collected' | 'collections'>> {
  const rows = await database.all<{ part: string; ended: number; removed: number }>(
    sql`select part, ended, removed from collections`,
  )
  const found = collectionParts.flatMap((part) => rows.filter((row) => row.part === part))
  const last = await lastCollection(database)
  return {
    collected: last === undefined ? null : new Date(last).toISOString(),
    collections: Object.fromEntries(
      found.map(({ part, ended, removed }) => [part, { ended: new Date(ended).toISOString(), removed }]),
    ),
  }
}

/** Formats a status as text. */
export function statusText(status: StoreStatus): string {
  const { kind, size, schema, newest_schema: newest, counts, queue, collected } = status
  const rows: [string, string | number][] = [
    ['kind', kind],
    ['size', bytesText(size)],
    ['schema', schema === newest ? schema : `${schema}, newest is ${newest}: run 'plumb store migrate'`],
    ...Object.entries(counts).map(([name, count]): [string, number] => [name.replaceAll('_', ' '), count]),
    ['commands queued', queue.commands === 0 ? 0 : `${queue.commands} (${bytesText(queue.bytes)})`],
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

function bytesText(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
