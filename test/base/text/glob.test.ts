import { describe, expect, it } from 'vitest'
import { budgets } from '../../../src/base/budgets/budgets.ts'
import { compileNameGlob, createGlobMeter, expandBraces } from '../../../src/base/text/glob.ts'
import { fc } from '../../support/properties.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { askRuby } from '../../support/ruby-globs.ts'

/** Pattern, name, and what File.fnmatch of Ruby 3.1 says. */
const table: readonly (readonly [pattern: string, name: string, matches: boolean])[] = [
  ['', '', true],
  ['*', '', true],
  ['*', 'a', true],
  ['*', '.a', false],
  ['.*', '.git', true],
  ['\\.*', '.git', true],
  ['[.]git', '.git', false],
  ['?git', '.git', false],
  ['*.txt', 'a.txt', true],
  ['*.txt', '.a.txt', false],
  ['a*.txt', 'a.b.txt', true],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['a?c', 'a😀c', true],
  ['?', 'é', true],
  ['[a-c]x', 'bx', true],
  ['[!a]x', 'ax', false],
  ['[^a]x', 'bx', true],
  ['[z-a]', 'z', true],
  ['[z-a]', 'm', false],
  ['[a-]', '-', true],
  ['[]a]', ']', false],
  ['[!]', 'x', true],
  ['[^]]', 'x]', true],
  ['[\\]]', ']', true],
  ['[a\\-c]', 'b', false],
  ['[a', '[a', false],
  ['[😀-😂]', '😁', true],
  ['a.c', 'abc', false],
  ['a\\*', 'a*', true],
  ['a\\', 'a\\', false],
  ['a\\', 'a', true],
  ['*\\', 'a', true],
  ['a\\b', 'ab', true],
  ['(', '(', true],
  ['a|b', 'a', false],
  ['{a,b}', 'a', false],
  ['{a,b}', '{a,b}', true],
  ['**', 'a', true],
  ['*a*b*c', 'xaxbxcxc', true],
  ['*a*b*c', 'xaxbxcx', false],
  ['*ab', 'aab', true],
  ['A', 'a', false],
  ['a', 'a\n', false],
  ['a*', 'a\nb', true],
]

/** A digit for each answer. */
const bits = (answers: readonly unknown[]): string => answers.map((answer) => (answer ? '1' : '0')).join('')

const ruby = recordedAnswers(import.meta.filename, 'Ruby 3.1')

describe('a pattern of names', () => {
  it.each(table)('%j and %j', (pattern, name, matches) => {
    expect(compileNameGlob(pattern).matches(name)).toBe(matches)
  })

  it('has the meaning that it has in Ruby', () => {
    const cases = table.map(([pattern, name]) => [pattern, name] as const)
    expect(ruby.one('the table', cases, () => askRuby(cases))).toEqual(table.map(([, , matches]) => matches))
  })

  it('has it for 20,000 random ones, too', () => {
    const piece = fc.constantFrom(
      '*',
      '*',
      '?',
      '[',
      ']',
      '!',
      '^',
      '-',
      '\\',
      'a',
      'b',
      'c',
      '.',
      '/',
      '{',
      ',',
      '}',
      'é',
    )
    const pattern = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(''))
    const name = fc
      .array(fc.constantFrom('a', 'b', 'c', '.', '[', ']', '-', '\\', '/', 'é'), { maxLength: 6 })
      .map((pieces) => pieces.join(''))
    const cases = fc.sample(fc.tuple(pattern, name), { numRuns: 20_000, seed: 1 })
    const answers = ruby.one('20,000 random ones', cases, () => bits(askRuby(cases)))
    const different = cases.filter(([glob, text], at) => compileNameGlob(glob).matches(text) !== (answers[at] === '1'))
    expect(different).toEqual([])
    expect(answers.replaceAll('0', '').length).toBeGreaterThan(500)
  })

  it.each([
    ['stars', `${'*'.repeat(300)}x`, 'a'.repeat(255)],
    ['stars apart', `${'*a'.repeat(300)}*b`, 'a'.repeat(4000)],
    ['questions after a star', `*${'?'.repeat(2000)}b`, 'a'.repeat(4000)],
    ['sets', `*${'[ab]'.repeat(500)}c`, 'ab'.repeat(2000)],
  ])('takes no more than pattern times name: %s', (_, pattern, name) => {
    expect(compileNameGlob(pattern).matches(name)).toBe(false)
  })

  it('is metered over many names', () => {
    const glob = compileNameGlob(`*${'?'.repeat(2000)}b`)
    const meter = createGlobMeter('the test')
    const many = () => {
      for (let each = 0; each < 1000; each++) glob.matches('a'.repeat(4000), meter)
    }
    expect(many).toThrow('Matching the test takes more than 20000000 steps')
  })

  it('is refused when it is too long', () => {
    expect(() => compileNameGlob('a'.repeat(budgets.pattern.globLength.bound + 1))).toThrow(
      'which exceeds the limit of 4096',
    )
  })
})

describe('braces', () => {
  it.each<[pattern: string, alternatives: string[]]>([
    ['a', ['a']],
    ['a{b,c}d', ['abd', 'acd']],
    ['{a,b}{c,d}', ['ac', 'ad', 'bc', 'bd']],
    ['{a{b,c},d}', ['ab', 'ac', 'd']],
    ['{,a}', ['', 'a']],
    ['{}', ['']],
    ['{a/b,c}', ['a/b', 'c']],
    ['\\{a,b}', ['\\{a,b}']],
    ['{a\\,b}', ['a\\,b']],
    ['{a', []],
    ['{a{b}', []],
    ['a}', ['a}']],
  ])('%s', (pattern, alternatives) => {
    expect(expandBraces(pattern)).toEqual(alternatives)
  })

  it.each([
    ['pairs', '{a,b}'.repeat(40), 'expand to more than 256 alternatives'],
    ['pairs that stand for nothing', `${'{a,b}'.repeat(40)}{`, 'expand to more than 256 alternatives'],
    ['many', `{${'a,'.repeat(1000)}}`, 'expand to more than 256 alternatives'],
    ['nested ones', `${'{a,'.repeat(1000)}${'}'.repeat(1000)}`, 'has more than 64 braces'],
    ['nested ones that stand for little', `${'{'.repeat(2000)}${'}'.repeat(2000)}`, 'has more than 64 braces'],
  ])('are refused when they stand for too much: %s', (_, pattern, message) => {
    expect(() => expandBraces(pattern)).toThrow(message)
  })
})
