import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommandLine } from '../../../../src/cli/program.ts'
import { debianModules } from '../../../support/debian-modules.ts'
import { without } from '../../../support/needs.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const folder = scratchFolder('concat')
const lacking = without("Debian's modules")

async function apply(code: string): Promise<{ status: number; said: string }> {
  let said = ''
  const say = (text: string) => {
    said += text
  }
  const io = { stdin: process.stdin, color: false, out: say, err: say }
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--certname', 'node']
  const words = ['--modulepath', join(folder, 'modules'), '--debug', '--show_diff', '--detailed-exitcodes']
  return { status: await runCommandLine(['apply', ...words, '-e', code, ...places], io), said }
}

describe.skipIf(lacking !== '')(`a file with a fragment that is Sensitive${lacking}`, () => {
  it('is written, and shown nowhere', async () => {
    // Alone: the facts of all modules would take their time.
    mkdirSync(join(folder, 'modules'))
    symlinkSync(join(debianModules, 'concat'), join(folder, 'modules/concat'))
    const path = join(folder, 'secret')
    const code = (secret: string) => `
      concat_file { '${path}': mode => '0600' }
      concat_fragment { 'open': target => '${path}', order => '1', content => "user\\n" }
      concat_fragment { 'closed': target => '${path}', order => '2', content => Sensitive("${secret}\\n") }`
    for (const secret of ['first-of-all', 'second-of-all']) {
      const { status, said } = await apply(code(secret))
      expect([status, readFileSync(path, 'utf8')]).toEqual([2, `user\n${secret}\n`])
      expect(said).toContain(`File[${path}]/`)
      expect(said).not.toContain(secret)
      expect(said).not.toContain('+user')
    }
  })
})
