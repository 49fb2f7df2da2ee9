import type { Json } from '../../base/json/wire.ts'
import { AskedThread } from '../../base/threads/asked-thread.ts'
import { builtScript } from '../../base/threads/built-script.ts'
import type { NodeAnswer, NodeMachineOptions } from './node-machine.ts'

/** A call of an operation of the prelude's, or the options of a thread that was started without. */
export type NodeCall =
  | { readonly operation: string; readonly args: readonly Json[] }
  | { readonly begin: NodeMachineOptions }

/** The longest time that Node can wait for: a run as a whole has its own limit. */
const noLimitMs = 2 ** 31 - 1

/** Blocks of Ruby's that are nested need stack of V8's. */
const stackSizeMb = 48

/** A thread for the Ruby of a node; one that starts without options loads Ruby, and waits for them. */
export function nodeThread(options: () => NodeMachineOptions | undefined): AskedThread<NodeCall, NodeAnswer> {
  return new AskedThread({
    script: builtScript(new URL('./node-thread.js', import.meta.url)),
    stackSizeMb,
    heapMb: 1024,
    timeMs: noLimitMs,
    data: () => ({ workerData: options(), transferList: [] }),
  })
}
