import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import { asksProgram, recordingOf } from '../support/recorded-answers.ts'
import { type Answer, askPuppet, type Question } from './real-puppet.ts'

/** A piece of code, and what real Puppet says of it. */
export type RecordedCase = Question & { readonly code: string } & Answer

/**
 * The cases of a suite by family, which are in `recorded/NAME.json`, too: a new one is written there without its answer.
 * `UPDATE=1` asks real Puppet anew and rewrites the file; `npm run test:oracle` asks again and compares.
 */
export function recordedCases(suite: string, extra: Partial<Question> = {}): [family: string, cases: RecordedCase[]][] {
  const file = recordingOf(suite)
  const families = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, RecordedCase[]>)
  if (!asksProgram) return families
  const asked = families.map(([family, cases]): [string, RecordedCase[]] => {
    const questions = cases.map(({ code, epp }) => ({ code, ...(epp ? { epp } : {}) }))
    const answers = askPuppet(questions.map((each) => ({ ...each, ...extra })))
    return [family, questions.map((each, index) => ({ ...each, ...answers[index] }))]
  })
  if (process.env['UPDATE'] === '1') writeFileSync(file, `${JSON.stringify(Object.fromEntries(asked), undefined, 2)}\n`)
  else expect(asked, `the recorded answers of ${suite}`).toEqual(families)
  return asked
}
