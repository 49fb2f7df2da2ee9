import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkRegexp, findAllMatches, findMatch } from '../../../../src/language/ruby-semantics/regexp/match.ts'
import { Regexp } from '../../../../src/language/values/regexp.ts'

type Found = [index: number, ...groups: (string | null)[]]

/** A pattern, a text, and where Ruby 3 finds what: the offset in code points and the groups. */
const cases = readFileSync(join(import.meta.dirname, 'ruby-regexp.cases'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as [string, string, Found | string | null])

describe('patterns that Ruby takes', () => {
  const right = cases.filter((each): each is [string, string, Found | null] => typeof each[2] !== 'string')
  it.each(right)('/%s/ in %j', (pattern, text, expected) => {
    const match = findMatch(new Regexp(pattern), text)
    const found = match && [[...text.slice(0, match.index)].length, ...match.groups.map((group) => group ?? null)]
    expect(found ?? null).toEqual(expected)
  })
})

describe('patterns that Ruby refuses', () => {
  it.each(cases.filter(([, , expected]) => typeof expected === 'string'))('/%s/', (pattern) => {
    expect(() => checkRegexp(pattern)).toThrow()
  })

  it.each([
    ['(', 'end pattern with unmatched parenthesis: /(/'],
    [')', 'unmatched close parenthesis: /)/'],
    ['[', 'premature end of char-class: /[/'],
    ['*a', 'target of repeat operator is not specified: /*a/'],
    ['[b-a]', 'empty range in char class: /[b-a]/'],
    ['\\p{Foo}', 'invalid character property name {Foo}: /\\p{Foo}/'],
  ])('/%s/ with the words of Ruby', (pattern, message) => {
    expect(() => checkRegexp(pattern)).toThrow(message)
  })
})

it('finds all, empty ones too', () => {
  expect(findAllMatches(new Regexp('\\d*'), 'a12b').map(({ index, groups }) => [index, groups[0]])).toEqual([
    [0, ''],
    [1, '12'],
    [3, ''],
    [4, ''],
  ])
})

describe('patterns that would cost too much to translate are Ruby’s to read', () => {
  const calls = Array.from({ length: 12 }, (_, at) => `(?<g${at + 1}>\\g<g${at}>\\g<g${at}>)`)
  it.each([
    ['repeats of repeats', `a${'*'.repeat(50_000)}`, 'aaa', 'aaa'],
    ['many groups', '()'.repeat(20_000), 'a', ''],
    ['groups that call others', `(?<g0>a?)${calls.join('')}`, '', ''],
  ])('%s', (_, source, text, found) => {
    expect(findMatch({ source }, text)?.groups[0]).toBe(found)
  })

  it('who has no stack for them here says so', () => {
    const source = `${'('.repeat(150)}a${`${'*'.repeat(100)})`.repeat(150)}`
    const found = () => {
      try {
        return findMatch({ source }, 'aaa')?.groups[0]
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(found()).toMatch(/^aaa$|nested too deep$/)
  })
})
