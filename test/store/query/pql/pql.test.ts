import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { parsePql } from '../../../../src/store/query/pql/parser.ts'
import { canonical, outcome } from './outcomes.ts'
import { pqlQueries } from './queries.js'

describe('PQL', () => {
  const lines = gunzipSync(readFileSync(new URL('answers.txt.gz', import.meta.url)))
    .toString()
    .trimEnd()
    .split('\n')
  const recorded = lines.filter((_, at) => at % 2 === 1)

  it('was recorded of every text', () => {
    expect(lines.filter((_, at) => at % 2 === 0)).toEqual(pqlQueries.map((text) => JSON.stringify(text)))
  })

  it('has the tree, or the position of the error, that PuppetDB gives', () => {
    expect(pqlQueries.map(outcome)).toEqual(recorded.map(canonical))
  })

  it.each([
    ['nodes { certname = }', 20, ['true', 'false', 'a string', 'a number', '[']],
    ['nodes {} x', 9, ['the end of the query']],
    ['nodes { a = 1 x', 15, ['and', 'or', 'group by', 'limit', 'offset', 'order by', '}']],
    ['nodes { facts. = 1 }', 15, ['a path segment']],
    ['nodes { a = 1.x }', 15, ['a digit']],
    ["nodes { a = 'b", 15, ["'"]],
    ['nodes { a = 1 orr b = 2 }', 17, ['white space']],
  ])('reports the position, the line and the expected tokens of %s', (text, column, tokens) => {
    const title = tokens.length === 1 ? 'Expected:\n' : 'Expected one of:\n\n'
    const caret = `${' '.repeat(column - 1)}^`
    const place = `PQL parse error at line 1, column ${column}:\n\n${text}\n${caret}\n\n`
    expect(() => parsePql(text)).toThrow(place + title + tokens.map((token) => `${token}\n`).join(''))
  })

  it('reports the line of an error in a text of several lines', () => {
    const message = 'PQL parse error at line 2, column 5:\n\n  a ? 1\n    ^\n\nExpected one of:\n\nis null\n'
    expect(() => parsePql('nodes {\r\n  a ? 1\r\n}')).toThrow(message)
  })

  it('has bounds', () => {
    expect(outcome(`nodes { ${'('.repeat(251)}`)).toBe('the query is nested more than 250 levels deep')
    expect(outcome(`nodes { a = "${'x'.repeat(262_144)}" }`)).toBe('the query exceeds 262144 characters')
    const chain = Array.from({ length: 20_000 }, () => 'a = 1').join(' or ')
    expect(outcome(`nodes { ${chain} orr }`)).toMatch(/^PQL parse error at line 1, column 180,00\d:/)
  })
})
