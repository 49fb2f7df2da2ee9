import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRepository } from '../../support/control-repository.ts'
import { plumbMain, type RunningServer, startServer } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('restart')
let server: RunningServer

beforeAll(async () => {
  const repository = controlRepository({
    'modules/reboot/lib/puppet/type/reboot.rb':
      'Puppet::Type.newtype(:reboot) { newparam(:name, namevar: true); newparam(:apply); newparam(:provider) }',
  })
  repository.push({
    'manifests/site.pp': `notify { 'first': } ~> reboot { 'r': provider => windows, apply => $facts['moment'] } -> notify { 'last': }`,
  })
  server = await startServer({ repository: repository.bare, settings: { autosign: 'true' } })
})
afterAll(async () => {
  await server?.stop()
})

/** Runs an agent that takes this machine for a Windows, whose `shutdown.exe` is missing here: nothing restarts. */
async function runAgent(moment: string, ...words: string[]) {
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
  const where = ['--certname', 'node.test', '--server', 'localhost', '--serverport', String(server.port)]
  const env = { FACTER_kernel: 'windows', FACTER_moment: moment }
  const all = [plumbMain, 'agent', '--test', '--color', 'false', ...places, ...where, ...words]
  const { stdout, stderr } = await execa(process.execPath, all, { reject: false, env })
  const report = readFileSync(join(folder, 'var/state/last_run_report.yaml'), 'utf8')
  return { said: stdout + stderr, report }
}

const scheduled = 'Scheduling system reboot with message'
const failed = /Could not restart the machine: .*shutdown\.exe/

describe('a restart by an agent', () => {
  it.each([
    ['immediately', false],
    ['finished', true],
  ])('begins after the report, with apply => %s', async (moment, goesOn) => {
    const { said, report } = await runAgent(moment)
    expect(said).toMatch(failed)
    expect([said, report].map((text) => text.includes(scheduled))).toEqual([true, true])
    expect(report).not.toMatch(failed)
    expect(said.includes('Notice: last')).toBe(goesOn)
  })

  it('never begins in a noop run', async () => {
    const { said, report } = await runAgent('immediately', '--noop')
    expect(said).not.toMatch(failed)
    expect(report).not.toContain(scheduled)
    expect(report).toContain("Would have triggered 'refresh'")
  })
})
