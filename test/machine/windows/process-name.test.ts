import { expect, it } from 'vitest'
import { parseProcessName } from '../../../src/machine/windows/process-name.ts'

it.each([
  ['"node.exe","4312","Services","0","52,340 K"\r\n', 4312, 'node.exe'],
  ['"a.exe","12","Console","1","1 K"\r\n"b.exe","1","Console","1","1 K"\r\n', 1, 'b.exe'],
  ['INFO: No tasks are running which match the specified criteria.\r\n', 4312, undefined],
  ['', 4312, undefined],
])('the output %j of tasklist names the process %i: %s', (output, pid, name) => {
  expect(parseProcessName(output, pid)).toBe(name)
})
