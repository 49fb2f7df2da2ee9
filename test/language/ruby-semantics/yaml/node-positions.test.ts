import { expect, it } from 'vitest'
import { readNodeMarks } from '../../../../src/language/ruby-semantics/yaml/node-positions.ts'

it.each<readonly [text: string, depth: number, marks: Readonly<Record<string, string>>]>([
  [
    'a:\n  b: 1\n  c:\n    - x\n    - {d: e}\n',
    9,
    { a: '1:1', 'a b': '2:3', 'a c': '3:3', 'a c 0': '4:5', 'a c 1': '5:5', 'a c 1 d': '5:8' },
  ],
  [
    'a:\n- x: 1\n  y: 2\n- z\nb: 3\n',
    9,
    { a: '1:1', 'a 0': '2:1', 'a 0 x': '2:3', 'a 0 y': '3:3', 'a 1': '4:1', b: '5:1' },
  ],
  [
    '{a: [x, [y, z], {b: c}]}',
    9,
    { a: '1:2', 'a 0': '1:6', 'a 1': '1:9', 'a 1 0': '1:10', 'a 1 1': '1:13', 'a 2': '1:17', 'a 2 b': '1:18' },
  ],
  ['a:\n  b:\n    c: 1\n', 2, { a: '1:1', 'a b': '2:3' }],
  ['? [x]\n: {y: 1}\nb: 2\n', 9, { b: '3:1' }],
  ['a: 1\n--- \nb: 1\n', 9, { a: '1:1' }],
  ['a: [b: c, d]\n', 9, { a: '1:1', 'a 0': '1:5', 'a 1': '1:11' }],
  ['a: 1\n b: [\n', 9, {}],
  ['""#\n  - {}}\n  -', 9, { '0': '2:3' }],
])('%j to depth %d', (text, depth, marks) => {
  const found = Array.from(readNodeMarks(text, depth), ([name, { mark }]) => [
    name.replaceAll('\n', ' '),
    `${mark.line + 1}:${mark.column + 1}`,
  ])
  expect(Object.fromEntries(found)).toEqual(marks)
})
