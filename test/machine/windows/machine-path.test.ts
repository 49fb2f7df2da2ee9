import { expect, it } from 'vitest'
import { isAbsolutePath, normalizePath, toPathKey } from '../../../src/machine/windows/machine-path.ts'

it.each([
  ['C:/foo', true],
  ['c:\\foo', true],
  ['\\\\server\\share', true],
  ['//server/share/x', true],
  ['\\\\?\\C:\\foo', true],
  ['/foo', false],
  ['\\foo', false],
  ['C:foo', false],
  ['C:', false],
  ['foo', false],
  ['//server', false],
])('%s is absolute on Windows: %s', (path, expected) => {
  expect(isAbsolutePath(path, true)).toBe(expected)
})

it.each([
  ['/foo', true],
  ['C:/foo', false],
  ['//server/share', true],
])('%s is absolute on Unix: %s', (path, expected) => {
  expect(isAbsolutePath(path, false)).toBe(expected)
})

it.each([
  ['C:\\foo\\..\\bar\\', 'C:/bar'],
  ['C:/', 'C:/'],
  ['C:/..', 'C:/'],
  ['\\\\server\\share\\..\\x', '//server/share/x'],
  ['//server/share', '//server/share'],
  ['C:/a//b/./c', 'C:/a/b/c'],
])('%s is written %s on Windows', (path, expected) => {
  expect(normalizePath(path, true)).toBe(expected)
})

it('the same file of Windows has the same key', () => {
  expect(toPathKey('C:\\Foo\\BAR', true)).toBe(toPathKey('c:/foo/bar/', true))
  expect(toPathKey('/Foo', false)).not.toBe(toPathKey('/foo', false))
})
