import { describe, expect, it } from 'vitest'
import {
  createExactFloat,
  createExactObject,
  type ExactJson,
  parseExactInteger,
} from '../../../src/base/json/exact-json.ts'
import { formatExactJson, parseJson } from '../../../src/base/json/json-text.ts'
import { fc } from '../../support/properties.ts'

const floats = fc.double({ noDefaultInfinity: true, noNaN: true }).map(createExactFloat)
const integers = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map((value) => parseExactInteger(String(value)))
const keys = fc.oneof(fc.string({ unit: 'binary' }), fc.nat().map(String), fc.constant('__proto__'))
const { data } = fc.letrec<{ data: ExactJson }>((tie) => ({
  data: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(null, true, false, 0),
    fc.string({ unit: 'binary' }),
    floats,
    integers,
    fc.array(tie('data')),
    fc.array(fc.tuple(keys, tie('data'))).map(createExactObject),
  ),
}))

/** `toEqual` does not look at the order of keys. */
const inOrder = (json: ExactJson): unknown => {
  if (json instanceof Number) return ['Float', json.valueOf()]
  if (json instanceof Map) return ['Object', ...[...json].map(([key, value]) => [key, inOrder(value)])]
  if (Array.isArray(json)) return ['Array', ...json.map(inOrder)]
  if (typeof json !== 'object' || json === null) return json
  return ['Object', ...Object.entries(json).map(([key, value]) => [key, inOrder(value)])]
}

describe('JSON text', () => {
  const texts = [
    '[1.0,-0.0,1,0.5,1.5e-07,1.0e+20,1.5e+300]',
    '[9007199254740991,9007199254740992,1152921504606846976,-12345678901234567890]',
    '{"10":1,"9":{"b":1,"1":[],"a":{}},"__proto__":null}',
    '{"\\u0000\\ud800\\"":"\\\\","":"[1.0"}',
    '[[],{},[[]],"",null,true,false]',
  ]
  it.each(texts)('%s stays as it is', (text) => {
    expect(formatExactJson(parseJson(text))).toBe(text)
  })

  it.each([
    ['1e3', '1000.0'],
    ['1E3', '1000.0'],
    ['12e-1', '1.2'],
    ['12345678901234567.5', '1.2345678901234568e+16'],
    [' { "b" : [ 1.0 , 2 ] ,\r\n\t"1" : { } } ', '{"b":[1.0,2],"1":{}}'],
    ['{"b":1,"\\u0031":2}', '{"b":1,"1":2}'],
    ['{"b":1,"1":2,"b":3.0}', '{"b":3.0,"1":2}'],
    ['"\\\\\\" 1.0"', '"\\\\\\" 1.0"'],
  ])('%s is %s', (text, shown) => {
    expect(formatExactJson(parseJson(text))).toBe(shown)
  })

  it.each(['', '[1.0', '[1.0,]', '{"1":}', '01.0', "{'1':2}", '[1.0] x', 'NaN'])('refuses %s', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError)
  })

  it('says what it is given', () => {
    fc.assert(
      fc.property(data, (json) => void expect(inOrder(parseJson(formatExactJson(json)))).toEqual(inOrder(json))),
    )
  })

  it('tells Floats from Integers, whatever their digits', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,20})$/)
    const fractions = fc.oneof(fc.stringMatching(/^\d{1,20}$/), fc.stringMatching(/^9{1,20}$/))
    fc.assert(fc.property(digits, (text) => void expect(BigInt(parseJson(text) as number)).toBe(BigInt(text))))
    fc.assert(
      fc.property(digits, fractions, (whole, fraction) => {
        const value = parseJson(`[${whole}.${fraction}]`) as readonly ExactJson[]
        expect(value).toEqual([createExactFloat(Number(`${whole}.${fraction}`))])
      }),
      {
        examples: [
          ['0', '99999999999999999999'],
          ['1234567890123', '99999'],
          ['4503599627370497', '99'],
        ],
      },
    )
  })

  it('is what JSON.stringify writes, where that loses nothing', () => {
    const plain = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)))
    const exact = plain.filter((value) => !/\d(?:\.0|e)|[^\d][-]?\d{16}|"\d+":/.test(JSON.stringify(value)))
    fc.assert(fc.property(exact, (value) => void expect(formatExactJson(value, 0)).toBe(JSON.stringify(value))))
    fc.assert(
      fc.property(exact, (value) => void expect(formatExactJson(value, 2)).toBe(JSON.stringify(value, null, 2))),
    )
  })

  it('reads what JSON.parse reads', () => {
    fc.assert(fc.property(fc.json(), (text) => void expect(rounded(parseJson(text))).toEqual(JSON.parse(text))))
  })

  it.each([Number.POSITIVE_INFINITY, Number.NaN])('does not write %s', (value) => {
    expect(() => formatExactJson([value])).toThrow('not allowed in JSON')
  })

  it('leaves out what is undefined', () => {
    expect(formatExactJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}')
  })
})

/** What a reader in JavaScript would make of it. */
function rounded(json: ExactJson): unknown {
  if (json instanceof Number || typeof json === 'bigint') return Number(json)
  if (json instanceof Map) return Object.fromEntries([...json].map(([key, value]) => [key, rounded(value)]))
  if (Array.isArray(json)) return json.map(rounded)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, rounded(value as ExactJson)]))
}
