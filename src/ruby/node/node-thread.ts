import { workerData } from 'node:worker_threads'
import { answerQuestions } from '../../base/threads/worker-thread.ts'
import type { DeferredFunctions } from './deferred-functions.ts'
import { createNativeMachine, createRubyMachine, type NodeAnswer, NodeMachine } from './node-machine.ts'
import type { NodeCall, NodeThreadData } from './node-thread-start.ts'

const nothing: NodeAnswer = { changes: [], logs: [], value: null }
const { options, nativeRuby, process } = workerData as NodeThreadData
const spare = options ? undefined : createSpare()

let machine = options && new NodeMachine(options, {}, undefined, process)
let functions: DeferredFunctions | undefined

function createSpare() {
  if (nativeRuby === undefined) return createRubyMachine()
  try {
    return createNativeMachine({ program: nativeRuby, process })
  } catch {
    // The first call tries again, and reports the error.
    return undefined
  }
}

// The thread of a NodeRuby, which runs Ruby and everything that Ruby waits for.
answerQuestions(async (call: NodeCall): Promise<NodeAnswer> => {
  if (call === 'load') return nothing
  if ('begin' in call) machine = new NodeMachine(call.begin, {}, spare, process)
  else if ('operation' in call) return machine!.call(call.operation, call.args)
  else {
    // Most runs have no Deferred values, and load no functions of the language.
    const { DeferredFunctions } = await import('./deferred-functions.ts')
    functions ??= new DeferredFunctions(machine!, call.scope)
    return functions.evaluate(call.deferred)
  }
  return nothing
})
