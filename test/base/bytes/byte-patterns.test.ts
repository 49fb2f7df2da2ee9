import { expect, it } from 'vitest'
import { BytePatterns } from '../../../src/base/bytes/byte-patterns.ts'
import { fc } from '../../support/properties.ts'

/** The patterns found in a text that arrives in parts of a size. */
function search(patterns: readonly Buffer[], text: Buffer, size: number): number[] {
  const started = new BytePatterns(patterns).start()
  for (let at = 0; at < text.length; at += size) started.feed(text.subarray(at, at + size))
  return [...started.found].sort((a, b) => a - b)
}

/** The patterns found by a search for each of them. */
const searchEach = (patterns: readonly Buffer[], text: Buffer): number[] =>
  patterns.flatMap((pattern, index) => (text.includes(pattern) ? [index] : []))

it.each([
  ['a prefix of another', ['hunter', 'hunter2000'], 'a hunter2000', [0, 1]],
  ['only the prefix', ['hunter', 'hunter2000'], 'a hunter200', [0]],
  ['a suffix of another', ['hunter2000', 'er2000'], 'hunter2000', [0, 1]],
  ['in the middle of another', ['xabcabcy', 'abcabc', 'bcab'], 'xabcabcy', [0, 1, 2]],
  ['after a false start', ['ababac'], 'abababac', [0]],
  ['one after the other', ['first.', 'second'], 'first.second', [0, 1]],
  ['in too short a text', ['abcdef'], 'abcde', []],
  ['in no text', ['abcdef'], '', []],
])('finds patterns: %s', (_, patterns, text, expected) => {
  const bytes = patterns.map((pattern) => Buffer.from(pattern))
  for (let size = 1; size <= text.length + 1; size++) expect(search(bytes, Buffer.from(text), size)).toEqual(expected)
})

it('finds each of many equal texts once, in linear time', () => {
  const patterns = Array.from({ length: 500 }, (_, index) => Buffer.alloc(index + 3, 'a'))
  expect(search(patterns, Buffer.alloc(4_000_000, 'a'), 65_536)).toHaveLength(500)
})

it('finds nothing without patterns', () => {
  expect(search([], Buffer.from('text'), 2)).toEqual([])
})

const alphabets = ['ab', 'abc\0', 'abcdefghijklmnopqrstuvwxyz'] as const

it.each(alphabets)('finds what a search for each pattern finds, in texts of %j', (alphabet) => {
  const bytes = (range: { minLength: number; maxLength: number }) =>
    fc.array(fc.constantFrom(...alphabet), range).map((letters) => Buffer.from(letters.join('')))
  const cases = fc
    .record({
      given: fc.array(bytes({ minLength: 3, maxLength: 12 }), { minLength: 1, maxLength: 20 }),
      pieces: fc.array(fc.oneof(bytes({ minLength: 0, maxLength: 30 }), fc.nat()), { maxLength: 20 }),
      size: fc.integer({ min: 1, max: 40 }),
    })
    .map(({ given, pieces, size }) => {
      const patterns = [...new Set(given.map(String))].map((pattern) => Buffer.from(pattern))
      // Numbers stand for patterns, whole or without their last byte.
      const place = (piece: Buffer | number) => {
        if (typeof piece !== 'number') return piece
        const pattern = patterns[piece % patterns.length]!
        return piece % 3 === 0 ? pattern.subarray(0, -1) : pattern
      }
      return { patterns, text: Buffer.concat(pieces.map(place)), size }
    })
  fc.assert(
    fc.property(cases, ({ patterns, text, size }) => {
      expect(search(patterns, text, size)).toEqual(searchEach(patterns, text))
    }),
    { numRuns: 500 },
  )
})
