import { expect, it } from 'vitest'
import { requireFileName } from '../../../src/machine/windows/file-names.ts'
import { renameFile } from '../../../src/machine/windows/file-retries.ts'

it.each([
  'C:/x/a.txt',
  'c:\\x\\con-figuration',
  'C:/x/nulls',
  'C:/x/com10',
  'C:/x/console.log',
  '//server/share/a',
  '//?/C:/x/a',
  'C:/x/.hidden',
  'C:/x/../y',
])('accepts %s', (path) => {
  requireFileName(path, true)
})

it.each([
  ['C:/x/NUL', 'NUL is the name of a device'],
  ['C:/x/nul.txt', 'nul.txt is the name of a device'],
  ['C:/x/NUL .txt', 'NUL .txt is the name of a device'],
  ['C:/aux/a', 'aux is the name of a device'],
  ['C:/x/COM1', 'COM1 is the name of a device'],
  ['C:/x/lpt²', 'lpt² is the name of a device'],
  ['C:/x/CONIN$', 'CONIN$ is the name of a device'],
  ['C:\\x\\a.txt:stream', 'a.txt:stream is a stream of a file'],
  ['C:/x/a.', "Windows removes the last character of 'a.'"],
  ['C:/x /a', "Windows removes the last character of 'x '"],
  ['C:/x/a?', "'a?' contains a character that no file name may contain"],
  ['C:/x/a\n', 'contains a character that no file name may contain'],
  ['//./COM1', 'it is the path of a device'],
  ['\\\\.\\PhysicalDrive0', 'it is the path of a device'],
])('rejects %s', (path, why) => {
  expect(() => requireFileName(path, true)).toThrow(why)
})

it('accepts every name on other systems', () => {
  requireFileName('/x/NUL', false)
})

it('repeats no rename that fails for another reason', async () => {
  await expect(renameFile('/nonexistent/a', '/nonexistent/b', [600_000])).rejects.toThrow('ENOENT')
})
