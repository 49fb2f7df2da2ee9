import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { acquireExclusiveAccess } from '../ingest/write-locks.ts'
import { createExpirationStep } from './node-expiration.ts'
import { createNodePurge, createPurgedNodeSweep } from './node-purge.ts'
import { createCatalogRemoval, createFactChangeRemoval } from './old-history.ts'
import { createOrderRemoval } from './old-orders.ts'
import { createEventRemoval, createReportRemoval } from './old-reports.ts'
import { createEventPartitionRemoval, createPartitionStart, createReportPartitionRemoval } from './report-partitions.ts'
import { createResourceContentRemoval } from './resource-contents.ts'
import type { RetentionStep } from './step.ts'
import type { RetentionTimes } from './times.ts'
import {
  createCatalogContentRemoval,
  createEdgeSetRemoval,
  createEnvironmentRemoval,
  createFactValueRemoval,
  createPackageRemoval,
  createResourceNameRemoval,
  createResourceRemoval,
  createSourcedFileRemoval,
} from './unreferenced-rows.ts'

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
const partSteps: Readonly<Record<CollectionPart, (conditions: Conditions) => readonly RetentionStep[]>> = {
  expire_nodes: ({ times, now }) => limitSteps(times.nodeTtl, () => [createExpirationStep(times.nodeTtl, now)]),
  purge_nodes: ({ times, now, purgeAtMost }) => [
    ...limitSteps(times.nodePurgeTtl, () => [createNodePurge(times.nodePurgeTtl, now, purgeAtMost)]),
    createPurgedNodeSweep(),
  ],
  purge_reports: ({ times, now }) =>
    limitSteps(times.reportTtl, () => [
      createPartitionStart(times, now),
      createReportPartitionRemoval(times, now),
      createReportRemoval(times, now),
    ]),
  purge_resource_events: ({ times, now }) =>
    limitSteps(times.resourceEventsTtl, () => [
      createEventPartitionRemoval(times, now),
      createEventRemoval(times, now),
    ]),
  gc_packages: () => [createPackageRemoval()],
  gc_catalogs: ({ times, now }) => [
    ...limitSteps(times.catalogHistoryTtl, () => [createCatalogRemoval(times.catalogHistoryTtl, now)]),
    createSourcedFileRemoval(),
    createCatalogContentRemoval(),
    createEdgeSetRemoval(),
    ...createResourceContentRemoval(),
    createResourceRemoval(),
    createResourceNameRemoval(),
  ],
  gc_fact_paths: ({ times, now }) => [
    ...limitSteps(times.factHistoryTtl, () => [createFactChangeRemoval(times.factHistoryTtl, now)]),
    createFactValueRemoval(),
  ],
  other: ({ now }) => [createEnvironmentRemoval(), createOrderRemoval(now)],
}

function limitSteps(ttl: number, steps: () => readonly RetentionStep[]): readonly RetentionStep[] {
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

/**
 * State of a collection after a slice; `busy` if other servers are writing to the shared
 * PostgreSQL.
 */
export type Progress = 'more' | 'busy' | 'done'

/** A running collection. It removes expired data and unreferenced rows, one slice at a time. */
export interface RunningCollection {
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
export function startCollection(
  database: Database,
  { parts, purgeAtMost }: CollectionRequest,
  { times, now, patience = usualPatience }: CollectionOptions,
): RunningCollection {
  const conditions = { times, purgeAtMost, now: now() }
  const wanted = collectionParts.filter((part) => parts.includes(part))
  const steps = wanted.flatMap((part) => {
    const all = partSteps[part](conditions)
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
        if (!(await acquireExclusiveAccess(inside, refused >= patience))) return undefined
        if (step === 'end') return recordEnd(inside, { part, removed, now: now() })
        const began = performance.now()
        const slice = await step(inside, limit)
        limit = computeNextLimit(limit, performance.now() - began)
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

function computeNextLimit(limit: number, ms: number): number {
  if (ms > sliceMs.above) return Math.max(rows.fewest, Math.floor(limit / 2))
  return ms < sliceMs.below ? Math.min(rows.most, limit * 2) : limit
}

async function recordEnd(
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
export async function readLastCollection(database: Database): Promise<number | undefined> {
  const [row] = await database.all<{ ended: number | null; parts: number }>(
    sql`select min(ended) as ended, count(*) as parts from collections`,
  )
  return row && row.parts === collectionParts.length ? (row.ended ?? undefined) : undefined
}
