import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PuppetError } from '../../../src/base/issue.ts'
import { toLiteral } from '../../../src/language/types/printing/text.ts'
import { evaluateLiteral } from './evaluate-literal.ts'

/** What real Puppet answers, and we do not: its bugs, and what the clock or an evaluator would be needed for. */
const skipped: Readonly<Record<string, string>> = {}

const cases = readFileSync(join(import.meta.dirname, '../cases/new.cases'), 'utf8')
  .split('\n')
  .filter((line) => !line.startsWith('#') && line.includes(' ==> '))
  .map((line) => line.replaceAll('⏎', '\n').split(' ==> ') as [string, string])
  .filter(([code, value]) => !(code in skipped) && !/undefined method|Resource type not found/.test(value))

function answer(code: string): string {
  try {
    return toLiteral(evaluateLiteral(code))
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return `! Evaluation Error: Error while evaluating a Function Call, ${error.diagnostic.message}`
  }
}

it.each(cases)('%s', (code, value) => {
  expect(answer(code)).toBe(value.replace(/ \(line: \d+, column: \d+\)$/, ''))
})
