import { readFileSync, writeFileSync } from 'node:fs'
import { budgets } from '../../base/budgets/budgets.ts'
import { fail } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { type ExactJson, entriesOf, exactObject, isExactObject, memberOf } from '../../base/json/exact-json.ts'
import { printJson } from '../../base/json/json-text.ts'
import { reasonText } from '../../language/ruby-semantics/errno.ts'
import { issues } from './issues.ts'
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
export function inputsFrom(file: string): () => Inputs {
  const answers = new Map<string, string>()
  const rows = memberOf(readInputs(file), 'inputs')
  if (!Array.isArray(rows)) return fail(issues.UNREADABLE_INPUTS, { file, reason: "it has no list 'inputs'" })
  for (const row of rows) {
    const [answer, refusal] = [memberOf(row, 'answer'), memberOf(row, 'refusal')]
    const question = isExactObject(row) && exactObject(membersBeside(row, ['answer', 'refusal']))
    if (!question || !readQuestion(question) || (answer === undefined && typeof refusal !== 'string'))
      return fail(issues.UNREADABLE_INPUTS, { file, reason: 'a row has no question of a known kind, or no answer' })
    answers.set(printJson(question), typeof refusal === 'string' ? refusal : printJson(answer!))
  }
  return () => givenFrom(file, answers)
}

function givenFrom(file: string, answers: ReadonlyMap<string, string>): Inputs {
  let missing: string | undefined
  const refuse = (question: string) => fail(issues.NO_ANSWER_IN_FILE, { question, file })
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

/** Writes requests and their responses to a file that `inputsFrom` can read. */
export function saveInputs(file: string, asked: ReadonlyMap<string, string>): void {
  writeFileSync(file, inputsText(asked), { mode: 0o600 })
}

/** Formats requests and their responses in the format that `inputsFrom` reads. */
export function inputsText(asked: ReadonlyMap<string, string>): string {
  const rows = Array.from(asked, ([question, answer]): ExactJson => {
    const json = parsed(answer)
    const said = json === undefined ? (['refusal', answer] as const) : (['answer', json] as const)
    return exactObject([...membersBeside(parsed(question) ?? null, []), said])
  })
  return `${printJson({ inputs: rows })}\n`
}

function membersBeside(json: ExactJson, names: readonly string[]): (readonly [string, ExactJson])[] {
  if (!isExactObject(json)) return []
  return [...entriesOf(json)].flatMap(([name, value]) =>
    value === undefined || names.includes(name) ? [] : [[name, value] as const],
  )
}

function readInputs(file: string): ExactJson {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    return fail(issues.UNREADABLE_INPUTS, { file, reason: reasonText(error) })
  }
  return parsed(text) ?? fail(issues.UNREADABLE_INPUTS, { file, reason: 'it is no JSON' })
}

function parsed(text: string): ExactJson | undefined {
  const characters = 2 * budgets.outside.answers.bound
  try {
    return parseBoundedJson(text, { characters, items: characters })
  } catch {
    return undefined
  }
}
