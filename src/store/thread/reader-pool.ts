import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { StoreResponse } from '../node-store.ts'
import type { QueryRequest } from '../query/execution.ts'
import { throwInvalidQuery } from '../query/issues.ts'
import { streamSinglePiece } from '../single-piece.ts'
import type { ReaderMessage, ReaderRequest, StoreThreadData } from './messages.ts'
import { QueryReader } from './reader.ts'

const issues = defineIssues({
  QUERY_FAILED: { text: (a: { message: string }) => `The store query failed: ${a.message}` },
})

const whyClosed = 'the server is stopping'
const whyUnwanted = 'the client disconnected'

/** A request that starts a response. */
type ReaderQuestion = Extract<ReaderRequest, { kind: 'ask' | 'summary' }>

/** Returns the index of a read replica for a query that may lag; `undefined` for the primary. */
export type ReplicaChoice = () => number | undefined | Promise<number | undefined>

/** The first reply to a query, with the reader that sent it. */
interface FirstReply {
  readonly reader: QueryReader | undefined
  readonly head: ReaderMessage
}

/** Milliseconds after which an idle reader is ended; the first reader is never ended. */
const idleMs = 60_000

/**
 * The processes that run queries, started on demand. A query has its own reader until its first
 * rows are read, so that a slow query does not delay other queries, and killing its reader does not
 * make them fail.
 */
export class ReaderPool {
  readonly #data: StoreThreadData
  readonly #readers = new Set<QueryReader>()
  readonly #queue: ((reader: QueryReader | undefined) => void)[] = []
  readonly #chooseReplica: ReplicaChoice
  #next = 1
  #replicaAnswers = 0
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(data: StoreThreadData, chooseReplica: ReplicaChoice = () => undefined) {
    this.#data = data
    this.#chooseReplica = chooseReplica
  }

  /** Number of queries that read replicas answered. */
  get replicaAnswers(): number {
    return this.#replicaAnswers
  }

  /** Runs a query; `undefined` if the query's path does not exist. Throws INVALID_QUERY and QUERY_FAILED. */
  async ask(question: QueryRequest, signal?: AbortSignal): Promise<StoreResponse | undefined> {
    const replica = question.mayLag ? await this.#chooseReplica() : undefined
    return this.#answer({ kind: 'ask', id: this.#next++, question, ...(replica !== undefined && { replica }) }, signal)
  }

  /**
   * Returns statistics of the database in the format of PuppetDB's `summary-stats`. Throws
   * QUERY_FAILED.
   */
  async summary(): Promise<StoreResponse> {
    return (await this.#answer({ kind: 'summary', id: this.#next++ }))!
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idle)
    for (const reader of this.#readers) reader.end(whyClosed)
    for (const waiting of this.#queue.splice(0)) waiting(undefined)
  }

  async #answer(asking: ReaderQuestion, signal?: AbortSignal): Promise<StoreResponse | undefined> {
    if (this.#isClosed) throwIssue(issues.QUERY_FAILED, { message: whyClosed })
    if (signal?.aborted) throwIssue(issues.QUERY_FAILED, { message: whyUnwanted })
    const { reader, head } = await this.#begin(asking, signal)
    this.#serve()
    if (head.kind === 'nothing') return undefined
    if (head.kind !== 'head' || !reader) return throwFailure(head)
    if (head.fromReplica) this.#replicaAnswers++
    return {
      status: head.status,
      total: head.total,
      pieces: head.isLast ? streamSinglePiece(head.text) : this.#pieces(reader, asking.id, head.text),
    }
  }

  async #begin(asking: ReaderQuestion, signal: AbortSignal | undefined): Promise<FirstReply> {
    const free = this.#free()
    // Take the reader in the same tick: otherwise another query could take it in the meantime.
    if (free) return this.#asked(free, asking, signal)
    return new Promise((done) => {
      const begin = (reader: QueryReader | undefined) => {
        signal?.removeEventListener('abort', leave)
        done(reader ? this.#asked(reader, asking, signal) : createFailedStart(asking.id, whyClosed))
      }
      const leave = () => {
        this.#queue.splice(this.#queue.indexOf(begin), 1)
        done(createFailedStart(asking.id, whyUnwanted))
      }
      this.#queue.push(begin)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  /**
   * Sends a query to a reader and waits for the first reply. If the query is aborted, the reader is
   * killed, because an SQLite statement cannot be stopped in another way; a reader with other open
   * responses is not killed.
   */
  async #asked(reader: QueryReader, asking: ReaderQuestion, signal: AbortSignal | undefined): Promise<FirstReply> {
    const leave = () => {
      if (reader.answers === 0) reader.end(whyUnwanted)
    }
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return { reader, head: await reader.request(asking) }
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  /**
   * Returns an idle reader without open responses; if there is none, a new reader; if no more
   * readers may be started, an idle reader with open responses.
   */
  #free(): QueryReader | undefined {
    const idle = [...this.#readers].filter(({ isIdle }) => isIdle).sort((a, b) => a.answers - b.answers)[0]
    if (idle?.answers === 0 || this.#readers.size >= budgets.store.readers.bound) return idle
    return this.#start()
  }

  #start(): QueryReader {
    const reader = new QueryReader(this.#data, (ended) => {
      this.#readers.delete(ended)
      this.#serve()
    })
    this.#readers.add(reader)
    return reader
  }

  /** Assigns free readers to queued queries. */
  #serve(): void {
    clearTimeout(this.#idle)
    if (this.#isClosed) return
    while (this.#queue.length > 0) {
      const reader = this.#free()
      if (!reader) return
      this.#queue.shift()!(reader)
    }
    this.#idle = setTimeout(() => this.#shrink(), idleMs)
    this.#idle.unref()
  }

  #shrink(): void {
    const unneeded = [...this.#readers].filter(({ isIdle, answers }) => isIdle && answers === 0)
    for (const reader of unneeded.slice(this.#readers.size > unneeded.length ? 0 : 1))
      reader.end('the result is no longer needed')
  }

  async *#pieces(reader: QueryReader, id: number, first: string): AsyncIterable<string> {
    let ended = false
    try {
      yield first
      while (!ended) {
        const message = await reader.request({ kind: 'next', id })
        this.#serve()
        ended = message.kind !== 'piece' || message.isLast
        if (message.kind !== 'piece') throwFailure(message)
        else yield message.text
      }
    } finally {
      if (!ended) reader.stop(id)
    }
  }
}

function createFailedStart(id: number, message: string): FirstReply {
  return { reader: undefined, head: { kind: 'failed', id, message } }
}

function throwFailure(message: ReaderMessage): never {
  if (message.kind === 'refused') return throwInvalidQuery(message.message)
  return throwIssue(issues.QUERY_FAILED, { message: message.kind === 'failed' ? message.message : message.kind })
}
