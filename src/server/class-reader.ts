import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { budgets } from '../base/budgets.ts'
import { builtScript } from '../base/built-script.ts'
import type { ClassAnswer, ClassQuestion } from './class-thread.ts'
import { unreadable } from './manifest-classes.ts'

/** What is remembered of manifests, in characters. */
const mostKept = 64 * 1024 * 1024

interface Reading extends ClassQuestion {
  readonly done: (said: string) => void
}

/**
 * Reads the classes of manifests on a thread of its own, one after the other, so that no manifest holds up requests; one
 * that takes too long is given up with its thread. What was read is remembered by its bytes and its name.
 */
export class ClassReader {
  readonly #known = new LRUCache<string, string>({ maxSize: mostKept, sizeCalculation: (said) => said.length + 100 })
  readonly #under = new Map<string, Promise<string>>()
  readonly #waiting: Reading[] = []
  #reading: Reading | undefined
  #worker: Worker | undefined
  #timer: NodeJS.Timeout | undefined
  #next = 1

  /** What `environment_classes` says of a manifest, as JSON. */
  read(path: string, oid: string | undefined, text: () => string): Promise<string> {
    const key = `${oid}:${path}`
    const known = this.#known.get(key) ?? this.#under.get(key)
    if (known !== undefined) return Promise.resolve(known)
    const said = this.#ask(path, text()).then((said) => {
      this.#known.set(key, said)
      this.#under.delete(key)
      return said
    })
    this.#under.set(key, said)
    return said
  }

  /** Ends the thread; what is being read is not told. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    clearTimeout(this.#timer)
    await worker?.terminate()
    for (const { path, done } of [this.#reading ?? [], this.#waiting.splice(0)].flat())
      done(unreadable(path, 'The server is stopping'))
    this.#reading = undefined
  }

  #ask(path: string, text: string): Promise<string> {
    return new Promise((done) => {
      this.#waiting.push({ id: this.#next++, path, text, done })
      this.#goOn()
    })
  }

  #goOn(): void {
    if (this.#reading) return
    const reading = this.#waiting.shift()
    if (!reading) return
    this.#reading = reading
    this.#worker ??= this.#start()
    const { id, path, text } = reading
    this.#worker.postMessage({ id, path, text } satisfies ClassQuestion)
    const { bound } = budgets.environment.classesTime
    this.#timer = setTimeout(() => this.#lost(`Reading it took longer than ${bound / 1000} seconds`), bound)
  }

  #start(): Worker {
    const worker = new Worker(builtScript(new URL('./class-thread.js', import.meta.url)), {
      resourceLimits: { stackSizeMb: 48, maxOldGenerationSizeMb: 512 },
    })
    const lost = (why: string) => {
      if (this.#worker === worker) this.#lost(why)
    }
    worker.on('message', ({ id, said }: ClassAnswer) => {
      if (id === this.#reading?.id) this.#answered(said)
    })
    worker.on('error', ({ message }) => lost(message))
    worker.on('exit', () => lost('The thread that read it has ended'))
    worker.unref()
    return worker
  }

  /** Gives up the thread with what it reads; the next manifest gets another one. */
  #lost(why: string): void {
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
    if (this.#reading) this.#answered(unreadable(this.#reading.path, why))
  }

  #answered(said: string): void {
    clearTimeout(this.#timer)
    const reading = this.#reading
    this.#reading = undefined
    reading?.done(said)
    this.#goOn()
  }
}
