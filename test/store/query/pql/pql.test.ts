import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { ExactJson } from '../../../../src/base/exact-json.ts'
import { parseJson, printJson } from '../../../../src/base/json-text.ts'
import { parsePql } from '../../../../src/store/query/pql/parser.ts'
import { realPql } from './oracle.js'
import { pqlQueries } from './queries.js'
import { randomPql } from './random.js'

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

  it.skipIf(process.env['CI_NIGHTLY'] === undefined)('is what a real PuppetDB makes of it now', () => {
    const seed = Date.now() % 1_000_000
    const texts = [...pqlQueries, ...randomPql(seed, 3000)]
    expect(texts.map(outcome), `random texts of seed ${seed}`).toEqual(realPql(texts).map(canonical))
  })
})

/** The tree, or the message, as text. */
function outcome(text: string): string {
  try {
    return printJson(parsePql(text))
  } catch (error) {
    return (error as Error).message
  }
}

function canonical(line: string): string {
  const { ast, error, failure } = parseJson(line) as { readonly ast?: ExactJson; error?: string; failure?: string }
  return ast === undefined ? String(error ?? failure) : printJson(ast)
}
