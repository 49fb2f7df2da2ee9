import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { fileTexts } from '../../support/file-texts.ts'
import { recordedRuns } from '../../support/puppet-runs.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const modules = resolve(import.meta.dirname, '../../fixtures/faces')
const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')
const folder = scratchFolder('module-commands')
// The same path wherever the tests are.
const linked = join(folder, 'modules')
symlinkSync(modules, linked)
const places = (name: string) => ['--confdir', join(folder, name, 'etc'), '--vardir', join(folder, name, 'var')]
const given = ['--modulepath', linked, '--color=false']

const lines = [
  'garden',
  'garden plants south --caps --sort-by x',
  'garden plants nowhere',
  'garden plants',
  'garden count',
  'garden leave',
  'garden quiet',
  'garden need',
  'garden need --tool fork',
  'garden more',
  'garden list --render-as json',
  'garden list --render-as yaml',
  'garden list --season winter --render-as s',
  'garden list --nosuch',
  'garden nosuch',
  'garden list extra',
  'shed --door x a b',
  'shed dark --light',
  'ocsp verify a',
  'ocsp verify a b --render-as json',
  'ocsp verify a b c d',
  'ocsp verify a b --most 1',
  'ocsp verify a --terminus rest',
  'ocsp verify a --terminus nowhere',
  'ocsp plain',
  'ocsp plain --render-as s',
  'ocsp find nobody',
  'ocsp find x --render-as s',
  'ocsp search x',
  'ocsp destroy x',
  'ocsp info',
  'ocsp fingerprint',
  'ocsp wrap',
  'ocsp generate',
  ...`memory plain yaml json facter key instance terminus cache path metadata content catalog face version missing`
    .split(' ')
    .map((step) => `ocsp models ${step}`),
  'halting x',
  'faceless',
]

describe('a command of a module', () => {
  const commands = lines.map((line) => [line, [...line.split(' '), ...given, ...places('theirs')]] as const)
  let real: ReturnType<typeof recordedRuns>
  beforeAll(() => {
    real = recordedRuns(puppet, Object.fromEntries(commands), fileTexts(modules))
  }, 120_000)

  it.each(lines)('prints and answers what it does with real Puppet: %s', async (line) => {
    const { status, out, err } = await runHere([...line.split(' '), ...given, ...places('ours')])
    const { exitCode, stdout, stderr } = real[line]!
    expect([status, out, err]).toEqual([exitCode, stdout, stderr])
  })

  it('is found among the plug-ins that were fetched, and says what it is for', async () => {
    const own = places('fetched')
    const conf = join(folder, 'fetched/etc')
    mkdirSync(conf, { recursive: true })
    cpSync(join(modules, 'garden/lib'), join(folder, 'fetched/var/lib'), { recursive: true })
    expect((await runHere(['garden', 'count', ...own])).out).toBe('2\n')
    const help = await runHere(['help', 'garden', ...own])
    expect([help.status, help.out]).toEqual([0, expect.stringContaining('USAGE: puppet garden <action>')])
    expect(help.out).toMatch(/ACTIONS:\n {2}count +Counts\.\n[\s\S]* {2}plants +The plants of a bed\.\n/)
    const ofAction = await runHere(['garden', 'plants', '--help', ...own])
    expect(ofAction.out).toContain('USAGE: puppet garden plants [options] <bed>')
  })

  it('is listed by help, and one that cannot be loaded is not', async () => {
    writeFileSync(join(folder, 'fetched/var/lib/puppet/application/broken.rb'), 'raise "no"')
    const { status, out, err } = await runHere(['help', ...places('fetched')])
    expect([status, err]).toEqual([0, ''])
    expect(out).toContain('\nCommands of modules:\n  garden  Looks after beds and plants.\n  shed    Opens the shed.\n')
  })

  it('never stands in for one of ours', async () => {
    const lib = join(folder, 'shadow/var/lib/puppet/application')
    mkdirSync(lib, { recursive: true })
    writeFileSync(join(lib, 'config.rb'), 'raise "theirs"')
    expect((await runHere(['config', 'print', 'noop', ...places('shadow')])).out).toBe('false\n')
  })
})
