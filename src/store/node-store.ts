import type { CommandName } from './commands/command.ts'
import type { Question } from './query/answer.ts'
import type { CollectionRequest } from './retention/collection.ts'

/** A command for a store. */
export interface Submitted {
  readonly name: CommandName
  readonly version: number
  readonly certname: string
  /** The time at which it was made, where that is known beside the payload. */
  readonly producerTimestamp?: string | undefined
  /** JSON in UTF-8. */
  readonly payload: Uint8Array
}

/** The outcome of a command that was waited for. */
export interface Processed {
  readonly problem: string | undefined
}

/** An answer of a store: JSON in pieces. */
export interface StoreAnswer {
  readonly status: 200 | 404
  readonly total: number | undefined
  readonly pieces: AsyncIterable<string>
}

/** The knowledge of every node: what is told in commands, and asked in PuppetDB's query language. */
export interface NodeStore {
  /** True for a store of reports that wants the resources, too, that were as they should be. */
  readonly includesUnchanged?: boolean
  /**
   * Takes a command; it is kept when this returns its UUID, and given up softly, as the operator wants it, when it returns
   * nothing. Throws QUEUE_FULL, or why a PuppetDB did not take it. `processed` is told once it is stored or discarded; by a
   * store that never hears of that, once it is kept or given up.
   */
  submit(command: Submitted, processed?: () => void): Promise<string | undefined>
  /** Takes a command and waits until it is stored, or discarded, or the time is over: then `processed` is `undefined`. */
  submitAndWait(
    command: Submitted,
    milliseconds: number,
  ): Promise<{ readonly uuid: string; readonly processed: Processed | undefined }>
  /**
   * Answers a question; `undefined` where nothing has its address. Throws INVALID_QUERY and QUERY_FAILED.
   * @param signal Aborted when nobody wants the answer any more.
   */
  ask(question: Question, signal?: AbortSignal): Promise<StoreAnswer | undefined>
  /** Reads certificates and settings again that it was opened with. */
  reload?(): Promise<void>
  /** Resolves when all is stored that had been kept before this store was opened; absent where nothing ever waits. */
  caughtUp?(): Promise<void>
  /** Of a store of our own. */
  readonly upkeep?: StoreUpkeep
  close(): Promise<void>
}

/** Figures of a store since its start. */
export interface StoreFigures {
  /** Commands that wait on disk, and their bytes. */
  readonly queueDepth: number
  readonly queueBytes: number
  readonly processed: number
  readonly discarded: number
  /** Seconds in which commands were written. */
  readonly writingSeconds: number
  /** The reason why nothing can be written now. */
  readonly stuck: string | undefined
}

/** Work on a store of our own, besides what every store does. */
export interface StoreUpkeep {
  /** Removes what is too old, or what nobody refers to; `conflict` while that is under way already. */
  clean(request: CollectionRequest): Promise<'done' | 'conflict'>
  /** Forgets a node at once, whatever is known of it. */
  remove(certname: string): Promise<void>
  /** PuppetDB's `summary-stats`. */
  summary(): Promise<StoreAnswer>
  figures(): StoreFigures
}
