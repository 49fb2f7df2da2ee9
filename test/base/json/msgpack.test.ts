import { decode } from '@msgpack/msgpack'
import { describe, expect, it } from 'vitest'
import { formatExactJson, parseJson } from '../../../src/base/json/json-text.ts'
import { decodeMsgpack, encodeMsgpack } from '../../../src/base/json/msgpack.ts'
import { fc } from '../../support/properties.ts'

const items = 1000
const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')
/** Texts without integers of so many digits that 64 bits may not hold them. */
const texts = fc.json().filter((text) => !/(?<![.\d])\d{16,}(?![.\de])/i.test(text))
const many = (size: number) => JSON.stringify(Array.from({ length: size }, (_, at) => at))

describe('MessagePack', () => {
  it.each([
    ['null', 'c0'],
    ['[true,false]', '92 c3 c2'],
    ['[0,127,128,255,256,65536,4294967296]', '97 00 7f cc80 ccff cd0100 ce00010000 cf0000000100000000'],
    ['[-1,-32,-33,-129,-32769,-2147483649]', '96 ff e0 d0df d1ff7f d2ffff7fff d3ffffffff7fffffff'],
    ['[18446744073709551615,-9223372036854775808]', '92 cfffffffffffffffff d38000000000000000'],
    ['[1.0,1.5]', '92 cb3ff0000000000000 cb3ff8000000000000'],
    ['{"b":1,"10":2.0,"__proto__":null}', '83 a162 01 a23130 cb4000000000000000 a9 5f5f70726f746f5f5f c0'],
    ['["a",[],{}]', '93 a161 90 80'],
  ])('%s is %s', (text, hex) => {
    expect(Buffer.from(encodeMsgpack(parseJson(text))).toString('hex')).toBe(hex.replaceAll(' ', ''))
    expect(formatExactJson(decodeMsgpack(bytes(hex), { items }))).toBe(text)
  })

  it.each([
    ['a Float of four bytes', 'ca 3fc00000', '1.5'],
    ['bytes that are text', 'c4 01 61', '"a"'],
    ['an Integer as a key', '81 01 c0', '{"1":null}'],
    ['long text', 'd9 01 61', '"a"'],
    ['short things with long heads', 'df 00000001 db 00000001 61 dd 00000001 dc 0000', '{"a":[[]]}'],
  ])('reads %s', (_, hex, text) => {
    expect(formatExactJson(decodeMsgpack(bytes(hex), { items }))).toBe(text)
  })

  it.each([
    ['nothing', '', 'it is truncated in the value at byte 0'],
    ['an array of four billion', 'dd ffffffff', 'it is truncated in the value at byte 5'],
    ['a map of four billion', 'df ffffffff a161 01', 'it is truncated in the value at byte 5'],
    ['text of four billion bytes', 'db ffffffff 61', 'it is truncated in the value at byte 5'],
    ['bytes of four billion', 'c6 ffffffff 61', 'it is truncated in the value at byte 5'],
    ['a number that is cut short', 'cb 3ff0', 'it is truncated in the value at byte 1'],
    ['a second value', 'c0 c0', 'it has extra data after its end at byte 1'],
    ['a time', 'd6 ff 00000000', 'an extension at byte 1 is not supported'],
    ['an extension of four billion bytes', 'c9 ffffffff 01', 'an extension at byte 1 is not supported'],
    ['what was never given a meaning', 'c1', 'an unknown type at byte 1 is not supported'],
    ['infinity', 'cb 7ff0000000000000', 'Infinity at byte 9 is not supported'],
    ['NaN', 'ca 7fc00000', 'NaN at byte 5 is not supported'],
    ['half a character', 'a1 c3', 'a string that is not UTF-8 at byte 2 is not supported'],
    ['a list as a key', '81 90 01', 'a key that is not a string at byte 2 is not supported'],
    ['null as a key', '81 c0 01', 'a key that is not a string at byte 2 is not supported'],
    ['a Float as a key', '81 cb3ff0000000000000 01', 'a key that is not a string at byte 10 is not supported'],
    ['a key twice', '82 a131 01 01 02', "the key '1' occurs twice"],
    ['levels without end', `${'91'.repeat(5000)}c0`, 'nesting of 101 is too deep'],
    ['more values than are taken', `dc 0400 ${'c0'.repeat(1024)}`, 'it exceeds 1000 values'],
  ])('refuses %s', (_, hex, message) => {
    expect(() => decodeMsgpack(bytes(hex), { items })).toThrow(message)
  })

  it('refuses to write what it has no place for', () => {
    expect(() => encodeMsgpack(2n ** 64n)).toThrow('MessagePack integers have at most 64 bits: 18446744073709551616')
  })

  it.each([15, 16, 65_535, 65_536])('writes lists of %d with a Float in them', (size) => {
    const text = many(size).replace('[0', '[0.0')
    expect(formatExactJson(decodeMsgpack(encodeMsgpack(parseJson(text)), { items: size + 1 }))).toBe(text)
  })

  it('writes Floats among all else as Floats', () => {
    const withFloats = texts.map((text) => text.replaceAll(/(?<=[[,:])(\d+)(?=[\],}])/g, '$1.0'))
    fc.assert(
      fc.property(withFloats, (text) => {
        const data = parseJson(`[${text},{"10":1.0,"2":[${text}]}]`)
        const again = decodeMsgpack(encodeMsgpack(data), { items: 100_000 })
        expect(formatExactJson(again).replaceAll('-0,', '0,')).toBe(formatExactJson(data).replaceAll('-0,', '0,'))
      }),
    )
  })

  it('writes what others read', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const written = encodeMsgpack(parseJson(text))
        if (!text.includes('__proto__'))
          expect(decode(written)).toEqual(JSON.parse(text.replaceAll(/-0(?=[\],}]|$)/g, '0')))
        expect(formatExactJson(decodeMsgpack(written, { items: 100_000 }))).toBe(
          formatExactJson(parseJson(text)).replaceAll('-0,', '0,'),
        )
      }),
    )
  })
})
