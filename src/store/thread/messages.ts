import { join } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import type { PackedError } from '../../base/threads/packed-error.ts'
import type { ReplicaState } from '../node-store.ts'
import type { OrderRows } from '../orders/order-rows.ts'
import type { QueryRequest } from '../query/execution.ts'
import type { QueueBacklog } from '../queue/backlog.ts'
import type { CollectionRequest } from '../retention/collection.ts'
import type { RetentionTimes } from '../retention/times.ts'
import type { RolloutRows } from '../rollouts/rollout-rows.ts'

/** Location of a store's database. */
export type DatabaseLocation = { readonly kind: 'sqlite'; readonly file: string } | PostgresLocation

/** URLs of a PostgreSQL database and its read replicas. */
export interface PostgresLocation {
  readonly kind: 'postgresql'
  readonly url: string
  readonly replicas: readonly string[]
}

/**
 * Returns the location of a store's database: the PostgreSQL URLs, or a file in the store's folder.
 */
export function getDatabaseLocation(
  folder: string,
  postgresql: string | undefined,
  replicas: readonly string[] = [],
): DatabaseLocation {
  if (postgresql === undefined) return { kind: 'sqlite', file: join(folder, 'store.db') }
  return { kind: 'postgresql', url: postgresql, replicas }
}

/** URLs of the read replicas of a database. */
export function getReplicas(database: DatabaseLocation): readonly string[] {
  return database.kind === 'postgresql' ? database.replicas : []
}

/** Data with which the writer and the readers of a store are started. */
export interface StoreThreadData {
  readonly database: DatabaseLocation
  /** Folder of the queue. */
  readonly queue: string
  /** Name under which this server is recorded in the database. */
  readonly server: string
  /** Milliseconds after which an inactive node is omitted from query results. */
  readonly nodePurgeTtl: number
  /** Time limit in milliseconds until the first rows of a query, and until each further piece of its response. */
  readonly queryTimeMs: number
}

/** Data with which the writer is started. */
export interface WriterData extends StoreThreadData {
  readonly times: RetentionTimes
  /** Milliseconds between two collections; infinity disables them. */
  readonly gcInterval: number
}

/** Data with which the writer thread is started. */
export interface WriterThreadData extends WriterData {
  /** Port that receives the request to end the thread. */
  readonly ending: MessagePort
}

/** Tables of a store that the server reads and changes by calls: each has methods with plain values. */
export interface RowSets {
  readonly orders: OrderRows
  readonly rollouts: RolloutRows
}

/** Result of a call: its value, or an error. */
export type RowOutcome = { readonly value: unknown } | { readonly failed: PackedError }

/** A call of a method of some tables. */
export interface RowCall {
  readonly kind: 'rows'
  readonly id: number
  readonly target: keyof RowSets
  readonly method: string
  readonly values: readonly unknown[]
}

/** A message to the writer. */
export type WriterRequest =
  /** The queue has new commands. */
  | { readonly kind: 'more' }
  /** Request to start a collection. */
  | { readonly kind: 'collect'; readonly id: number; readonly request: CollectionRequest }
  /** Request to purge a node. */
  | { readonly kind: 'remove'; readonly id: number; readonly certname: string }
  | RowCall

/** A message from the writer. */
export type WriterMessage =
  /** The database is reachable; the writer now migrates its schema, which may take a long time. */
  | { readonly kind: 'reached' }
  /** The database was unavailable at startup; the writer keeps trying. */
  | { readonly kind: 'away'; readonly problem: string; readonly waiting: QueueBacklog }
  | { readonly kind: 'ready'; readonly waiting: QueueBacklog }
  /** The queue is empty. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'processed'; readonly uuid: string; readonly problem: string | undefined }
  /** Number of bytes of the queue that were applied, and the duration in milliseconds. */
  | { readonly kind: 'applied'; readonly bytes: number; readonly ms: number }
  /** The database is unavailable or full; the writer keeps trying. */
  | { readonly kind: 'stuck'; readonly problem: string }
  /** Result of a request; `conflict` if a collection was already running. */
  | { readonly kind: 'done'; readonly id: number; readonly outcome: 'done' | 'conflict' | { readonly failed: string } }
  /** Result of a call. */
  | { readonly kind: 'rows'; readonly id: number; readonly outcome: RowOutcome }
  /** A scheduled collection failed; the next one starts after the interval. */
  | { readonly kind: 'not collected'; readonly problem: string }
  /** States of the read replicas, in the order of the setting. */
  | { readonly kind: 'replicas'; readonly states: readonly ReplicaState[] }

/**
 * A message to a reader; the first message is `open`. A reader sends each piece of a response only
 * when it is requested.
 */
export type ReaderRequest =
  | { readonly kind: 'open'; readonly data: StoreThreadData }
  /** A query. With `replica`, the index of a read replica, the replica answers if it responds. */
  | { readonly kind: 'ask'; readonly id: number; readonly question: QueryRequest; readonly replica?: number }
  /** Request for statistics in the format of PuppetDB's `summary-stats`. */
  | { readonly kind: 'summary'; readonly id: number }
  | { readonly kind: 'next'; readonly id: number }
  | { readonly kind: 'stop'; readonly id: number }

/** A message from a reader. */
export type ReaderMessage =
  | {
      readonly kind: 'head'
      readonly id: number
      readonly status: 200 | 404
      readonly total: number | undefined
      /** The first piece, or the complete response if `isLast` is true. */
      readonly text: string
      readonly isLast: boolean
      /** True if a read replica answered. */
      readonly fromReplica: boolean
    }
  | { readonly kind: 'nothing'; readonly id: number }
  | { readonly kind: 'refused'; readonly id: number; readonly message: string }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  | { readonly kind: 'piece'; readonly id: number; readonly text: string; readonly isLast: boolean }
