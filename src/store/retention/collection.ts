import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { aloneInside } from '../ingest/beside-others.ts'
import { expiringNodes } from './expire-nodes.ts'
import { removingCatalogs, removingFactChanges } from './old-history.ts'
import { removingEvents, removingReports } from './old-reports.ts'
import { purgingNodes, sweepingPurged } from './purge-nodes.ts'
import { removingResourceContents } from './resource-contents.ts'
import type { Step } from './step.ts'
import type { RetentionTimes } from './times.ts'
import {
  removingCatalogContents,
  removingEdgeSets,
  removingEnvironments,
  removingFactValues,
  removingPackages,
  removingResourceNames,
  removingResources,
  removingSourcedFiles,
} from './unreferenced.ts'

/** Parts of a collection in the order of execution, named as in PuppetDB (command `clean` of its admin endpoint). */
export const collectionParts = [
  'expire_nodes',
  'purge_nodes',
  'purge_reports',
  'purge_resource_events',
  'gc_packages',
  'gc_catalogs',
  'gc_fact_paths',
  'other',
] as const

/** A part of a collection. */
export type CollectionPart = (typeof collectionParts)[number]

/** A request for a collection. */
export interface CollectionRequest {
  readonly parts: readonly CollectionPart[]
  /** Maximum number of purged nodes; no limit if absent. */
  readonly purgeAtMost?: number
}

interface Conditions {
  readonly times: RetentionTimes
  readonly purgeAtMost: number | undefined
  /**
   * Start of the collection, in milliseconds since 1970. Later data is not collected, so that the
   * collection ends.
   */
  readonly now: number
}

/** The steps of each part. A part has no steps if its data is kept forever. */
const stepsOf: Readonly<Record<CollectionPart, (conditions: Conditions) => readonly Step[]>> = {
  expire_nodes: ({ times, now }) => within(times.nodeTtl, () => [expiringNodes(times.nodeTtl, now)]),
  purge_nodes: ({ times, now, purgeAtMost }) => [
    ...within(times.nodePurgeTtl, () => [purgingNodes(times.nodePurgeTtl, now, purgeAtMost)]),
    sweepingPurged(),
  ],
  purge_reports: ({ times, now }) => within(times.reportTtl, () => [removingReports(times.reportTtl, now)]),
  purge_resource_events: ({ times, now }) =>
    within(times.resourceEventsTtl, () => [removingEvents(times.resourceEventsTtl, now)]),
  gc_packages: () => [removingPackages()],
  gc_catalogs: ({ times, now }) => [
    ...within(times.catalogHistoryTtl, () => [removingCatalogs(times.catalogHistoryTtl, now)]),
    removingSourcedFiles(),
    removingCatalogContents(),
    removingEdgeSets(),
    ...removingResourceContents(),
    removingResources(),
    removingResourceNames(),
  ],
  gc_fact_paths: ({ times, now }) => [
    ...within(times.factHistoryTtl, () => [removingFactChanges(times.factHistoryTtl, now)]),
    removingFactValues(),
  ],
  other: () => [removingEnvironments()],
}

function within(ttl: number, steps: () => readonly Step[]): readonly Step[] {
  return Number.isFinite(ttl) ? steps() : []
}

/**
 * Target duration of a slice in milliseconds. If a slice takes longer than `above`, the next slice
 * has fewer rows; if it takes less than `below`, more.
 */
const sliceMs = { above: 4, below: 2 }
/** Number of rows in a slice. */
const rows = { first: 200, fewest: 10, most: 5000 }
/**
 * Number of slices that may be skipped because other servers are writing; after that, a slice makes
 * the other servers wait.
 */
const usualPatience = 20

/** State after a slice; `busy` if other servers are writing to the shared PostgreSQL. */
export type Progress = 'more' | 'busy' | 'done'

/** A running collection. It removes expired data and unreferenced rows, one slice at a time. */
export interface Collection {
  readonly parts: readonly CollectionPart[]
  /**
   * Runs one slice in its own transaction. Throws the database's error; that slice then has no
   * effect.
   */
  slice(): Promise<Progress>
}

/** Options of a collection. */
export interface CollectionOptions {
  readonly times: RetentionTimes
  now(): number
  /**
   * Number of slices that may be skipped because other servers are writing; after that, a slice
   * makes the other servers wait.
   */
  readonly patience?: number
}

/** Starts a collection. */
export function beginCollection(
  database: Database,
  { parts, purgeAtMost }: CollectionRequest,
  { times, now, patience = usualPatience }: CollectionOptions,
): Collection {
  const conditions = { times, purgeAtMost, now: now() }
  const wanted = collectionParts.filter((part) => parts.includes(part))
  const steps = wanted.flatMap((part) => {
    const all = stepsOf[part](conditions)
    return [...all, 'end' as const].map((step) => ({ part, step }))
  })
  let [limit, refused, removed] = [rows.first, 0, 0]
  return {
    parts: wanted,
    async slice() {
      const next = steps[0]
      if (!next) return 'done'
      const { part, step } = next
      const done = await database.transaction(async (inside) => {
        if (!(await aloneInside(inside, refused >= patience))) return undefined
        if (step === 'end') return noteEnd(inside, { part, removed, now: now() })
        const began = performance.now()
        const slice = await step(inside, limit)
        limit = nextLimit(limit, performance.now() - began)
        removed += slice.removed
        return slice.done
      })
      refused = done === undefined ? refused + 1 : 0
      if (done === undefined) return 'busy'
      if (done) steps.shift()
      if (step === 'end') removed = 0
      return steps.length === 0 ? 'done' : 'more'
    },
  }
}

function nextLimit(limit: number, ms: number): number {
  if (ms > sliceMs.above) return Math.max(rows.fewest, Math.floor(limit / 2))
  return ms < sliceMs.below ? Math.min(rows.most, limit * 2) : limit
}

async function noteEnd(
  inside: Database,
  { part, removed, now }: { readonly part: CollectionPart; readonly removed: number; readonly now: number },
): Promise<true> {
  await inside.run(
    sql`insert into collections (part, ended, removed) values (${part}, ${now}, ${removed})
      on conflict (part) do update set ended = excluded.ended, removed = excluded.removed`,
  )
  return true
}

/**
 * Time at which any server last completed a collection, in milliseconds since 1970; `undefined`
 * before the first collection.
 */
export async function lastCollection(database: Database): Promise<number | undefined> {
  const [row] = await database.all<{ ended: number | null; parts: number }>(
    sql`select min(ended) as ended, count(*) as parts from collections`,
  )
  return row && row.parts === collectionParts.length ? (row.ended ?? undefined) : undefined
}
