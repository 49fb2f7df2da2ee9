import { expect, it } from 'vitest'
import { toPrintable, toPrintableJson, toPrintableLines } from '../../../src/base/text/printable.ts'

const cases: readonly (readonly [given: string, shown: string])[] = [
  ['web1.example.com', 'web1.example.com'],
  ['Köln, 日本, 🐘', 'Köln, 日本, 🐘'],
  ['C:\\temp', 'C:\\temp'],
  ['a\x1b[2Kb', 'a\\x1b[2Kb'],
  ['a\nb\r\tc', 'a\\x0ab\\x0d\\x09c'],
  ['\x9b31m\x7f', '\\x9b31m\\x7f'],
  ['txt.exe\u202e', 'txt.exe\\u{202e}'],
  ['a\u2028b\u200bc', 'a\\u{2028}b\\u{200b}c'],
  ['\ud800x\udc00', '\\u{d800}x\\u{dc00}'],
]

it.each(cases)('%j is shown as %j', (given, shown) => {
  expect(toPrintable(given)).toBe(shown)
})

it.each([
  ['one', 'one'],
  ['a\nError: forged\n', 'a\n  Error: forged\n'],
  ['a\r\nb\x1b[2K\tc\n\nd', 'a\\x0d\n  b\\x1b[2K\tc\n\n  d'],
  ['a\u2028Error: b', 'a\\u{2028}Error: b'],
])('%j is shown in lines as %j', (given, shown) => {
  expect(toPrintableLines(given)).toBe(shown)
})

it('a line of JSON means the same, and holds nothing that a terminal obeys', () => {
  const text = cases.map(([given]) => given).join()
  const line = toPrintableJson(`${JSON.stringify({ text })}\n`)
  expect(JSON.parse(line)).toEqual({ text })
  expect(toPrintable(line.trimEnd())).toBe(line.trimEnd())
})
