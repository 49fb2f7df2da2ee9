import type { CommandName } from './commands/command.ts'
import type { Question } from './query/answer.ts'
import type { StoreUpkeep } from './upkeep.ts'

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
