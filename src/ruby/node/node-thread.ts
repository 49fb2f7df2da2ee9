import { workerData } from 'node:worker_threads'
import { answerQuestions } from '../../base/asked-thread.ts'
import type { Json } from '../../base/wire.ts'
import { type NodeAnswer, NodeMachine, type NodeMachineOptions } from './node-machine.ts'

/** A call of an operation of the prelude's. */
export interface NodeCall {
  readonly operation: string
  readonly args: readonly Json[]
}

const machine = new NodeMachine(workerData as NodeMachineOptions)

// The thread of a NodeRuby: Ruby and all that it waits for.
answerQuestions(({ operation, args }: NodeCall): NodeAnswer => machine.call(operation, args))
