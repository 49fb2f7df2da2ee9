import { defineIssues, throwIssue } from '../../base/issue.ts'
import { isUsable, type StoreFigures, type StoreResponse, type StoreUpkeep } from '../node-store.ts'
import type { QueueBacklog } from '../queue/backlog.ts'
import type { CollectionRequest } from '../retention/collection.ts'
import type { WriterMessage, WriterRequest } from './messages.ts'
import type { ReaderPool } from './reader-pool.ts'

const issues = defineIssues({
  STORE_UPKEEP_FAILED: { text: (a: { message: string }) => `The store could not complete the operation: ${a.message}` },
})

type Outcome = Extract<WriterMessage, { kind: 'done' }>['outcome']

/** Maintains a store through its threads, and collects the figures in their messages. */
export class ThreadUpkeep implements StoreUpkeep {
  readonly #post: (request: WriterRequest) => void
  readonly #readers: ReaderPool
  readonly #asked = new Map<number, (outcome: Outcome) => void>()
  #next = 1
  #figures: StoreFigures = {
    ...{ queueDepth: 0, queueBytes: 0, processed: 0, discarded: 0, writingSeconds: 0 },
    stuck: undefined,
    ...{ replicas: [], replicaAnswers: 0 },
  }
  #lastReplica = 0

  constructor(post: (request: WriterRequest) => void, readers: ReaderPool) {
    this.#post = post
    this.#readers = readers
  }

  /** Fails all pending requests, because the writer has died. */
  giveUp(why: string): void {
    for (const heard of this.#asked.values()) heard({ failed: why })
    this.#asked.clear()
    this.#figures = { ...this.#figures, stuck: why, replicas: [] }
  }

  /** Index of the read replica for the next query: usable replicas take turns. `undefined` if none is usable. */
  chooseReplica(): number | undefined {
    const { replicas } = this.#figures
    const usable = replicas.flatMap((state, at) => (isUsable(state) ? [at] : []))
    return usable[this.#lastReplica++ % usable.length]
  }

  /** Counts commands that were added to the queue. */
  waits({ commands, bytes }: QueueBacklog): void {
    const { queueDepth, queueBytes } = this.#figures
    this.#figures = { ...this.#figures, queueDepth: queueDepth + commands, queueBytes: queueBytes + bytes }
  }

  /** Updates the figures and resolves requests according to a message from the writer. */
  heard(message: WriterMessage): void {
    const figures = this.#figures
    switch (message.kind) {
      case 'ready':
        this.#figures = {
          ...{ ...figures, queueDepth: message.waiting.commands, queueBytes: message.waiting.bytes },
          stuck: undefined,
        }
        break
      case 'away':
        this.#figures = {
          ...{ ...figures, queueDepth: message.waiting.commands, queueBytes: message.waiting.bytes },
          stuck: message.problem,
        }
        break
      case 'processed':
        this.#figures = {
          ...figures,
          queueDepth: figures.queueDepth - 1,
          processed: figures.processed + 1,
          discarded: figures.discarded + (message.problem === undefined ? 0 : 1),
        }
        break
      case 'applied': {
        const { queueBytes, writingSeconds } = figures
        this.#figures = {
          ...figures,
          queueBytes: queueBytes - message.bytes,
          writingSeconds: writingSeconds + message.ms / 1000,
          stuck: undefined,
        }
        break
      }
      case 'stuck':
        this.#figures = { ...figures, stuck: message.problem }
        break
      case 'replicas':
        this.#figures = { ...figures, replicas: message.states }
        break
      case 'done':
        this.#asked.get(message.id)?.(message.outcome)
        this.#asked.delete(message.id)
    }
  }

  async clean(request: CollectionRequest): Promise<'done' | 'conflict'> {
    return this.#ask((id) => ({ kind: 'collect', id, request }))
  }

  async remove(certname: string): Promise<void> {
    await this.#ask((id) => ({ kind: 'remove', id, certname }))
  }

  summary(): Promise<StoreResponse> {
    return this.#readers.summary()
  }

  /**
   * Returns the figures. The queue depth is never negative, even if a command is written to the
   * database before it was counted as queued.
   */
  figures(): StoreFigures {
    const { queueDepth, queueBytes } = this.#figures
    return {
      ...this.#figures,
      queueDepth: Math.max(0, queueDepth),
      queueBytes: Math.max(0, queueBytes),
      replicaAnswers: this.#readers.replicaAnswers,
    }
  }

  async #ask(requestOf: (id: number) => WriterRequest): Promise<'done' | 'conflict'> {
    const id = this.#next++
    const outcome = await new Promise<Outcome>((heard) => {
      this.#asked.set(id, heard)
      this.#post(requestOf(id))
    })
    return typeof outcome === 'string' ? outcome : throwIssue(issues.STORE_UPKEEP_FAILED, { message: outcome.failed })
  }
}
