import { workerData } from 'node:worker_threads'
import { budgets } from '../../../../base/budgets/budgets.ts'
import type { Json } from '../../../../base/json/json-checks.ts'
import { startBridgeThread } from '../../../../base/threads/bridge-thread.ts'
import { createLazyBridgeCaller } from '../../../../base/threads/thread-bridge.ts'
import { answerQuestions } from '../../../../base/threads/worker-thread.ts'
import { type NodeAnswer, NodeMachine } from '../../../../ruby/node/node-machine.ts'

/** Start parameters of the plug-in interpreter. */
export interface PlugInMachine {
  /** Folder of plug-ins, also searched by `require`. */
  readonly folder: string
  /** Folders that `require` searches; by default the plug-in folder. */
  readonly loadPath?: readonly string[]
  readonly settings: Readonly<Record<string, Json>>
  readonly env: Readonly<Record<string, string>>
}

/** A value for Ruby. Bytes are UTF-8 text that is decoded on the thread. */
export type PlugInValue = Json | Uint8Array

/** A call of a plug-in operation. */
export interface PlugInCall {
  readonly operation: string
  readonly args: readonly PlugInValue[]
  /** Deadline of the call, in milliseconds since 1970; programs it started are then ended. */
  readonly until: number
}

const { folder, loadPath = [folder], settings, env } = workerData as PlugInMachine
const startTimeMs = 10_000

let until = 0

const createLateError = () => new Error('the network thread did not start in time')
const ask = createLazyBridgeCaller<string, string>(() =>
  startBridgeThread(new URL('./network-thread.js', import.meta.url), null, startTimeMs, createLateError),
)

function answerNetworkCall([kind, question]: readonly Json[]): Json {
  return ask(JSON.stringify({ kind, question: JSON.parse(String(question)) }))
}

const machine = new NodeMachine(
  {
    ...{ root: '', facts: {}, settings, env, cwd: '/', debug: false },
    loadPath,
    libraries: ['plug_ins'],
    get deadline() {
      return until
    },
  },
  { outside: answerNetworkCall },
)

// Thread of a PlugInRuby: runs Ruby and waits for it.
answerQuestions((call: PlugInCall): NodeAnswer => {
  until = call.until
  const args = call.args.map((each) => (each instanceof Uint8Array ? Buffer.from(each).toString('utf8') : each))
  const answer = machine.call(call.operation, args)
  machine.renewBeyond(budgets.plugIn.rubyMemory.bound)
  return answer
})
