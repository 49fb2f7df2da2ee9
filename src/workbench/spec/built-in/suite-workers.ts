import type { Json } from '../../../base/json/json-checks.ts'
import type { SuiteAnswers, SuiteRuby } from './suite-ruby.ts'

/** A message of a worker: its ID, and a text; without text, the worker has ended, and why. */
type WorkerMessage = readonly [id: number, text: string | null, status: string | null]

/** Workers that run chunks of examples, and their messages to the Ruby that has divided the suite. */
export class SuiteWorkers {
  readonly #create: (answers: SuiteAnswers) => SuiteRuby
  readonly #workers = new Map<number, SuiteRuby>()
  readonly #messages: WorkerMessage[] = []
  #wake: () => void = () => {}
  #last = 0

  /** `create` starts a worker that answers these questions. */
  constructor(create: (answers: SuiteAnswers) => SuiteRuby) {
    this.#create = create
  }

  /** Answers to the Ruby that divides the suite. */
  get answers(): SuiteAnswers {
    return {
      worker_start: () => this.#start(),
      worker_order: (id, chunk) => this.#run(Number(id), 'run_chunk', [chunk ?? null]),
      worker_dismiss: (id) => this.#dismiss(Number(id)),
      worker_kill: (id) => this.#kill(Number(id)),
      worker_message: (seconds) => this.#nextMessage(Number(seconds)),
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#workers.values()].map((worker) => worker.close()))
    this.#workers.clear()
  }

  #start(): number {
    const id = ++this.#last
    this.#workers.set(
      id,
      this.#create({
        message: (text) => {
          this.#add([id, String(text), null])
          return null
        },
      }),
    )
    return id
  }

  /** Starts an operation of a worker. If the operation fails, the worker has ended. */
  #run(id: number, operation: string, args: readonly Json[]): null {
    const worker = this.#workers.get(id)
    worker?.call(operation, args).catch((error: Error) => {
      if (this.#workers.has(id)) this.#end(id, error.message)
    })
    return null
  }

  #dismiss(id: number): null {
    const worker = this.#workers.get(id)
    worker?.call('finish_chunks', []).then(
      () => this.#end(id, 'finished'),
      (error: Error) => this.#end(id, error.message),
    )
    return null
  }

  async #kill(id: number): Promise<null> {
    const worker = this.#workers.get(id)
    this.#workers.delete(id)
    await worker?.close()
    return null
  }

  #end(id: number, status: string): void {
    const worker = this.#workers.get(id)
    if (!worker) return
    this.#workers.delete(id)
    void worker.close()
    this.#add([id, null, status])
  }

  #add(message: WorkerMessage): void {
    this.#messages.push(message)
    this.#wake()
  }

  /** Returns the next message; an empty list if none arrives in time. */
  async #nextMessage(seconds: number): Promise<Json> {
    if (this.#messages.length === 0)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, seconds * 1000)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    return [...(this.#messages.shift() ?? [])]
  }
}
