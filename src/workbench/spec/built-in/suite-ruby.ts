import type { Json } from '../../../base/json/json-checks.ts'
import { resolveScriptPath } from '../../../base/program/script-path.ts'
import { openThreadBridge } from '../../../base/threads/thread-bridge.ts'
import { WorkerThread } from '../../../base/threads/worker-thread.ts'
import type { RubyDistribution } from '../../../ruby/vm/distribution.ts'
import type { ThreadConnection } from '../compiler-server.ts'
import type { SuiteFiles } from './suite-disk.ts'
import type { SuiteCall, SuiteQuestion, SuiteReply, SuiteThreadData } from './suite-thread.ts'

/** Answers questions of one Ruby, by name. */
export type SuiteAnswers = Readonly<Record<string, (...args: readonly Json[]) => Json | Promise<Json>>>

/** Size of the thread's V8 stack in MiB, which nested Ruby blocks use. RSpec's hooks nest blocks deeply. */
const stackSizeMb = 64

/** The longest time in milliseconds: the suite has limits of its own. */
const noLimitMs = 2 ** 31 - 1

/** A built-in Ruby in a thread of its own, with a connection to the compiler. */
export class SuiteRuby {
  readonly #thread: WorkerThread<SuiteCall, SuiteReply>
  readonly #compiler: ThreadConnection

  constructor(ruby: RubyDistribution, files: SuiteFiles, compiler: ThreadConnection, answers: SuiteAnswers) {
    this.#compiler = compiler
    const all: SuiteAnswers = { ...answers, compiler: (line) => compiler.exchange(String(line)) }
    this.#thread = new WorkerThread({
      script: resolveScriptPath(new URL('./suite-thread.js', import.meta.url)),
      stackSizeMb,
      heapMb: 1024,
      timeMs: noLimitMs,
      data: () => {
        const main = openThreadBridge(({ name, args }: SuiteQuestion) => answerQuestion(all, name, args))
        return { workerData: { ruby, files, main } satisfies SuiteThreadData, transferList: [main.port] }
      },
    })
  }

  /** Runs an operation. Throws an Error with the reason if it fails, and NoAnswerError. */
  async call(operation: string, args: readonly Json[]): Promise<Json> {
    const reply = await this.#thread.ask({ operation, args })
    if ('error' in reply) throw new Error(reply.error)
    return 'value' in reply ? reply.value : null
  }

  /** Returns the state of Ruby, for copies of it. */
  async takeSnapshot(): Promise<RubyDistribution['snapshot']> {
    const reply = await this.#thread.ask('snapshot')
    if ('snapshot' in reply) return reply.snapshot
    throw new Error('error' in reply ? reply.error : 'no snapshot')
  }

  /** Fails the running call, with this reason. */
  giveUp(why: string): void {
    this.#thread.giveUp(why)
  }

  /** Ends the thread, also during a call. */
  async close(): Promise<void> {
    this.#compiler.close()
    await this.#thread.close()
  }
}

function answerQuestion(answers: SuiteAnswers, name: string, args: readonly Json[]): Json | Promise<Json> {
  const answer = Object.hasOwn(answers, name) ? answers[name] : undefined
  if (!answer) throw new Error(`The suite uses a function of Puppet that has no answer: ${name}`)
  return answer(...args)
}
