import { budgets } from '../../base/budgets/budgets.ts'
import { fail } from '../../base/issue.ts'
import { type ExactJson, memberOf } from '../../base/json/exact-json.ts'
import { parseJson, printJson } from '../../base/json/json-text.ts'
import { functionIssues } from '../../language/functions/definition/issues.ts'
import type { Host } from '../../language/host.ts'
import { reasonText } from '../../language/ruby-semantics/errno.ts'
import { entryOf, readOutside } from '../../network/outside/folders.ts'
import { recordedQuestion } from '../../network/outside/http-question.ts'
import { parseQuestion, questionText } from '../../network/outside/question.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import { issues } from '../request/issues.ts'
import type { ReadOutside } from '../ruby/outside-files.ts'
import { type Generators, generatorsOf } from './generators.ts'

/** Host functions that query sources outside the commit, and the reader of external folders. */
type Outside = Pick<Host, 'askStore' | 'generate' | 'askOutside'> & { readonly readOutside: ReadOutside }

/** Computes the answer to a question that was not asked before in this catalog. */
type Find = () => string

/**
 * Runs one catalog's queries of the store, programs, DNS, HTTP and external folders. Each question is answered once per
 * catalog and recorded in `asked`. With `inputs`, all answers come from `inputs`.
 */
export function outsideQuestions(request: CompileRequest, asked: Map<string, string>, generators: Generators): Outside {
  const { inputs, askStore } = request
  const noted = notedIn(asked, inputs)
  const texts = generatorsOf(request.generators ?? [], generators)
  const secrets = new Map<string, string[]>()
  return {
    askStore: (askStore || inputs) && ((question) => noted(question, () => askStore!(question))),
    generate: (command) => generated(command, noted, texts),
    askOutside(kind, content) {
      const shown = kind === 'http' ? recordedQuestion(content, secrets) : content
      return parseJson(noted(questionText(kind, shown), () => found(request, questionText(kind, content))))
    },
    readOutside(path) {
      // With `inputs`, every path is searched there; the absence of a path is not recorded again.
      if (inputs && !entryOf(parseJson(inputs(questionText('file', path))))) return undefined
      const find = () => printJson(readOutside(path, request.externalFolders ?? []))
      return entryOf(parseJson(noted(questionText('file', path), find)))
    },
  }
}

function notedIn(asked: Map<string, string>, inputs: CompileRequest['inputs']) {
  const { answers, questions } = budgets.outside
  let characters = 0
  return (question: string, find: Find): string => {
    const known = asked.get(question)
    if (known !== undefined) return known
    const answer = inputs ? inputs(question) : find()
    characters += question.length + answer.length
    if (characters > answers.bound) fail(issues.OUTSIDE_ANSWERS_TOO_LONG, { most: answers.bound })
    if (asked.size >= questions.bound) fail(issues.TOO_MANY_OUTSIDE_QUESTIONS, { most: questions.bound })
    asked.set(question, answer)
    return answer
  }
}

/**
 * Asks a recorded question of an earlier catalog again; `undefined` if the record does not contain enough to repeat the
 * question.
 */
export function answerAgain(request: CompileRequest, question: string, generators: Generators): string | undefined {
  const { kind, content } = parseQuestion(question) ?? {}
  if (kind === 'query') return request.askStore?.(question)
  if (kind === 'dns' || (kind === 'http' && memberOf(content, 'secret') === undefined))
    return request.askOutside?.(question)
  if (kind === 'file') return printJson(readOutside(String(content), request.externalFolders ?? []))
  if (kind !== 'generate') return undefined
  return printJson({ output: generatorsOf(request.generators ?? [], generators)(content as readonly string[]) })
}

/** Queries DNS or HTTP, if the request allows it. */
function found({ askOutside }: CompileRequest, question: string): string {
  return askOutside?.(question) ?? printJson({ refused: issues.NO_WAY_OUTSIDE.text({}) })
}

/** Returns the output of a program as an answer to record; a failure is recorded, too. */
function generated(
  command: readonly string[],
  noted: (question: string, find: Find) => string,
  textOf: (command: readonly string[]) => string,
): string {
  let thrown: { readonly error: unknown } | undefined
  const find = () => {
    try {
      return printJson({ output: textOf(command) })
    } catch (error) {
      thrown = { error }
      return printJson({ failure: reasonText(error) })
    }
  }
  const answer: ExactJson = parseJson(noted(questionText('generate', command), find))
  if (thrown) throw thrown.error
  const output = memberOf(answer, 'output')
  if (typeof output === 'string') return output
  return fail(functionIssues.GENERATE_FAILED, { why: String(memberOf(answer, 'failure')) })
}
