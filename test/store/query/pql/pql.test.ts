import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
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

  it('is what PuppetDB makes of it, tree or error', () => {
    expect(pqlQueries.map(outcome)).toEqual(recorded.map(canonical))
  })

  it('has bounds', () => {
    expect(outcome(`nodes { ${'('.repeat(251)}`)).toBe('the query is nested more than 250 levels deep')
    expect(outcome(`nodes { a = "${'x'.repeat(262_144)}" }`)).toBe('the query has more than 262144 characters')
    const chain = Array.from({ length: 20_000 }, () => 'a = 1').join(' or ')
    expect(outcome(`nodes { ${chain} orr }`)).toMatch(/^PQL parse error at line 1, column 180,00\d:/)
  })
})
