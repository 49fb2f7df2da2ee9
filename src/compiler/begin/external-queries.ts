import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { type ExactJson, getMember } from '../../base/json/exact-json.ts'
import { formatExactJson, parseJson } from '../../base/json/json-text.ts'
import { functionIssues } from '../../language/functions/definition/issues.ts'
import type { EvaluationHost } from '../../language/host.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import { parseOutsideEntry, readAllowedPath } from '../../network/outside/allowed-folders.ts'
import { toRecordedQuestion } from '../../network/outside/http-question.ts'
import { formatQuestion, parseQuestion } from '../../network/outside/question.ts'
import { toRecordedSecretAnswer, toRecordedSecretQuestion } from '../../network/outside/secrets/secret-question.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import { issues } from '../request/issues.ts'
import type { ReadExternalEntry } from '../ruby/external-files.ts'
import { createGenerators, type Generators } from './generators.ts'

/** Host functions that query sources outside the commit, and the reader of external folders. */
type Outside = Pick<EvaluationHost, 'askStore' | 'generate' | 'askOutside'> & {
  readonly readOutside: ReadExternalEntry
}

/** Runs an external query that was not yet run in this compilation; returns its result as text. */
type Find = () => string

/**
 * Runs one compilation's queries of the store, programs, DNS, HTTP and external folders. Each different query runs
 * once per compilation; its result is stored in `asked`. With `inputs`, recorded results are used instead.
 */
export function createExternalQueries(
  request: CompileRequest,
  asked: Map<string, string>,
  generators: Generators,
): Outside {
  const { inputs, askStore } = request
  const noted = createAnswerRecorder(asked, inputs)
  const texts = createGenerators(request.generators ?? [], generators)
  const secrets = new Map<string, string[]>()
  const values = new Map<string, ExactJson>()
  return {
    askStore: (askStore || inputs) && ((question) => noted(question, () => askStore!(question))),
    generate: (command) => recordGeneratorOutput(command, noted, texts),
    askOutside(kind, content) {
      if (kind === 'secret') return askSecret(request, content, noted, values)
      const shown = kind === 'http' ? toRecordedQuestion(content, secrets) : content
      return parseJson(noted(formatQuestion(kind, shown), () => queryOutside(request, formatQuestion(kind, content))))
    },
    readOutside(path) {
      // With `inputs`, only paths in the recording exist; the absence of a path is not recorded again.
      if (inputs && !parseOutsideEntry(parseJson(inputs(formatQuestion('file', path))))) return undefined
      const find = () => formatExactJson(readAllowedPath(path, request.externalFolders ?? []))
      return parseOutsideEntry(parseJson(noted(formatQuestion('file', path), find)))
    },
  }
}

function createAnswerRecorder(asked: Map<string, string>, inputs: CompileRequest['inputs']) {
  const { answers, questions } = budgets.outside
  let characters = 0
  return (question: string, find: Find): string => {
    const known = asked.get(question)
    if (known !== undefined) return known
    const answer = inputs ? inputs(question) : find()
    characters += question.length + answer.length
    if (characters > answers.bound) throwIssue(issues.OUTSIDE_ANSWERS_TOO_LONG, { most: answers.bound })
    if (asked.size >= questions.bound) throwIssue(issues.TOO_MANY_OUTSIDE_QUESTIONS, { most: questions.bound })
    asked.set(question, answer)
    return answer
  }
}

/**
 * Runs a recorded query of an earlier compilation again; `undefined` if the record lacks data needed to repeat the
 * query.
 */
export function repeatExternalQuery(
  request: CompileRequest,
  question: string,
  generators: Generators,
): string | undefined {
  const { kind, content } = parseQuestion(question) ?? {}
  if (kind === 'query') return request.askStore?.(question)
  if (kind === 'dns' || (kind === 'http' && getMember(content, 'secret') === undefined))
    return request.askOutside?.(question)
  if (kind === 'secret') {
    const answer = request.askOutside?.(question)
    return answer === undefined ? undefined : formatExactJson(toRecordedSecretAnswer(parseJson(answer)))
  }
  if (kind === 'file') return formatExactJson(readAllowedPath(String(content), request.externalFolders ?? []))
  if (kind !== 'generate') return undefined
  return formatExactJson({
    output: createGenerators(request.generators ?? [], generators)(content as readonly string[]),
  })
}

/**
 * Reads a secret. Its version is recorded, and not its value, which `values` keeps for the compilation. With
 * recorded inputs, the secret is read again at the recorded version.
 */
function askSecret(
  request: CompileRequest,
  content: ExactJson,
  noted: (question: string, find: Find) => string,
  values: Map<string, ExactJson>,
): ExactJson {
  const question = formatQuestion('secret', toRecordedSecretQuestion(content))
  const read = (version?: ExactJson): string => {
    const versioned = version !== undefined ? { ...(content as object), version } : content
    const answer = parseJson(queryOutside(request, formatQuestion('secret', versioned as ExactJson)))
    values.set(question, answer)
    return formatExactJson(toRecordedSecretAnswer(answer))
  }
  const recorded = noted(question, read)
  const version = getMember(parseJson(recorded), 'version')
  if (version === undefined) return parseJson(recorded)
  if (!values.has(question) && read(version) !== recorded)
    throwIssue(issues.SECRET_CHANGED, { path: String(getMember(content, 'path')) })
  return values.get(question)!
}

/** Queries DNS, HTTP or a store of secrets, if the request allows it. */
function queryOutside({ askOutside }: CompileRequest, question: string): string {
  return askOutside?.(question) ?? formatExactJson({ refused: issues.NO_WAY_OUTSIDE.text({}) })
}

/** Returns the output of a program as a result to record; a failure is recorded, too. */
function recordGeneratorOutput(
  command: readonly string[],
  noted: (question: string, find: Find) => string,
  textOf: (command: readonly string[]) => string,
): string {
  let thrown: { readonly error: unknown } | undefined
  const find = () => {
    try {
      return formatExactJson({ output: textOf(command) })
    } catch (error) {
      thrown = { error }
      return formatExactJson({ failure: formatErrorReason(error) })
    }
  }
  const answer: ExactJson = parseJson(noted(formatQuestion('generate', command), find))
  if (thrown) throw thrown.error
  const output = getMember(answer, 'output')
  if (typeof output === 'string') return output
  return throwIssue(functionIssues.GENERATE_FAILED, { why: String(getMember(answer, 'failure')) })
}
