import { workerData } from 'node:worker_threads'
import type { Json } from '../../../base/json/json-checks.ts'
import { createBridgeCaller, type ThreadBridge } from '../../../base/threads/thread-bridge.ts'
import { answerQuestions } from '../../../base/threads/worker-thread.ts'
import { answerOrSystemError, createHostAnswers, type HostAnswers } from '../../../ruby/node/host.ts'
import { prepareRuby, printOutput } from '../../../ruby/node/node-machine.ts'
import { toPlainData, toTaggedData } from '../../../ruby/node/plain-data.ts'
import { toRubyImage } from '../../../ruby/ruby-image.ts'
import { RubyMachine } from '../../../ruby/ruby-machine.ts'
import type { RubyDistribution } from '../../../ruby/vm/distribution.ts'
import type { Snapshot } from '../../../ruby/vm/snapshot.ts'
import type { WebAssemblyEngine } from '../../../ruby/vm/webassembly-engine.ts'
import { DiskError } from '../../../ruby/wasi/errno.ts'
import { createSuiteDisk, type SuiteFiles, SuitePaths } from './suite-disk.ts'

/** Start data of a thread with the built-in Ruby. */
export interface SuiteThreadData {
  /** The Ruby to start. For a worker, its snapshot has loaded the suite. */
  readonly ruby: RubyDistribution
  readonly files: SuiteFiles
  /** Answers the questions of Ruby that other threads answer. */
  readonly main: ThreadBridge
}

/** A question of Ruby for the main thread, with its arguments. */
export interface SuiteQuestion {
  readonly name: string
  readonly args: readonly Json[]
}

/** A call of Ruby: an operation of the prelude or of plumb_spec/built_in/start.rb. `snapshot` copies Ruby's state. */
export type SuiteCall = { readonly operation: string; readonly args: readonly Json[] } | 'snapshot'

/** The value of a call, or the message of its error; or a snapshot. */
export type SuiteReply = { readonly value: Json } | { readonly error: string } | { readonly snapshot: Snapshot }

/** The longest time in milliseconds: the main thread ends a thread that takes too long. */
const noLimitMs = 2 ** 31 - 1

const { ruby, files, main } = workerData as SuiteThreadData
const askMain = createBridgeCaller<SuiteQuestion, Json>(main, noLimitMs)
const answers = createAnswers(new SuitePaths(files))
let engine: WebAssemblyEngine | undefined
const start = prepareRuby(createSuiteDisk(new SuitePaths(files)), toRubyImage(ruby))
const machine = new RubyMachine((events) => {
  engine = start(events)
  return engine
})

/** Answers about the machine: no programs, and no other files than those of the suite. */
function createAnswers(paths: SuitePaths): HostAnswers {
  const { run: _, start: __, kill: ___, ...host } = createHostAnswers({ root: '', settings: {}, facts: {} })
  const refuse = () => {
    throw new DiskError('perm')
  }
  const change = (name: 'chmod' | 'chown' | 'create') => (args: readonly Json[]) => {
    paths.checkWritable(String(args[0]))
    return host[name]!(args)
  }
  return {
    ...host,
    stat(args) {
      const path = String(args[0])
      if (!paths.isReadable(path) && !paths.isParent(path)) throw new DiskError('noent')
      return host['stat']!(args)
    },
    chmod: change('chmod'),
    chown: change('chown'),
    create: change('create'),
    run: refuse,
    start: refuse,
    kill: refuse,
    print: printOutput,
    logs: () => null,
  }
}

function answerRuby(name: string, args: readonly Json[]): Json {
  const answer = answers[name] ?? ((given) => askMain({ name, args: given }))
  return toTaggedData(answerOrSystemError(() => answer(args.map(toPlainData))))
}

function callRuby(operation: string, args: readonly Json[]): Json {
  return toPlainData(machine.call(operation, args.map(toTaggedData), answerRuby))
}

answerQuestions((call: SuiteCall): SuiteReply => {
  try {
    if (call === 'snapshot') return { snapshot: engine!.takeSnapshot() }
    return { value: callRuby(call.operation, call.args) }
  } catch (error) {
    return { error: (error as Error).message }
  }
})
