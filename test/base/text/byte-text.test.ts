import { describe, expect, it } from 'vitest'
import {
  decodeLosslessUtf8,
  encodeLosslessUtf8,
  toLoggableText,
  toUnicodeText,
} from '../../../src/base/text/byte-text.ts'

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')

describe('text of bytes', () => {
  it.each([
    ['', ''],
    ['61', 'a'],
    ['c3 a4 e2 82 ac f0 9f 98 80', 'ä€😀'],
    ['ef bb bf 61', '\ufeffa'],
    ['ff', '\udcff'],
    ['61 80 62', 'a\udc80b'],
    ['e2 82', '\udce2\udc82'],
    ['e2 82 61', '\udce2\udc82a'],
    ['c0 80', '\udcc0\udc80'],
    ['ed b2 80', '\udced\udcb2\udc80'],
    ['f4 90 80 80', '\udcf4\udc90\udc80\udc80'],
    ['f0 9f 98 80 ff', '😀\udcff'],
    ['ff f0 9f 98 80', '\udcff😀'],
  ])('%s is %j, and the bytes again', (hex, text) => {
    expect(decodeLosslessUtf8(bytes(hex))).toBe(text)
    expect(encodeLosslessUtf8(text).toString('hex')).toBe(hex.replaceAll(' ', ''))
  })

  it('loses none of many bytes', () => {
    let seed = 1
    const next = () => {
      seed = (seed * 48271) % 2147483647
      return seed >> 8
    }
    for (let round = 0; round < 2000; round++) {
      const given = Buffer.concat([Buffer.from(Array.from({ length: next() % 40 }, next)), Buffer.from('ä€😀')])
      expect(encodeLosslessUtf8(decodeLosslessUtf8(given)).equals(given)).toBe(true)
    }
  })

  it.each([
    ['\udce2' + '\udc82\udcac', '€'],
    ['a\udcff', undefined],
    ['ä', 'ä'],
  ])('%j is the Unicode text %j', (text, unicode) => {
    expect(toUnicodeText(text)).toBe(unicode)
  })
})

describe('a message for a log', () => {
  // As `String#dump` of Ruby 3.1 writes each.
  it.each([
    ['ä "plain"', 'ä "plain"'],
    ['0\udc82\x01\udcffok', 'Received a Log attribute with invalid encoding:"0\\x82\\x01\\xFFok"'],
    [
      'ä😀"\\#{x}\n\t\x7f\x1b\udcff',
      'Received a Log attribute with invalid encoding:"\\u00E4\\u{1F600}\\"\\\\\\#{x}\\n\\t\\x7F\\e\\xFF"',
    ],
  ])('%j is %s', (message, shown) => {
    expect(toLoggableText(message)).toBe(shown)
  })
})
