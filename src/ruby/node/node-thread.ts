import { workerData } from 'node:worker_threads'
import { answerQuestions } from '../../base/threads/worker-thread.ts'
import { createRubyMachine, type NodeAnswer, NodeMachine, type NodeMachineOptions } from './node-machine.ts'
import type { NodeCall } from './node-thread-start.ts'

const begun = workerData as NodeMachineOptions | undefined
const spare = begun ? undefined : createRubyMachine()

let machine = begun && new NodeMachine(begun)

// The thread of a NodeRuby, which runs Ruby and everything that Ruby waits for.
answerQuestions((call: NodeCall): NodeAnswer => {
  if (call !== 'load' && 'operation' in call) return machine!.call(call.operation, call.args)
  if (call !== 'load') machine = new NodeMachine(call.begin, {}, spare)
  return { changes: [], logs: [], value: null }
})
