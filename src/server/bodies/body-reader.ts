import { Worker } from 'node:worker_threads'
import { budgets } from '../../base/budgets/budgets.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { type PackedError, unpackError } from '../../base/threads/packed-error.ts'
import { resolveScriptPath } from '../../base/threads/script-path.ts'
import { createPuppetRefusal } from '../http/refusal.ts'
import { createRetryRefusal, smallBody } from './body-memory.ts'
import { type ReadingName, readings } from './body-parsers.ts'
import type { Body } from './request-body.ts'

/** A message to the thread. */
export interface ReadQuestion {
  readonly id: number
  readonly name: ReadingName
  readonly blocks: readonly Uint8Array[]
  readonly argument: string
}

/** A reply of the thread. */
export type ReadAnswer =
  | { readonly id: number; readonly value: unknown; readonly text: Uint8Array }
  | { readonly id: number; readonly error: PackedError }

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

interface Task {
  readonly question: ReadQuestion
  readonly transfer: readonly ArrayBuffer[]
  readonly client: string
  resolve(read: ReadResult<ReadingName>): void
  reject(error: Error): void
}

/**
 * Heap limit of the thread, in MiB. It is sufficient for the largest body: the text, decoded twice, and the values. A
 * body that exceeds the limit ends the thread.
 */
const heapMb = 1024
/** Idle time after which the thread ends and frees its memory, in milliseconds. */
const idle = 30_000
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
  readonly #waiting = new Map<string, Task[]>()
  readonly #ofClient = new Map<string, number>()
  #count = 0
  #asked = 0
  #worker: Worker | undefined
  #task: Task | undefined
  #timer: NodeJS.Timeout | undefined

  constructor({
    time = readingTime.bound,
    queue = readingQueue.bound,
    queueOfOne = readingQueueOfOne.bound,
  }: BodyReaderOptions = {}) {
    this.#time = time
    this.#most = queue
    this.#mostOfOne = queueOfOne
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
    if (client !== serverClient && (this.#ofClient.get(client) ?? 0) >= this.#mostOfOne)
      throw createRetryRefusal(429, `Too many large bodies of ${toPrintable(client)} at once`)
    if (this.#count >= this.#most) throw createRetryRefusal(503, 'The server has too many large bodies to read')
    const [blocks, transfer] = 'blocks' in body ? [body.blocks, body.blocks.map(({ buffer }) => buffer)] : [[body], []]
    const question = { id: ++this.#asked, name, blocks, argument }
    this.#countFor(client, 1)
    return new Promise((resolve, reject) => {
      const task = { question, transfer, client, resolve: resolve as Task['resolve'], reject }
      this.#waiting.set(client, [...(this.#waiting.get(client) ?? []), task])
      this.#next()
    })
  }

  /** Ends the thread; waiting requests get 503. */
  async close(): Promise<void> {
    const tasks = [this.#task ?? [], ...this.#waiting.values()].flat()
    this.#waiting.clear()
    this.#task = undefined
    this.#count = 0
    this.#ofClient.clear()
    for (const { reject } of tasks) reject(createRetryRefusal(503, 'The server is stopping'))
    await this.#end()
  }

  #next(): void {
    clearTimeout(this.#timer)
    if (this.#task) return
    const [client, [task, ...others] = []] = this.#waiting.entries().next().value ?? []
    if (client === undefined || !task) {
      if (this.#worker) this.#timer = setTimeout(() => void this.#end(), idle).unref()
      return
    }
    this.#waiting.delete(client)
    if (others.length > 0) this.#waiting.set(client, others)
    this.#task = task
    this.#timer = setTimeout(() => this.#expire(), this.#time)
    this.#worker ??= this.#start()
    this.#worker.postMessage(task.question, task.transfer)
  }

  #start(): Worker {
    const worker = new Worker(resolveScriptPath(new URL('./reading-thread.js', import.meta.url)), {
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    })
    worker.on('message', (answer: ReadAnswer) => this.#answer(answer))
    worker.on('error', (error) => this.#lost(worker, error.message))
    worker.on('exit', () => this.#lost(worker, 'the thread that reads it has ended'))
    worker.unref()
    return worker
  }

  #answer(answer: ReadAnswer): void {
    if (answer.id !== this.#task?.question.id) return
    this.#finish((task) => {
      if ('value' in answer) task.resolve(answer as ReadResult<ReadingName>)
      else task.reject(unpackError(answer.error))
    })
  }

  #expire(): void {
    void this.#end()
    const why = `The request body takes longer than ${this.#time / 1000} seconds to read`
    this.#finish(({ reject }) => reject(createPuppetRefusal(413, why)))
  }

  /** Fails the current body; the next body starts a new thread. */
  #lost(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    this.#finish(({ reject }) => reject(createPuppetRefusal(413, `The request body cannot be read: ${reason}`)))
  }

  #finish(settle: (task: Task) => void): void {
    const task = this.#task
    this.#task = undefined
    if (task) {
      this.#countFor(task.client, -1)
      settle(task)
    }
    this.#next()
  }

  /** Adjusts the numbers of waiting and active bodies. */
  #countFor(client: string, by: 1 | -1): void {
    this.#count += by
    const own = (this.#ofClient.get(client) ?? 0) + by
    if (own > 0) this.#ofClient.set(client, own)
    else this.#ofClient.delete(client)
  }

  async #end(): Promise<void> {
    clearTimeout(this.#timer)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }
}
