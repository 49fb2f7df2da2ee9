import type { Json } from '../../base/json/json-checks.ts'
import { resolveScriptPath } from '../../base/threads/script-path.ts'
import { WorkerThread } from '../../base/threads/worker-thread.ts'
import type { NodeAnswer, NodeMachineOptions } from './node-machine.ts'

/** A call of a prelude operation, or the options for a thread started without options. */
export type NodeCall =
  | { readonly operation: string; readonly args: readonly Json[] }
  | { readonly begin: NodeMachineOptions }

/** Node's longest timeout in milliseconds: a run has its own limit. */
const noLimitMs = 2 ** 31 - 1

/** Nested Ruby blocks need V8 stack (MiB). */
const stackSizeMb = 48

/** Starts a thread for the Ruby of a node; without options, it loads Ruby and waits for them. */
export function startNodeThread(options: () => NodeMachineOptions | undefined): WorkerThread<NodeCall, NodeAnswer> {
  return new WorkerThread({
    script: resolveScriptPath(new URL('./node-thread.js', import.meta.url)),
    stackSizeMb,
    heapMb: 1024,
    timeMs: noLimitMs,
    data: () => ({ workerData: options(), transferList: [] }),
  })
}
