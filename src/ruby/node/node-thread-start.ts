import type { Json } from '../../base/json/json-checks.ts'
import { resolveScriptPath } from '../../base/program/script-path.ts'
import { WorkerThread } from '../../base/threads/worker-thread.ts'
import type { DeferredScope } from './deferred-evaluation.ts'
import type { NodeAnswer, NodeMachineOptions } from './node-machine.ts'

/**
 * A message to the thread: a call of a prelude operation, a request to reply when Ruby is loaded, the options for a
 * thread that was started without options, or a Deferred value as text of rich data.
 */
export type NodeCall =
  | { readonly operation: string; readonly args: readonly Json[] }
  | 'load'
  | { readonly begin: NodeMachineOptions }
  | { readonly deferred: string; readonly scope: DeferredScope }

/** Start data of the thread. */
export interface NodeThreadData {
  /** Absent for a thread that loads Ruby and waits for its options. */
  readonly options: NodeMachineOptions | undefined
  /** Program of an installed Ruby that a thread without options starts; absent for the built-in Ruby. */
  readonly nativeRuby: string | undefined
  /** Process ID of an installed Ruby that the thread has started, or 0. */
  readonly process: Int32Array
}

/** Node's longest timeout in milliseconds. Calls have no limit of their own, since an agent run has one. */
const noLimitMs = 2 ** 31 - 1

/** Size of the thread's V8 stack in MiB, which nested Ruby blocks use. */
const stackSizeMb = 48

/** The thread of a node's Ruby; without options, it loads Ruby and waits for them. */
export class NodeThread {
  readonly #thread: WorkerThread<NodeCall, NodeAnswer>
  readonly #process = new Int32Array(new SharedArrayBuffer(4))
  #running = 0

  constructor(options: () => NodeMachineOptions | undefined, nativeRuby?: string) {
    this.#thread = new WorkerThread({
      script: resolveScriptPath(new URL('./node-thread.js', import.meta.url)),
      stackSizeMb,
      heapMb: 1024,
      timeMs: noLimitMs,
      data: () => ({
        workerData: { options: options(), nativeRuby, process: this.#process } satisfies NodeThreadData,
        transferList: [],
      }),
    })
  }

  ask(call: NodeCall): Promise<NodeAnswer> {
    this.#running++
    return this.#thread.ask(call).finally(() => this.#running--)
  }

  /** Ends the running call, with this reason, and the programs that an installed Ruby runs. */
  giveUp(why: string): void {
    this.#endProcess(-1)
    this.#thread.giveUp(why)
  }

  /** Ends the thread, also during a call. An idle Ruby ends itself when the thread has closed its pipes. */
  close(): Promise<void> {
    if (this.#running > 0) this.#endProcess(1)
    return this.#thread.close()
  }

  /**
   * Kills an installed Ruby (sign 1), or its whole process group (-1): the thread may wait for Ruby, and cannot be ended
   * while it waits.
   */
  #endProcess(sign: 1 | -1): void {
    const pid = Atomics.exchange(this.#process, 0, 0)
    if (pid === 0) return
    try {
      process.kill(sign * pid, 'SIGKILL')
    } catch {
      // Ruby has ended meanwhile.
    }
  }
}
