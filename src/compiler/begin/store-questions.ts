import { budgets } from '../../base/budgets.ts'
import { fail } from '../../base/issue.ts'
import type { Host } from '../../language/host.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import { issues } from '../request/issues.ts'

/** Questions to the store: one has one answer in one catalog, and all are noted. `undefined` where there is no store. */
export function storeQuestions(ask: CompileRequest['askStore'], asked: Map<string, string>): Host['askStore'] {
  if (!ask) return undefined
  const { bound: most } = budgets.environment.storeAnswers
  let characters = 0
  return (question) => {
    const known = asked.get(question)
    if (known !== undefined) return known
    const answer = ask(question)
    characters += question.length + answer.length
    if (characters > most) fail(issues.STORE_ANSWERS_TOO_LONG, { most })
    asked.set(question, answer)
    return answer
  }
}
