import type { Json } from '../../base/json/json-checks.ts'
import { resolveScriptPath } from '../../base/threads/script-path.ts'
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

/** Node's longest timeout in milliseconds. Calls have no limit of their own, since an agent run has one. */
const noLimitMs = 2 ** 31 - 1

/** Size of the thread's V8 stack in MiB, which nested Ruby blocks use. */
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
