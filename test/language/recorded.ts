import { readFileSync, writeFileSync } from 'node:fs'
import { type Answer, askPuppet, type Question } from './real-puppet.ts'

/** A piece of code, and what real Puppet says of it. */
export type RecordedCase = Question & { readonly code: string } & Answer

/** Cases by family. With `UPDATE=1` asks real Puppet anew and rewrites the file. */
export function recordedCases(file: string, extra: Partial<Question> = {}): [family: string, cases: RecordedCase[]][] {
  const families = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, RecordedCase[]>)
  if (!process.env.UPDATE) return families
  const updated = families.map(([family, cases]): [string, RecordedCase[]] => {
    const questions = cases.map(({ code, epp }) => ({ code, ...(epp ? { epp } : {}) }))
    const answers = askPuppet(questions.map((each) => ({ ...each, ...extra })))
    return [family, questions.map((each, index) => ({ ...each, ...answers[index] }))]
  })
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(updated), undefined, 2)}\n`)
  return updated
}
