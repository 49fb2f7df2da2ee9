import { join } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import type { Question } from '../query/answer.ts'
import type { Waiting } from '../queue/waiting.ts'
import type { CollectionRequest } from '../retention/collection.ts'
import type { RetentionTimes } from '../retention/times.ts'

/** The place of a store's data. */
export type DatabasePlace =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgresql'; readonly url: string }

/** The place of a store's data: an address, or a file in its folder. */
export function placeOf(folder: string, postgresql: string | undefined): DatabasePlace {
  if (postgresql === undefined) return { kind: 'sqlite', file: join(folder, 'store.db') }
  return { kind: 'postgresql', url: postgresql }
}

/** Data with which the writer and the readers of a store are started. */
export interface StoreThreadData {
  readonly database: DatabasePlace
  /** Folder of the queue. */
  readonly queue: string
  /** The name of this server in the database. */
  readonly server: string
  /** Milliseconds that an inactive node is still answered for. */
  readonly nodePurgeTtl: number
  /** Milliseconds that a question may take until its first rows, or the next ones. */
  readonly queryTimeMs: number
}

/** Data of the writer. */
export interface WriterData extends StoreThreadData {
  readonly times: RetentionTimes
  /** Milliseconds between two collections; infinite for none. */
  readonly gcInterval: number
}

/** Data with which the writer is started. */
export interface WriterThreadData extends WriterData {
  /** Tells the thread to end. */
  readonly ending: MessagePort
}

/** To the writer. */
export type WriterRequest =
  /** Something waits in the queue. */
  | { readonly kind: 'more' }
  /** Collect now. */
  | { readonly kind: 'collect'; readonly id: number; readonly request: CollectionRequest }
  /** Forget a node. */
  | { readonly kind: 'remove'; readonly id: number; readonly certname: string }

/** From the writer. */
export type WriterMessage =
  /** The database answers; its schema is brought up to ours now, which may take long. */
  | { readonly kind: 'reached' }
  /** The database is away at the start; it is tried again. */
  | { readonly kind: 'away'; readonly problem: string; readonly waiting: Waiting }
  | { readonly kind: 'ready'; readonly waiting: Waiting }
  /** Nothing waits. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'processed'; readonly uuid: string; readonly problem: string | undefined }
  /** Bytes of the queue that were written, and the milliseconds that it took. */
  | { readonly kind: 'applied'; readonly bytes: number; readonly ms: number }
  /** The database is away or full; it is tried again. */
  | { readonly kind: 'stuck'; readonly problem: string }
  /** The end of what was asked for; `conflict` where a collection was under way. */
  | { readonly kind: 'done'; readonly id: number; readonly outcome: 'done' | 'conflict' | { readonly failed: string } }
  /** A collection that began by itself was given up; there is another after the interval. */
  | { readonly kind: 'not collected'; readonly problem: string }

/** To a reader; `open` comes first. Pieces of an answer are sent one at a time, as they are asked for. */
export type ReaderRequest =
  | { readonly kind: 'open'; readonly data: StoreThreadData }
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question }
  /** PuppetDB's `summary-stats`. */
  | { readonly kind: 'summary'; readonly id: number }
  | { readonly kind: 'next'; readonly id: number }
  | { readonly kind: 'stop'; readonly id: number }

/** From a reader. */
export type ReaderMessage =
  | {
      readonly kind: 'head'
      readonly id: number
      readonly status: 200 | 404
      readonly total: number | undefined
      /** The first piece; all there is where it is the last. */
      readonly text: string
      readonly isLast: boolean
    }
  | { readonly kind: 'nothing'; readonly id: number }
  | { readonly kind: 'refused'; readonly id: number; readonly message: string }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  | { readonly kind: 'piece'; readonly id: number; readonly text: string; readonly isLast: boolean }
