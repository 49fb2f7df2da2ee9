import { expect, it } from 'vitest'
import { preludeAnswers } from '../../src/ruby/session/prelude-answers.ts'
import { type Crossings, fromRuby } from '../../src/ruby/tagged-json.ts'
import { toPinoLevel } from '../../src/server/logger.ts'

/** Names that every object of JavaScript's answers to, though nobody gave them. */
const inherited = ['constructor', '__proto__', 'toString', 'valueOf', '__defineGetter__', 'hasOwnProperty']

it.each(inherited)('%s is no question, no tag and no level', (name) => {
  expect(Object.hasOwn(preludeAnswers, name)).toBe(false)
  expect(() => fromRuby([name, '1'], {} as Crossings)).toThrow('Ruby returned an invalid value')
  expect(toPinoLevel(name)).toBe('info')
})

it('what is no value of ours, nor a number that can be read in time, is none', () => {
  expect(() => fromRuby({ kind: 'Any' }, {} as Crossings)).toThrow('Ruby returned an invalid value')
  expect(() => fromRuby(['i', '9'.repeat(1_000_001)], {} as Crossings)).toThrow('the Integer has too many digits')
})
