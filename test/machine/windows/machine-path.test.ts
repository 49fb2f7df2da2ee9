import { expect, it } from 'vitest'
import {
  getParentPath,
  isAbsolutePath,
  listParentPaths,
  normalizePath,
  resolveLinkTarget,
  toPathKey,
} from '../../../src/machine/windows/machine-path.ts'
import { getLocalSourcePath, toFileUrl } from '../../../src/machine/windows/source-path.ts'

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

it.each([
  ['C:/a/b', true, ['C:/a', 'C:/']],
  ['C:/', true, []],
  ['//server/share/a/b', true, ['//server/share/a', '//server/share']],
  ['//server/share', true, []],
  ['/a/b', false, ['/a', '/']],
  ['/', false, []],
])('lists the folders above %s', (path, onWindows, expected) => {
  expect(listParentPaths(path, onWindows)).toEqual(expected)
  expect(getParentPath(path, onWindows)).toBe(expected[0] ?? path)
})

it.each([
  ['C:/a/link', 'b/c', 'C:/a/b/c'],
  ['C:/a/link', '..\\b', 'C:/b'],
  ['C:/a/link', 'D:\\b\\', 'D:/b'],
  ['//server/share/link', '../b', '//server/share/b'],
])('resolves the link %s to %s', (link, target, expected) => {
  expect(resolveLinkTarget(link, target, true)).toBe(expected)
})

it.each([
  ['C:\\a\\b\\', 'file:///C:/a/b', 'C:/a/b'],
  ['C:/a b#c', 'file:///C:/a b#c', 'C:/a b#c'],
  ['//server/share/x', 'file://server/share/x', '//server/share/x'],
])('converts %s to a URL and back', (path, url, back) => {
  expect(toFileUrl(path, true)).toBe(url)
  expect(getLocalSourcePath(url, true)).toBe(back)
})

it('keeps paths of other systems as sources', () => {
  expect(toFileUrl('/a/', false)).toBe('file:///a')
  expect(toFileUrl('/a', true)).toBeUndefined()
  expect(getLocalSourcePath('file:///a/../b', false)).toBe('/b')
})
