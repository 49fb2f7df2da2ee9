import { workerData } from 'node:worker_threads'
import { answerQuestions } from '../../base/threads/worker-thread.ts'
import type { DeferredFunctions } from './deferred-functions.ts'
import { createRubyMachine, type NodeAnswer, NodeMachine, type NodeMachineOptions } from './node-machine.ts'
import type { NodeCall } from './node-thread-start.ts'

const nothing: NodeAnswer = { changes: [], logs: [], value: null }
const begun = workerData as NodeMachineOptions | undefined
const spare = begun ? undefined : createRubyMachine()

let machine = begun && new NodeMachine(begun)
let functions: DeferredFunctions | undefined

// The thread of a NodeRuby, which runs Ruby and everything that Ruby waits for.
answerQuestions(async (call: NodeCall): Promise<NodeAnswer> => {
  if (call === 'load') return nothing
  if ('begin' in call) machine = new NodeMachine(call.begin, {}, spare)
  else if ('operation' in call) return machine!.call(call.operation, call.args)
  else {
    // Most runs have no Deferred values, and load no functions of the language.
    const { DeferredFunctions } = await import('./deferred-functions.ts')
    functions ??= new DeferredFunctions(machine!, call.scope)
    return functions.evaluate(call.deferred)
  }
  return nothing
})
