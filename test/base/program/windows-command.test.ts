import { describe, expect, it } from 'vitest'
import {
  buildBatchLine,
  buildBatchLineOf,
  listProgramPlaces,
  listProgramSplits,
  splitProgram,
} from '../../../src/base/program/windows-command.ts'
import { fc } from '../../support/properties.ts'

describe('the places of a program of Windows', () => {
  it.each<[string, string, string, readonly string[]]>([
    ['a name', 'x', 'C:\\a;D:/b', ['C:/a/x.COM', 'C:/a/x.EXE', 'C:/a/x', 'D:/b/x.COM', 'D:/b/x.EXE', 'D:/b/x']],
    ['a name with an extension', 'x.exe', 'C:/a/../b', ['C:/b/x.exe']],
    ['a path', 'C:\\a\\x.exe', 'C:/b', ['C:\\a\\x.exe']],
    ['a path on a share', '//server/share/x.exe', 'C:/b', ['//server/share/x.exe']],
    ['folders that depend on the current one', 'x.exe', '.;;a;\\a;/a;C:a;\\\\a', []],
    ['a path without a drive', '/bin/sh.exe', 'C:/a', ['C:/a/bin/sh.exe']],
    ['a path of the current folder of a drive', 'C:x.exe', '', []],
    ['no name', '', 'C:/a', []],
  ])('%s', (_, name, path, places) => {
    expect(listProgramPlaces(name, path, '.COM;.EXE;x')).toEqual(places)
  })
})

it.each([
  ['"C:\\a b\\x.exe" "c d"', 'C:\\a b\\x.exe', ' "c d"'],
  ["'x y' z", 'x y', ' z'],
  ['x  y', 'x', '  y'],
  ['"open', '"open', ''],
  ['x\ny z', 'x\ny', ' z'],
])('splits %j after its program', (line, program, rest) => {
  expect(splitProgram(line)).toEqual({ program, rest })
})

it('tries each part of a path without quotes before a space, up to the length of a path', () => {
  expect(listProgramSplits('C:/a b/x y').map(({ program }) => program)).toEqual(['C:/a', 'C:/a b/x', 'C:/a b/x y'])
  expect(listProgramSplits('a b c')).toEqual([{ program: 'a', rest: ' b c' }])
  expect(listProgramSplits(`C:/${' x'.repeat(1e5)}`).length).toBeLessThan(132)
})

it('quotes words for a batch file, and leaves a command line as it is', () => {
  const start = '/e:on /v:off /d /s /c ""C:\\a b\\x.bat"'
  expect(buildBatchLine('C:/a b/x.bat', ['c', 'd e', 'f"g', '%h%', 'i\\ '])).toBe(
    `${start} c "d e" "f""g" "%%cd:~,%h%%cd:~,%" "i\\ ""`,
  )
  expect(buildBatchLineOf('C:/a b/x.bat', splitProgram('x %h% "c'))).toBe(`${start} %h% "c"`)
  expect(buildBatchLine('C:/x.bat', ['a\nb'])).toBeUndefined()
  expect(buildBatchLine('C:/%x%.bat', [])).toBeUndefined()
})

it('splits any line without a loss', () => {
  const line = fc.string({ unit: fc.constantFrom('"', "'", ' ', 'C:/', 'a', '\n') })
  fc.assert(
    fc.property(line, (text) => {
      expect(text.endsWith(splitProgram(text).rest)).toBe(true)
      for (const { program } of listProgramSplits(text)) expect(text).toContain(program)
    }),
  )
})
