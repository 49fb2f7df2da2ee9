import { expect, it } from 'vitest'
import { findKeyLines } from '../../../../src/language/ruby-semantics/yaml/key-lines.ts'

it.each<readonly [text: string, lines: Readonly<Record<string, number>>]>([
  ['---\n# words\na::b: 1\n\n"c d": {e: 1, f: {g: 2}}\n', { 'a::b': 3, 'c d': 5 }],
  ["list:\n- x: 1\n- [y]\nnext:\n  inner: 1\n'last': |\n  no: key\n", { list: 1, next: 4, last: 6 }],
  ['{\n  "a": {"b": 1},\n  "c": [ {"d": 2} ]\n}\n', { a: 2, c: 3 }],
  ['? &anchor long\n: 1\n&other b: 2\n<<: *anchor\n', { long: 1, b: 3, '<<': 4 }],
  ['a: 1\n---\nb: 2\n', { a: 1 }],
  ['- a: 1\n', {}],
  ['__proto__: 1\nconstructor: 2\n', { ['__proto__']: 1, constructor: 2 }],
  ['a: 1\n b: [\n', {}],
  ['', {}],
])('%j', (text, lines) => {
  expect([...findKeyLines(text)]).toEqual(Object.entries(lines))
})
