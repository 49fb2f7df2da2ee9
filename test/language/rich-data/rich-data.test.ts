import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ExactJson } from '../../../src/base/json/exact-json.ts'
import { formatExactJson, parseJson } from '../../../src/base/json/json-text.ts'
import { readRichData, toRichData } from '../../../src/language/rich-data/rich-data.ts'
import { parseType } from '../../../src/language/types/from-code/type-parser.ts'
import { Hash } from '../../../src/language/values/hash.ts'
import { isSameKey } from '../../../src/language/values/hash-key.ts'
import { fc } from '../../support/properties.ts'
import { evaluateLiteral } from '../types/evaluate-literal.ts'
import { values } from '../values/arbitrary.ts'

const cases = readFileSync(join(import.meta.dirname, 'rich-data.cases'), 'utf8')
  .split('\n')
  .filter((line) => !line.startsWith('#') && line.includes(' ==> '))
  .map((line) => line.split(' ==> ') as [string, string])

describe('rich data', () => {
  it.each(cases)('%s', (code, json) => {
    expect(formatExactJson(toRichData(evaluateLiteral(code)))).toBe(json)
  })

  // A Boolean's and a Sensitive's parameters do not travel, in Puppet either.
  const round = cases.filter(([code]) => !/^(Boolean|Sensitive)\[/.test(code))
  it.each(round)('%s comes back', (code, json) => {
    expect(formatExactJson(toRichData(readRichData(parseJson(json))))).toBe(json)
    expect(isSameKey(readRichData(parseJson(json)), evaluateLiteral(code))).toBe(true)
  })

  it('names references', () => {
    const value = [parseType("Class['a::b']"), parseType("Resource['file', '/x']")]
    expect(toRichData(value)).toEqual(['Class[A::B]', 'File[/x]'])
  })

  it('brings every value back', () => {
    fc.assert(
      fc.property(values, (value) => isSameKey(readRichData(parseJson(formatExactJson(toRichData(value)))), value)),
    )
  })

  it('keeps what it does not know as it is', () => {
    expect(readRichData({ __ptype: 'Nosuch', a: 1 })).toEqual(Hash.from({ __ptype: 'Nosuch', a: 1 }))
  })
})

describe('without rich data', () => {
  const told: string[] = []
  const options = {
    richData: false,
    path: 'File[/x]',
    warn: ({ message }: { message: string }) => void told.push(message),
  }

  it('turns what JSON does not know into strings, and says so', () => {
    const value = evaluateLiteral("{a => default, b => [/x/], 1 => 'c'}")
    expect(toRichData(value, options)).toEqual(
      new Map<string, ExactJson>(Object.entries({ a: 'default', b: ['/x/'], '1': 'c' })),
    )
    expect(told).toEqual([
      "File[/x]['a'] contains the special value default. It will be converted to the String 'default'",
      "File[/x]['b'][0] contains a Regexp value. It will be converted to the String '/x/'",
      "File[/x] contains a hash with an Integer key. It will be converted to the String '1'",
    ])
  })

  it('is an error where nobody is told', () => {
    expect(() => toRichData(evaluateLiteral('[/x/]'), { richData: false, path: 'x' })).toThrow(
      "x[0] contains a Regexp value. It will be converted to the String '/x/'",
    )
  })
})
