import type { CommandName } from './commands/command.ts'
import type { OrderRows } from './orders/order-rows.ts'
import type { QueryRequest } from './query/execution.ts'
import type { CollectionRequest } from './retention/collection.ts'
import type { RolloutRows } from './rollouts/rollout-rows.ts'

/** A command for a store. */
export interface SubmittedCommand {
  readonly name: CommandName
  readonly version: number
  readonly certname: string
  /** Time at which the command was created, if it is known from a source other than the payload. */
  readonly producerTimestamp?: string | undefined
  /** JSON in UTF-8. */
  readonly payload: Uint8Array
}

/** The result of processing a command; `problem` is the reason if the command was discarded. */
export interface CommandOutcome {
  readonly problem: string | undefined
}

/** A response of a store: JSON in pieces. */
export interface StoreResponse {
  readonly status: 200 | 404
  readonly total: number | undefined
  readonly pieces: AsyncIterable<string>
}

/**
 * A store with the data of all nodes, written by commands and read with PuppetDB's query language.
 */
export interface NodeStore {
  /** True if reports should include unchanged resources. */
  readonly includesUnchanged?: boolean
  /**
   * Accepts a command and returns its UUID when the command is stored safely; `undefined` if the
   * command failed and the operator chose to ignore failures. Throws QUEUE_FULL, or the reason why
   * PuppetDB rejected the command. Calls `processed` when the command is stored or discarded. If
   * the database does not report this, as PuppetDB does not, `processed` is called when the command
   * is accepted or abandoned.
   */
  submit(command: SubmittedCommand, processed?: () => void): Promise<string | undefined>
  /**
   * Accepts a command and waits until it is stored or discarded; after the timeout `processed` is
   * `undefined`.
   */
  submitAndWait(
    command: SubmittedCommand,
    milliseconds: number,
  ): Promise<{ readonly uuid: string; readonly processed: CommandOutcome | undefined }>
  /**
   * Runs a query; `undefined` if its path does not exist. Throws INVALID_QUERY and QUERY_FAILED.
   * @param signal Aborted when the response is no longer needed.
   */
  ask(question: QueryRequest, signal?: AbortSignal): Promise<StoreResponse | undefined>
  /** Reloads certificates and settings. */
  reload?(): Promise<void>
  /**
   * Resolves when all commands accepted before this store was opened are stored; absent if the
   * store has no queue.
   */
  caughtUp?(): Promise<void>
  /** Present if Plumb itself manages the store. */
  readonly upkeep?: StoreUpkeep
  /** Orders to nodes; absent if Plumb itself does not manage the store. */
  readonly orders?: OrderRows
  /** Rollouts; absent from a store that Plumb does not manage. */
  readonly rollouts?: RolloutRows
  close(): Promise<void>
}

/** Returns a store whose responses may lack the data of the last seconds, so that read replicas can answer. */
export function allowLag(store: Pick<NodeStore, 'ask'>): Pick<NodeStore, 'ask'> {
  return { ask: (question, signal) => store.ask({ ...question, mayLag: true }, signal) }
}

/** State of a read replica at its last check. */
export interface ReplicaState {
  /** Host, port and database of the replica. */
  readonly name: string
  /**
   * Milliseconds that the replica is behind the last known position of the primary, with a resolution of
   * the interval between checks; `undefined` if unknown or longer than the record of positions.
   */
  readonly lagMs: number | undefined
  /** Reason why the replica cannot answer queries; `undefined` if it can. */
  readonly problem: string | undefined
}

/** True if a replica can answer queries. */
export function isUsable({ problem }: ReplicaState): boolean {
  return problem === undefined
}

/** Statistics of a store since it was opened. */
export interface StoreFigures {
  /** Number of queued commands, and their total bytes. */
  readonly queueDepth: number
  readonly queueBytes: number
  readonly processed: number
  readonly discarded: number
  /** Seconds spent writing commands. */
  readonly writingSeconds: number
  /** Reason why the store cannot write at present. */
  readonly stuck: string | undefined
  /** States of the read replicas, in the order of the setting. */
  readonly replicas: readonly ReplicaState[]
  /** Number of queries that read replicas answered. */
  readonly replicaAnswers: number
}

/** Maintenance of a store that Plumb itself manages. */
export interface StoreUpkeep {
  /**
   * Starts a collection, which removes expired data and unreferenced rows; returns `conflict` if a
   * collection is already running.
   */
  clean(request: CollectionRequest): Promise<'done' | 'conflict'>
  /** Purges a node at once. */
  remove(certname: string): Promise<void>
  /** Returns statistics in the format of PuppetDB's `summary-stats`. */
  summary(): Promise<StoreResponse>
  figures(): StoreFigures
}
