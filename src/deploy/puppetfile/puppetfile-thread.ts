import { workerData } from 'node:worker_threads'
import { PuppetError } from '../../base/issue.ts'
import type { Json } from '../../base/json/wire.ts'
import { answerQuestions } from '../../base/threads/asked-thread.ts'
import { askThrough, type ThreadBridge } from '../../base/threads/thread-bridge.ts'
import { standBack } from '../../base/threads/thread-priority.ts'
import { RubyError, RubyMachine } from '../../ruby/machine.ts'
import { ownRuby } from '../../ruby/ruby-share.ts'
import { syntaxProblem } from '../../ruby/syntax-problem.ts'
import type { GuestFiles } from '../../ruby/wasi/guest-files.ts'
import type { CommitQuestion, EvaluationAnswer, EvaluationQuestion } from './evaluation.ts'
import { filesByOid } from './guest-commit.ts'
import { rootOf } from './puppetfile-root.ts'

const ask = askThrough<CommitQuestion, unknown>(workerData as ThreadBridge)

standBack('working')
answerQuestions(evaluate)

/** Evaluates in a new interpreter, so that Puppetfiles cannot influence each other. */
function evaluate(question: EvaluationQuestion): EvaluationAnswer {
  const { text, environment, branch, commit, maxDeclarations } = question
  const root = rootOf(environment)
  const files: Record<string, GuestFiles> = commit === undefined ? {} : { [root.slice(1)]: filesByOid(commit, ask) }
  const machine = new RubyMachine(ownRuby.image(), files)
  try {
    const problem = syntaxProblem(machine, text)
    if (problem) return { error: { kind: 'SyntaxError', ...problem } }
    const json = machine.call(
      'read_puppetfile',
      [text, `${root}/Puppetfile`, environment, branch, maxDeclarations],
      refuse,
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
function refuse(question: string): Json {
  if (question === 'print' || question === 'noted') return null
  throw new Error(`a Puppetfile asks nobody (${question})`)
}
