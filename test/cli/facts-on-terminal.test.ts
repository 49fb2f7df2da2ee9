import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCommandLine } from '../../src/cli/program.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const folder = scratchFolder('facts')

async function facts(terminal: boolean, ...words: string[]): Promise<string> {
  let out = ''
  const add = (text: string) => {
    out += text
  }
  const io = { stdin: process.stdin, err: () => {}, color: false, terminal, out: add }
  await runCommandLine(['facts', '--external-dir', folder, ...words], io)
  return out
}

it('facts from outside move no cursor of a terminal, in their names or values; a pipe gets them as they are', async () => {
  writeFileSync(join(folder, 'hostile.txt'), 'hostile=\u001b[2Jgone\u202e\u009b31m\nna\u001b[1mme=x\n')
  const shown = String.raw`\x1b[2Jgone\u{202e}\x9b31m`
  expect(await facts(true, 'hostile')).toBe(`${shown}\n`)
  for (const format of ['-j', '-y', '--hocon', '--render-as=json'])
    expect(await facts(true, format, 'hostile'), format).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  expect(await facts(true)).toContain(String.raw`na\u001b[1mme => x`)
  expect(await facts(false, 'hostile')).toBe('\u001b[2Jgone\u202e\u009b31m\n')
})
