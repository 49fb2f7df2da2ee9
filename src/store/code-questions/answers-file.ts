import { readFileSync, writeFileSync } from 'node:fs'
import { parseBoundedJson } from '../../base/bounded-json.ts'
import { budgets } from '../../base/budgets.ts'
import { type ExactJson, memberOf } from '../../base/exact-json.ts'
import { fail } from '../../base/issue.ts'
import { printJson } from '../../base/json-text.ts'
import { reasonText } from '../../ruby-semantics/errno.ts'
import { issues } from './issues.ts'
import type { AskStore } from './store-bridge.ts'

/** The answers in a file: `{"answers":[{"query":…,"answer":…}]}`. Throws UNREADABLE_ANSWERS. */
export function answersFrom(file: string): AskStore {
  const answers = new Map<string, string>()
  const rows = memberOf(readAnswers(file), 'answers')
  if (!Array.isArray(rows)) return fail(issues.UNREADABLE_ANSWERS, { file, reason: "it has no list 'answers'" })
  for (const row of rows) {
    const [query, answer, refusal] = ['query', 'answer', 'refusal'].map((key) => memberOf(row, key))
    if (query === undefined || (answer === undefined && typeof refusal !== 'string'))
      return fail(issues.UNREADABLE_ANSWERS, { file, reason: "an answer has no 'query', or no 'answer'" })
    answers.set(printJson({ query }), typeof refusal === 'string' ? refusal : printJson(answer!))
  }
  return (question) => answers.get(question) ?? fail(issues.NO_ANSWER_IN_FILE, { question, file })
}

/** Writes questions and their answers as a file that `answersFrom` reads. */
export function saveAnswers(file: string, asked: ReadonlyMap<string, string>): void {
  const rows = Array.from(asked, ([question, answer]): ExactJson => {
    const query = memberOf(parsed(question), 'query') ?? null
    const json = parsed(answer)
    return json === undefined ? { query, refusal: answer } : { query, answer: json }
  })
  writeFileSync(file, `${printJson({ answers: rows })}\n`, { mode: 0o600 })
}

function readAnswers(file: string): ExactJson {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    return fail(issues.UNREADABLE_ANSWERS, { file, reason: reasonText(error) })
  }
  return parsed(text) ?? fail(issues.UNREADABLE_ANSWERS, { file, reason: 'it is no JSON' })
}

function parsed(text: string): ExactJson | undefined {
  const characters = budgets.environment.storeAnswers.bound
  try {
    return parseBoundedJson(text, { characters, items: characters })
  } catch {
    return undefined
  }
}
