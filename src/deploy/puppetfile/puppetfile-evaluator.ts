import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { resolveScriptPath } from '../../base/program/script-path.ts'
import { openThreadBridge } from '../../base/threads/thread-bridge.ts'
import { NoAnswerError, WorkerThread } from '../../base/threads/worker-thread.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import type { CommitQuestion, EvaluationAnswer, EvaluationQuestion } from './evaluation.ts'
import { puppetfileIssues as issues } from './issues.ts'

/**
 * Milliseconds without use after which the thread ends, to free the memory of its Ruby interpreter.
 * Deployments are rare.
 */
const idleMs = 60_000

/**
 * Evaluates Puppetfiles with the built-in Ruby interpreter, on a separate thread that can be
 * terminated.
 */
export class PuppetfileEvaluator {
  readonly #thread: WorkerThread<EvaluationQuestion, EvaluationAnswer>
  readonly #timeMs: number

  /** `source` contains the commits whose files a Puppetfile may read. If undefined, a Puppetfile cannot read files. */
  constructor(
    source?: Pick<GitObjectSource, 'listTree' | 'readBlob'>,
    timeMs: number = budgets.module.evaluation.bound,
  ) {
    this.#timeMs = timeMs
    this.#thread = new WorkerThread({
      script: resolveScriptPath(new URL('./puppetfile-thread.js', import.meta.url)),
      stackSizeMb: 32,
      heapMb: 512,
      timeMs,
      idleMs,
      data() {
        const bridge = openThreadBridge((question: CommitQuestion) => readCommitContent(source, question))
        return { workerData: bridge, transferList: [bridge.port] }
      },
    })
  }

  /**
   * Evaluates a Puppetfile. Throws PUPPETFILE_TOO_LONG, and PUPPETFILE_FAILED if the interpreter
   * crashed.
   */
  async evaluate(question: EvaluationQuestion): Promise<EvaluationAnswer> {
    try {
      return await this.#thread.ask(question)
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error
      if (error.reason === 'time') throwIssue(issues.PUPPETFILE_TOO_LONG, { seconds: this.#timeMs / 1000 })
      return throwIssue(issues.PUPPETFILE_FAILED, { why: error.message, kind: '' })
    }
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}

function readCommitContent(
  source: Pick<GitObjectSource, 'listTree' | 'readBlob'> | undefined,
  question: CommitQuestion,
): Promise<unknown> {
  if (!source) return Promise.resolve(question.kind === 'files' ? [] : new Uint8Array())
  if (question.kind === 'files') return source.listTree(question.commit) as Promise<unknown>
  return source.readBlob(question.oid, { maxBytes: budgets.environment.codeBlob.bound })
}
