import type { AskedThread } from '../../base/threads/asked-thread.ts'
import type { NodeAnswer, NodeMachineOptions } from './node-machine.ts'
import { type NodeCall, nodeThread } from './node-thread-start.ts'

/** A thread that loads Ruby before it is known what for: half of the time that a start takes. */
export class RubyAhead {
  readonly #thread: AskedThread<NodeCall, NodeAnswer>
  #options: NodeMachineOptions | undefined
  #isTaken = false

  constructor() {
    this.#thread = nodeThread(() => this.#options)
    this.#thread.begin()
  }

  /** The thread, which goes on with these options; nothing for the second who asks. */
  take(options: NodeMachineOptions): AskedThread<NodeCall, NodeAnswer> | undefined {
    if (this.#isTaken) return undefined
    this.#isTaken = true
    this.#options = options
    // A thread that ended is replaced by one that begins with the options.
    this.#thread.ask({ begin: options }).catch(() => {})
    return this.#thread
  }

  /** Ends a thread that nobody took. */
  async close(): Promise<void> {
    if (!this.#isTaken) await this.#thread.close()
  }
}
