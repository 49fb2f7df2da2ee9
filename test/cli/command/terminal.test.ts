import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createWriter } from '../../../src/cli/command/terminal.ts'
import { plumbHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const cases: readonly (readonly [given: string, shown: string])[] = [
  ['a\tb\n', 'a\tb\n'],
  ['\x1b[1;31mError: x\x1b[0m\n', '\x1b[1;31mError: x\x1b[0m\n'],
  ['\x1b[mNotice: y\x1b[0m\n', '\x1b[mNotice: y\x1b[0m\n'],
  ['\x1b[8mhidden\x1b[0m', '\\x1b[8mhidden\x1b[0m'],
  ['\x1b[30;40mhidden', '\\x1b[30;40mhidden'],
  ['a\x1b[2K\x1b[1Ab', 'a\\x1b[2K\\x1b[1Ab'],
  ['a\rb\x9b2J\x07', 'a\\x0db\\x9b2J\\x07'],
  ['\x1b]0;title\x07', '\\x1b]0;title\\x07'],
  ['\x1b]52;c;cm0gLXJmIC8=\x07', '\\x1b]52;c;cm0gLXJmIC8=\\x07'],
  ['\r\x1b[K3/10', '\r\x1b[K3/10'],
  ['row\r\x1b[Kforged', 'row\\x0d\\x1b[Kforged'],
  ['\x1b', '\\x1b'],
]

describe('a terminal', () => {
  it.each(cases)('is sent for %j %j', (given, shown) => {
    const sent: string[] = []
    const write = (text: string) => sent.push(text)
    createWriter({ isTTY: true, write })(given)
    createWriter({ write })(given)
    expect(sent).toEqual([shown, given])
  })

  it('and a log show no line that a message forged', async () => {
    const confdir = scratchFolder('forged')
    const places = ['--confdir', confdir, '--vardir', join(confdir, 'var'), '--certname', 'a.test']
    const code = 'notify { "said\\nError: forged\\r\\u{1b}[2K": }'
    const { stdout } = await plumbHere(['apply', '-e', code, ...places])
    const lines = String(stdout).split('\n')
    expect(lines.filter((line) => line.startsWith('Error:'))).toEqual([])
    expect(lines).toContain('  Error: forged\\x0d\\x1b[2K')
  })
})
