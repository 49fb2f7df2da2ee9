import { workerData } from 'node:worker_threads'
import { PuppetError } from '../../base/issue.ts'
import type { Json } from '../../base/json/json-checks.ts'
import { createBridgeCaller, type ThreadBridge } from '../../base/threads/thread-bridge.ts'
import { lowerThreadPriority } from '../../base/threads/thread-priority.ts'
import { answerQuestions } from '../../base/threads/worker-thread.ts'
import { RubyError } from '../../ruby/ruby-machine.ts'
import { createRubySandbox } from '../../ruby/ruby-sandbox.ts'
import { findSyntaxError } from '../../ruby/syntax-check.ts'
import type { GuestFiles } from '../../ruby/wasi/guest-files.ts'
import { ownRuby } from '../../ruby/worker-share.ts'
import { createCommitFiles } from './commit-files.ts'
import type { CommitQuestion, EvaluationAnswer, EvaluationQuestion } from './evaluation.ts'
import { getEnvironmentRoot } from './puppetfile-root.ts'

const ask = createBridgeCaller<CommitQuestion, unknown>(workerData as ThreadBridge)

lowerThreadPriority('working')
answerQuestions(evaluate)

/** Evaluates in a new interpreter, so that Puppetfiles cannot influence each other. */
function evaluate(question: EvaluationQuestion): EvaluationAnswer {
  const { text, environment, branch, commit, maxDeclarations } = question
  const root = getEnvironmentRoot(environment)
  const files: Record<string, GuestFiles> =
    commit === undefined ? {} : { [root.slice(1)]: createCommitFiles(commit, ask) }
  const machine = createRubySandbox(ownRuby.image(), files)
  try {
    const problem = findSyntaxError(machine, text)
    if (problem) return { error: { kind: 'SyntaxError', ...problem } }
    const json = machine.call(
      'read_puppetfile',
      [text, `${root}/Puppetfile`, environment, branch, maxDeclarations],
      answerQuery,
    )
    return { json: String(json) }
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const { kind, place } = error instanceof RubyError ? error : { kind: '', place: [null, 1] as const }
    const line = place[0]?.endsWith('/Puppetfile') ? place[1] : 1
    return { error: { kind, message: error.diagnostic.message, line, column: 1 } }
  }
}

/** Replies to Ruby's queries: output is ignored, all other queries fail. */
function answerQuery(question: string): Json {
  if (question === 'print' || question === 'noted') return null
  throw new Error(`a Puppetfile cannot use ${question}`)
}
