import { pauseShortRun } from '../../base/threads/short-run.ts'
import type { NodeMachineOptions } from './node-machine.ts'
import { NodeThread } from './node-thread-start.ts'

/** A thread that loads Ruby in advance. Loading takes half of the start time. */
export class RubyPreload {
  readonly #thread: NodeThread
  #options: NodeMachineOptions | undefined
  #isTaken = false

  /** `nativeRuby` is the program of an installed Ruby; absent for the built-in Ruby. */
  constructor(nativeRuby?: string) {
    const resume = pauseShortRun()
    this.#thread = new NodeThread(() => this.#options, nativeRuby)
    // If the thread ends, the first call fails.
    this.#thread.ask('load').then(resume, resume)
  }

  /** Returns the thread, which continues with these options; `undefined` if the thread was already taken. */
  take(options: NodeMachineOptions): NodeThread | undefined {
    if (this.#isTaken) return undefined
    this.#isTaken = true
    this.#options = options
    // If the thread has ended, its replacement starts with the options.
    this.#thread.ask({ begin: options }).catch(() => {})
    return this.#thread
  }

  /** Ends the thread, unless `take` has returned it. */
  async close(): Promise<void> {
    if (!this.#isTaken) await this.#thread.close()
  }
}
