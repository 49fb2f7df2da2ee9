import { budgets } from '../../base/budgets/budgets.ts'
import { createPuppetError, defineIssues } from '../../base/issue.ts'
import { resolveScriptPath } from '../../base/program/script-path.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { type NoAnswerError, WorkerThread } from '../../base/threads/worker-thread.ts'
import type { Environment, Environments } from '../../code/environments/environments.ts'
import { listLibFolders, listSchemaFiles } from './schema-files.ts'
import type { TransportAnswer, TransportQuestion } from './transport-thread.ts'

/** Errors of reading transports. */
export const transportIssues = defineIssues({
  TRANSPORTS_UNREADABLE: { text: (a: { why: string }) => a.why },
})

/**
 * Idle time after which the thread ends, in milliseconds. Requests are rare, and the thread holds a
 * Ruby interpreter.
 */
const idleMs = 60_000

/**
 * Evaluates transport schemas with the built-in Ruby interpreter on a thread. If a schema does not
 * terminate, the thread is ended. Results are cached per commit.
 */
export class TransportReader {
  readonly #known = new WeakMap<Environment, Promise<TransportAnswer>>()
  readonly #thread: WorkerThread<TransportQuestion, TransportAnswer>

  constructor(environments: Pick<Environments, 'bridge'>, timeMs: number = budgets.environment.transportsTime.bound) {
    this.#thread = new WorkerThread({
      script: resolveScriptPath(new URL('./transport-thread.js', import.meta.url)),
      stackSizeMb: 32,
      heapMb: 512,
      timeMs,
      idleMs,
      data() {
        const bridge = environments.bridge()
        return { workerData: bridge, transferList: [bridge.port] }
      },
    })
  }

  /** The schemas as a JSON list. Throws TRANSPORTS_UNREADABLE. */
  async read(environment: Environment): Promise<string> {
    const answer = await (this.#known.get(environment) ?? this.#ask(environment))
    if ('json' in answer) return answer.json
    throw createPuppetError(transportIssues.TRANSPORTS_UNREADABLE, { why: toPrintable(answer.error) })
  }

  /** Ends the thread; a pending read gets no result. */
  close(): Promise<void> {
    return this.#thread.close()
  }

  #ask(environment: Environment): Promise<TransportAnswer> {
    const modules = environment.modules()
    const files = listSchemaFiles(modules)
    if (files.length === 0) return Promise.resolve({ json: '[]' })
    const { snapshot } = environment
    const asked = this.#thread
      .ask({ snapshot, libFolders: listLibFolders(modules), files })
      .catch((why: NoAnswerError) => this.#unread(environment, why))
    this.#known.set(environment, asked)
    // Without a commit the files may change at any time, so the result is not cached.
    if (environment.codeId === undefined) void asked.finally(() => this.#known.delete(environment))
    return asked
  }

  /** Returns the error of a failed evaluation. The error is not cached, since a retry may succeed. */
  #unread(environment: Environment, { reason, message }: NoAnswerError): TransportAnswer {
    this.#known.delete(environment)
    return { error: reason === 'time' ? `Reading the transports ${message}` : message }
  }
}
