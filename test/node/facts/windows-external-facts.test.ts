import { expect, it } from 'vitest'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import type { CommandOptions, CommandResult, System } from '../../../src/machine/system/system.ts'
import { readExternalFacts } from '../../../src/node/facts/external.ts'

const file = { kind: 'file', mode: 0o644, uid: 0, gid: 0, size: 1, accessed: 0, modified: 0, changed: 0 } as const

interface Started {
  readonly command: readonly string[]
  readonly variable: string | undefined
}

/** The facts of a folder on Windows with these programs, by what each prints; and the programs that ran. */
async function readOnWindows(programs: Readonly<Record<string, Partial<CommandResult>>>) {
  const started: Started[] = []
  const messages: string[] = []
  const run = async (command: readonly string[], { env = {} }: CommandOptions = {}): Promise<CommandResult> => {
    const variable = env['PLUMB_FACT_FILE']
    started.push({ command, variable })
    const name = Object.keys(programs).find((each) => `${variable} ${command.join(' ')}`.includes(each))
    return { status: 0, stdout: '', stderr: '', output: '', timedOut: false, ...programs[name ?? ''] }
  }
  const files = { ...localSystem.files, list: async () => Object.keys(programs), stat: async () => file }
  const system: System = { ...localSystem, files, commands: { find: expect.fail, run } }
  const found = await readExternalFacts(system, {
    directories: ['C:/ProgramData/PuppetLabs/facter/facts.d'],
    blocked: [],
    log: (level, message) => messages.push(`${level}: ${message}`),
    onWindows: true,
  })
  return { facts: Object.fromEntries(found.map(({ name, value }) => [name, value])), started, messages }
}

const system32 = String.raw`C:\Windows\System32`
const folder = String.raw`C:\ProgramData\PuppetLabs\facter\facts.d`

it('runs programs, batch files and scripts of PowerShell, each by its extension', async () => {
  const { facts, started, messages } = await readOnWindows({
    'a.exe': { stdout: 'exe=1\r\n' },
    'b.COM': { stdout: '{"com": [1]}' },
    'c & %OS% (x)^!.bat': { stdout: 'bat=a b \r\n\r\n' },
    'd.cmd': { stdout: 'cmd: yaml\r\n' },
    'e.ps1': { stdout: 'ps1=three\r\n', stderr: 'careful\r\n' },
    'f.sh': { stdout: 'sh=1' },
    g: { stdout: 'none=1' },
  })
  expect(facts).toEqual({ exe: '1', com: [1], bat: 'a b', cmd: 'yaml', ps1: 'three' })
  const cmd = [`${system32}\\cmd.exe`, '/d', '/e:on', '/v:off', '/c', '%PLUMB_FACT_FILE%']
  const powershell = `${system32}\\WindowsPowerShell\\v1.0\\powershell.exe`
  const options = ['-NoProfile', '-NonInteractive', '-NoLogo', '-ExecutionPolicy', 'Bypass', '-File']
  const script = 'C:/ProgramData/PuppetLabs/facter/facts.d/e.ps1'
  expect(started.toReversed()).toEqual([
    { command: [`${folder}\\a.exe`], variable: undefined },
    { command: [`${folder}\\b.COM`], variable: undefined },
    { command: cmd, variable: `"${folder}\\c & %OS% (x)^!.bat"` },
    { command: cmd, variable: `"${folder}\\d.cmd"` },
    { command: [powershell, ...options, script], variable: undefined },
  ])
  expect(messages).toEqual([
    `warn: Command "${powershell}" ${options.join(' ')} "${script}" completed with the following stderr message: careful`,
  ])
})

it('reports a script that prints bytes of a code page', async () => {
  const { facts, messages } = await readOnWindows({ 'a.ps1': { stdout: 'a=\udcff' }, 'b.bat': { stdout: 'b=1' } })
  expect(facts).toEqual({ b: '1' })
  const file = 'C:/ProgramData/PuppetLabs/facter/facts.d/a.ps1'
  const parser = 'LegacyFacter::Util::Parser::PowershellParser'
  expect(messages).toEqual([`error: Failed to handle ${file} as ${parser} facts: invalid byte sequence in UTF-8`])
})
