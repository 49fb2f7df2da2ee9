import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findMatch } from '../../../../src/language/ruby-semantics/regexp/match.ts'
import { Regexp } from '../../../../src/language/values/regexp.ts'
import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { randomPatterns } from './random-patterns.ts'

const count = Number(process.env.RANDOM_PATTERNS ?? 2500)
const seed = Number(process.env.RANDOM_SEED ?? 1)

const ruby = recordedAnswers(import.meta.filename, 'Ruby 3.1')

describe("random patterns, beside Ruby's own", () => {
  it(`finds what Ruby finds, in ${count} of seed ${seed}`, { timeout: 600_000 }, () => {
    const cases = randomPatterns(seed, count)
    const isRecorded = count === 2500 && seed === 1
    const answers = isRecorded ? ruby.one('random patterns', cases, () => askRuby(cases)) : askRuby(cases)
    const different = cases.flatMap(([pattern, text], index) => {
      const here = JSON.stringify(found(pattern, text))
      const there = answers[index]!
      return here === there || there === 'false'
        ? []
        : [`/${pattern}/ in ${JSON.stringify(text)}: here ${here}, Ruby ${there}`]
    })
    expect(different).toEqual([])
  })
})

function askRuby(cases: readonly (readonly [string, string])[]): string[] {
  const oracle = join(import.meta.dirname, '../../../oracle/match.rb')
  const input = cases.map((each) => JSON.stringify(each)).join('\n')
  return execFileSync('ruby', [oracle], { input, encoding: 'utf8', maxBuffer: 1 << 28 })
    .trim()
    .split('\n')
}

function found(pattern: string, text: string): unknown {
  try {
    const match = findMatch(new Regexp(pattern), text)
    return match ? [[...text.slice(0, match.index)].length, ...match.groups.map((group) => group ?? null)] : null
  } catch (error) {
    return (error as Error).message
  }
}
