import { expect, it } from 'vitest'
import { parseField } from '../../../src/store/query/field-path.ts'

it.each([
  ['facts.a.b', ['a', 'b']],
  ['facts."a.b".c', ['a.b', 'c']],
  ['facts."a"".c', ['a"', 'c']],
  ['facts."a"b".c', ['a"b', 'c']],
  ['facts."a', ['"a']],
])('the path %s has the names %j', (text, names) => {
  const { top, path } = parseField(text)
  expect([top, path.map((part) => (part.kind === 'match' ? part : part.name))]).toEqual(['facts', names])
})
