import { budgets } from '../../base/budgets/budgets.ts'
import { resolveScriptPath } from '../../base/program/script-path.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { KeyedSlots } from '../../base/threads/keyed-slots.ts'
import { type PackedError, unpackError } from '../../base/threads/packed-error.ts'
import { NoAnswerError, WorkerThread } from '../../base/threads/worker-thread.ts'
import { createPuppetRefusal, type Refusal } from '../http/refusal.ts'
import { createRetryRefusal, smallBody } from './body-memory.ts'
import { type ReadingName, readings } from './body-parsers.ts'
import type { Body } from './request-body.ts'

/** A message to the thread: a body to parse, the parser, and its argument. */
export interface ReadQuestion {
  readonly name: ReadingName
  readonly blocks: readonly Uint8Array[]
  readonly argument: string
}

/** The reply of the thread: the parsed value with the body's bytes, or an error. */
export type ReadAnswer = { readonly value: unknown; readonly text: Uint8Array } | { readonly error: PackedError }

/** The result of parsing a body, and the body's bytes. */
export interface ReadResult<Name extends ReadingName> {
  readonly value: ReturnType<(typeof readings)[Name]>
  readonly text: Uint8Array
}

/** Limits of a reader; set only in tests. */
export interface BodyReaderOptions {
  /** Time limit for one body, in milliseconds. */
  readonly time?: number
  readonly queue?: number
  readonly queueOfOne?: number
}

/**
 * Heap limit of the thread, in MiB. It is sufficient for the largest body: the text, decoded twice, and the values. A
 * body that exceeds the limit ends the thread.
 */
const heapMb = 1024
/** Stack of the thread in MiB: Node's default. */
const stackSizeMb = 4
/** Idle time after which the thread ends and frees its memory, in milliseconds. */
const idleMs = 30_000
/**
 * Client name for bodies that did not arrive in a request, such as facts from a file. Per-client limits of requests
 * do not apply to them.
 */
export const serverClient = ''

/**
 * Size limits in bytes that replace `smallBody` for bodies that are slow to parse. Smaller bodies are parsed on the
 * main thread.
 */
const smallBodyLimits: Partial<Record<ReadingName, number>> = { jsonOfYaml: 16 * 1024, yamlOfJson: 64 * 1024 }

const { readingTime, readingQueue, readingQueueOfOne } = budgets.request

/**
 * Parses the bodies that agents send. Large bodies are parsed on a thread, one at a time,
 * round-robin by client. A body that exceeds the time or memory limit ends the thread; only its
 * request fails.
 */
export class BodyReader {
  readonly #time: number
  readonly #most: number
  readonly #mostOfOne: number
  readonly #thread: WorkerThread<ReadQuestion, ReadAnswer>
  readonly #turns = new KeyedSlots({ atOnce: 1, ofOne: { atOnce: 1 } })
  #isClosed = false

  constructor({
    time = readingTime.bound,
    queue = readingQueue.bound,
    queueOfOne = readingQueueOfOne.bound,
  }: BodyReaderOptions = {}) {
    this.#time = time
    this.#most = queue
    this.#mostOfOne = queueOfOne
    const script = resolveScriptPath(new URL('./reading-thread.js', import.meta.url))
    this.#thread = new WorkerThread({ script, stackSizeMb, heapMb, timeMs: time, idleMs })
  }

  /** Parses a body. Throws the parse error of an invalid body, or a Refusal if too many bodies are waiting. */
  async read<Name extends ReadingName>(
    name: Name,
    body: Body,
    argument: string,
    client: string,
  ): Promise<ReadResult<Name>> {
    const reading = readings[name] as (text: Uint8Array, argument: string) => ReadResult<Name>['value']
    if (!('blocks' in body) && body.length <= (smallBodyLimits[name] ?? smallBody))
      return { value: reading(body, argument), text: body }
    if (client !== serverClient && this.#turns.sizeOf(client) >= this.#mostOfOne)
      throw createRetryRefusal(429, `Too many large request bodies of ${toPrintable(client)} at once`)
    if (this.#turns.size >= this.#most) throw createRetryRefusal(503, 'Too many large request bodies at once')
    const [blocks, transfer] = 'blocks' in body ? [body.blocks, body.blocks.map(({ buffer }) => buffer)] : [[body], []]
    const answer = await this.#turns.run(client, () => this.#ask({ name, blocks, argument }, transfer))
    if ('error' in answer) throw unpackError(answer.error)
    return answer as ReadResult<Name>
  }

  /** Ends the thread; waiting requests get 503. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread.close()
  }

  async #ask(question: ReadQuestion, transfer: readonly ArrayBuffer[]): Promise<ReadAnswer> {
    if (this.#isClosed) throw createStoppingRefusal()
    try {
      return await this.#thread.ask(question, transfer)
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error
      if (error.reason === 'closed') throw createStoppingRefusal()
      throw createPuppetRefusal(
        413,
        error.reason === 'time'
          ? `The request body takes longer than ${this.#time / 1000} seconds to read`
          : `The request body cannot be read: ${error.message}`,
      )
    }
  }
}

function createStoppingRefusal(): Refusal {
  return createRetryRefusal(503, 'The server is stopping')
}
