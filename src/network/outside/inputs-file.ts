import { readFileSync, writeFileSync } from 'node:fs'
import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { createExactObject, type ExactJson, getEntries, getMember, isExactObject } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import { outsideIssues } from './issues.ts'
import { readQuestion } from './question.ts'

/** Recorded responses for one compilation, which are used instead of new requests. */
export interface Inputs {
  /** Returns the recorded response to a request. Throws NO_ANSWER_IN_FILE. */
  answer(question: string): string
  /**
   * Throws NO_ANSWER_IN_FILE if there was no recorded response for a request, even if the Puppet code rescued that
   * error.
   */
  requireAll(): void
}

/**
 * Reads recorded responses from a file with the format `{"inputs":[{KIND: QUESTION, "answer": JSON}]}`. A response of
 * the store that is not JSON is in `"refusal": TEXT` instead. The file is read once and used for all compilations.
 * Throws UNREADABLE_INPUTS.
 */
export function loadInputs(file: string): () => Inputs {
  const answers = new Map<string, string>()
  const rows = getMember(readInputsFile(file), 'inputs')
  if (!Array.isArray(rows))
    return throwIssue(outsideIssues.UNREADABLE_INPUTS, { file, reason: "it has no array 'inputs'" })
  for (const row of rows) {
    const [answer, refusal] = [getMember(row, 'answer'), getMember(row, 'refusal')]
    const question = isExactObject(row) && createExactObject(listOtherMembers(row, ['answer', 'refusal']))
    if (!question || !readQuestion(question) || (answer === undefined && typeof refusal !== 'string'))
      return throwIssue(outsideIssues.UNREADABLE_INPUTS, { file, reason: 'an entry has no known query, or no answer' })
    answers.set(formatExactJson(question), typeof refusal === 'string' ? refusal : formatExactJson(answer!))
  }
  return () => createRecordedInputs(file, answers)
}

function createRecordedInputs(file: string, answers: ReadonlyMap<string, string>): Inputs {
  let missing: string | undefined
  const refuse = (question: string) => throwIssue(outsideIssues.NO_ANSWER_IN_FILE, { question, file })
  return {
    answer(question) {
      const answer = answers.get(question)
      if (answer !== undefined) return answer
      // Ruby code may read only files in allowed folders. Reads of other files were not recorded, so the file is
      // absent.
      if (question.startsWith('{"file":')) return '{"absent":true}'
      missing ??= question
      return refuse(question)
    },
    requireAll() {
      if (missing !== undefined) refuse(missing)
    },
  }
}

/** Writes requests and their responses to a file that `loadInputs` can read. */
export function saveInputs(file: string, asked: ReadonlyMap<string, string>): void {
  writeFileSync(file, formatInputs(asked), { mode: 0o600 })
}

/** Formats requests and their responses in the format that `loadInputs` reads. */
export function formatInputs(asked: ReadonlyMap<string, string>): string {
  const rows = Array.from(asked, ([question, answer]): ExactJson => {
    const json = tryParseJson(answer)
    const said = json === undefined ? (['refusal', answer] as const) : (['answer', json] as const)
    return createExactObject([...listOtherMembers(tryParseJson(question) ?? null, []), said])
  })
  return `${formatExactJson({ inputs: rows })}\n`
}

function listOtherMembers(json: ExactJson, names: readonly string[]): (readonly [string, ExactJson])[] {
  if (!isExactObject(json)) return []
  return [...getEntries(json)].flatMap(([name, value]) =>
    value === undefined || names.includes(name) ? [] : [[name, value] as const],
  )
}

function readInputsFile(file: string): ExactJson {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    return throwIssue(outsideIssues.UNREADABLE_INPUTS, { file, reason: formatErrorReason(error) })
  }
  return tryParseJson(text) ?? throwIssue(outsideIssues.UNREADABLE_INPUTS, { file, reason: 'it is not JSON' })
}

function tryParseJson(text: string): ExactJson | undefined {
  const characters = 2 * budgets.outside.answers.bound
  try {
    return parseBoundedJson(text, { characters, items: characters })
  } catch {
    return undefined
  }
}
