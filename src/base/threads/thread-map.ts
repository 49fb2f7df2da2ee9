import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { tuneForBatchRun } from './batch-run.ts'
import { type NoAnswerError, WorkerThread, type WorkerThreadOptions } from './worker-thread.ts'

/** A function for items, and the thread that runs the same function. */
export interface ThreadMapping<Item, Result> {
  /** The script answers a list of items with a list of results. */
  readonly thread: WorkerThreadOptions
  /** Maps an item on the current thread. */
  map(item: Item): Result | Promise<Result>
  /** The result of an item whose thread ended before it answered. */
  fail(item: Item, error: NoAnswerError): Result
}

/** Threads of one run, the current one included. Each needs memory, and compiles the code for itself. */
const maxThreads = 8
/** Items for which a further thread is started; its start takes as long as some hundred small files. */
const itemsOfThread = 200
/** Items of one request to a thread. */
const batchLength = 16
/** Items that the current thread maps before it answers other threads. */
const itemsOfTurn = 2

/**
 * Maps many items on the current thread and on further ones, one for each other core. Results are in the order of the
 * items. If a thread ends, the items of its request are sent once more, one by one.
 */
export async function* mapOnThreads<Item, Result>(
  items: readonly Item[],
  mapping: ThreadMapping<Item, Result>,
): AsyncGenerator<Result> {
  const count = Math.min(availableParallelism(), maxThreads, Math.floor(items.length / itemsOfThread))
  if (items.length >= itemsOfThread) tuneForBatchRun()
  if (count < 2) {
    for (const item of items) yield await mapping.map(item)
    return
  }
  const threads = Array.from({ length: count - 1 }, () => new WorkerThread<readonly Item[], Result[]>(mapping.thread))
  const batches = Batches.split<Item, Result>(items)
  try {
    for (const thread of threads) void batches.run((batch) => askThread(thread, batch, mapping))
    void batches.run((batch) => mapHere(batch, mapping))
    for (let at = 0; at < batches.length; at++) yield* await batches.take(at)
  } finally {
    batches.stop()
    await Promise.all(threads.map((thread) => thread.close()))
  }
}

async function askThread<Item, Result>(
  thread: WorkerThread<readonly Item[], Result[]>,
  batch: readonly Item[],
  { fail }: ThreadMapping<Item, Result>,
): Promise<Result[]> {
  try {
    return await thread.ask(batch)
  } catch (error) {
    if ((error as NoAnswerError).reason === 'closed') throw error
    const results: Result[] = []
    for (const item of batch) {
      const failure = (error: NoAnswerError) => [fail(item, error)]
      results.push(...(await thread.ask([item]).catch(failure)))
    }
    return results
  }
}

async function mapHere<Item, Result>(batch: readonly Item[], { map }: ThreadMapping<Item, Result>): Promise<Result[]> {
  const results: Result[] = []
  for (const item of batch) {
    results.push(await map(item))
    if (results.length % itemsOfTurn === 0) await setImmediate()
  }
  return results
}

/** Lists of items that several workers map, and the results in order. */
class Batches<Item, Result> {
  readonly #waiting: (readonly Item[])[]
  readonly #results: Promise<Result[]>[] = []
  readonly #settle: ((results: Promise<Result[]>) => void)[] = []
  #next = 0

  constructor(waiting: (readonly Item[])[]) {
    this.#waiting = waiting
    for (const _ of waiting) this.#results.push(new Promise((settle) => this.#settle.push(settle)))
    // An error is thrown when its batch is taken.
    for (const each of this.#results) each.catch(() => {})
  }

  static split<Item, Result>(items: readonly Item[]): Batches<Item, Result> {
    const starts = Array.from({ length: Math.ceil(items.length / batchLength) }, (_, index) => index * batchLength)
    return new Batches(starts.map((start) => items.slice(start, start + batchLength)))
  }

  get length(): number {
    return this.#results.length
  }

  /** Maps one batch after another, until all are mapped. */
  async run(map: (batch: readonly Item[]) => Promise<Result[]>): Promise<void> {
    while (this.#next < this.#waiting.length) {
      const at = this.#next++
      const results = map(this.#waiting[at]!)
      this.#settle[at]!(results)
      await results.catch(() => {})
    }
  }

  /** The results of a batch, which are released. */
  async take(at: number): Promise<Result[]> {
    const results = await this.#results[at]!
    this.#results[at] = Promise.resolve([])
    return results
  }

  /** Lets the workers map no further batch. */
  stop(): void {
    this.#next = this.#waiting.length
  }
}
