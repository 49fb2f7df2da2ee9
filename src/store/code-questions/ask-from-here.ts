import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { budgets } from '../../base/budgets.ts'
import { builtScript } from '../../base/built-script.ts'
import { fail } from '../../base/issue.ts'
import { type PackedError, unpackError } from '../../base/packed-error.ts'
import type { ThreadBridge } from '../../base/thread-bridge.ts'
import type { StoreSettings } from '../from-settings.ts'
import { issues } from './issues.ts'
import { type AskStore, askStoreThrough } from './store-bridge.ts'

/** Data with which the thread is started that asks for one which stands still. */
export interface AskingThreadData {
  readonly settings: StoreSettings
  readonly port: MessagePort
  /** Becomes 1 when the thread has said how it began. */
  readonly begun: SharedArrayBuffer
}

/** The beginning of the thread: a way to ask, or why there is none. */
export type Begun = { readonly bridge: ThreadBridge } | { readonly error: PackedError }

/**
 * Asks the store that the settings name, from a thread that compiles and stands still meanwhile. A thread of its own opens
 * the store at the first question; it does not keep the process.
 */
export function askFromHere(settings: StoreSettings): AskStore {
  let ask: AskStore | undefined
  return (question) => {
    ask ??= askStoreThrough(openThread(settings))
    return ask(question)
  }
}

function openThread(settings: StoreSettings): ThreadBridge {
  const { port1, port2 } = new MessageChannel()
  const begun = new SharedArrayBuffer(4)
  const worker = new Worker(builtScript(new URL('./asking-thread.js', import.meta.url)), {
    workerData: { settings, port: port2, begun } satisfies AskingThreadData,
    transferList: [port2],
  })
  worker.unref()
  const { bound } = budgets.environment.storeQuestionTime
  if (Atomics.wait(new Int32Array(begun), 0, 0, bound) === 'timed-out')
    return fail(issues.STORE_TOO_SLOW, { seconds: bound / 1000 })
  const said = receiveMessageOnPort(port1)?.message as Begun
  port1.close()
  if ('error' in said) throw unpackError(said.error)
  return said.bridge
}
