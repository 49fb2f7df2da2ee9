import { type MessagePort, parentPort, type Worker } from 'node:worker_threads'
import { startThread } from '../program/script-thread.ts'

/** Options of a worker thread that handles requests. */
export interface WorkerThreadOptions {
  /** Path of the thread's script, which must call `answerQuestions`. */
  readonly script: string
  readonly stackSizeMb: number
  /** Size of the JavaScript heap, in MiB. Node ends a thread that exceeds it. */
  readonly heapMb: number
  /**
   * Size of the heap for new objects, in MiB. Buffers read by the thread count toward it, so a small heap limits them.
   */
  readonly newHeapMb?: number
  /** Time limit for one request, in milliseconds. */
  readonly timeMs: number
  /**
   * Idle time in milliseconds after which the thread ends until the next request; unlimited if
   * absent.
   */
  readonly idleMs?: number
  /** Creates the start data of each new thread. */
  data?(): { readonly workerData: unknown; readonly transferList: readonly MessagePort[] }
}

/**
 * Error of a request that failed because of its time limit, the end of the thread, or a shutdown.
 */
export class NoAnswerError extends Error {
  readonly reason: 'time' | 'ended' | 'closed'

  constructor(reason: NoAnswerError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

interface Numbered<Content> {
  readonly id: number
  readonly content: Content
}

interface Asked<Question, Answer> {
  readonly question: Question
  readonly transfer: readonly ArrayBuffer[]
  answered(answer: Answer): void
  failed(error: NoAnswerError): void
}

/**
 * A thread that handles one request at a time. If a request takes too long or the thread ends, the
 * request fails; the next request starts a new thread.
 */
export class WorkerThread<Question, Answer> {
  readonly #options: WorkerThreadOptions
  readonly #waiting: Asked<Question, Answer>[] = []
  #asked: (Asked<Question, Answer> & { readonly id: number }) | undefined
  #worker: Worker | undefined
  #timer: NodeJS.Timeout | undefined
  #next = 1

  constructor(options: WorkerThreadOptions) {
    this.#options = options
  }

  /** Starts the thread in advance, before the first request. */
  begin(): void {
    this.#worker ??= this.#start()
  }

  /**
   * Sends a request, and moves the memory in `transfer` to the thread. Rejects with NoAnswerError
   * if it fails.
   */
  ask(question: Question, transfer: readonly ArrayBuffer[] = []): Promise<Answer> {
    return new Promise((answered, failed) => {
      this.#waiting.push({ question, transfer, answered, failed })
      this.#goOn()
    })
  }

  /**
   * Fails the active request, if any, and ends the thread; the next request starts a new thread.
   */
  giveUp(why: string): void {
    if (this.#asked) this.#lost(new NoAnswerError('time', why))
  }

  /** Ends the thread; the active and waiting requests fail. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    clearTimeout(this.#timer)
    await worker?.terminate()
    for (const { failed } of [this.#asked ?? [], this.#waiting.splice(0)].flat())
      failed(new NoAnswerError('closed', 'The server is stopping'))
    this.#asked = undefined
  }

  #goOn(): void {
    if (this.#asked) return
    clearTimeout(this.#timer)
    const next = this.#waiting.shift()
    if (!next) {
      this.#rest()
      return
    }
    const id = this.#next++
    this.#asked = { ...next, id }
    try {
      this.#worker ??= this.#start()
      this.#worker.postMessage({ id, content: next.question } satisfies Numbered<Question>, next.transfer)
    } catch (error) {
      // Node throws if the system has no thread left, or if the request cannot be copied.
      this.#done(({ failed }) => failed(new NoAnswerError('ended', (error as Error).message)))
      return
    }
    const { timeMs } = this.#options
    const reportTimeout = () => this.#lost(new NoAnswerError('time', `took longer than ${timeMs / 1000} seconds`))
    this.#timer = setTimeout(reportTimeout, timeMs)
  }

  #rest(): void {
    const { idleMs } = this.#options
    if (idleMs === undefined || !this.#worker) return
    const end = () => {
      const worker = this.#worker
      this.#worker = undefined
      void worker?.terminate()
    }
    this.#timer = setTimeout(end, idleMs).unref()
  }

  #start(): Worker {
    const { script, stackSizeMb, heapMb, newHeapMb, data } = this.#options
    const { workerData, transferList = [] } = data?.() ?? {}
    const resourceLimits = {
      stackSizeMb,
      maxOldGenerationSizeMb: heapMb,
      ...(newHeapMb !== undefined && { maxYoungGenerationSizeMb: newHeapMb }),
    }
    const worker = startThread(script, { resourceLimits, workerData, transferList: [...transferList] })
    const reportLoss = (why: string) => {
      if (this.#worker === worker) this.#lost(new NoAnswerError('ended', why))
    }
    worker.on('message', ({ id, content }: Numbered<Answer>) => {
      // A reply that was sent before the thread's end may arrive after the request has failed.
      if (this.#worker === worker && id === this.#asked?.id) this.#done(({ answered }) => answered(content))
    })
    worker.on('error', ({ message }) => reportLoss(message))
    worker.on('exit', (status) => reportLoss(`its thread exited with ${status}`))
    worker.unref()
    return worker
  }

  #lost(why: NoAnswerError): void {
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
    this.#done(({ failed }) => failed(why))
  }

  #done(tell: (asked: Asked<Question, Answer>) => void): void {
    clearTimeout(this.#timer)
    const asked = this.#asked
    this.#asked = undefined
    if (asked) tell(asked)
    this.#goOn()
  }
}

/** Handles requests on the thread, one at a time. An error ends the thread. */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Answer | Promise<Answer>): void {
  parentPort!.on('message', async ({ id, content }: Numbered<Question>) => {
    parentPort!.postMessage({ id, content: await answer(content) } satisfies Numbered<Answer>)
  })
}
