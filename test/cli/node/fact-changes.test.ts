import { expect, it } from 'vitest'
import { formatChanges, isVolatilePath, listChangedPaths } from '../../../src/cli/node/fact-changes.ts'

const os = (minor: string) => ({ name: 'Debian', release: { major: '12', minor } })

it('finds the innermost paths that differ', () => {
  expect(listChangedPaths('os', os('5'), os('6'))).toEqual([{ path: 'os.release.minor', before: '5', after: '6' }])
  expect(listChangedPaths('os', os('5'), os('5'))).toEqual([])
  expect(listChangedPaths('list', [1, 2], [1, 3])).toEqual([{ path: 'list', before: [1, 2], after: [1, 3] }])
  expect(listChangedPaths('gone', { a: 1 }, undefined)).toEqual([{ path: 'gone', before: { a: 1 }, after: undefined }])
  expect(listChangedPaths('new', undefined, null)).toEqual([{ path: 'new', before: undefined, after: null }])
})

it.each([
  ['load_averages.1m', true],
  ['system_uptime.seconds', true],
  ['memory.system.used_bytes', true],
  ['memory.system.total_bytes', false],
  ['mountpoints./var.d/x.capacity', true],
  ['mountpoints./.options', false],
  ['kernelrelease', false],
  ['networking.used', false],
])('%s differs in each run: %s', (path, expected) => {
  expect(isVolatilePath(path)).toBe(expected)
})

it('counts facts, names paths, and prints values where they are wanted', () => {
  const paths = [...listChangedPaths('os', os('5'), os('6')), ...listChangedPaths('kernel', 'a', 'b')]
  expect(formatChanges(paths, 97, { values: false })).toBe('2 of 97 changed: os.release.minor, kernel')
  expect(formatChanges(paths, 97, { values: true })).toBe(
    '2 of 97 changed: os.release.minor: "5" => "6", kernel: "a" => "b"',
  )
  const many = Array.from({ length: 14 }, (_, at) => ({ path: `a.${at}`, before: 1, after: 2 }))
  expect(formatChanges(many, 97, { values: false })).toMatch(/^1 of 97 changed: a\.0, .* and 4 more$/)
})
