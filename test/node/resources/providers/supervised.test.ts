import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { localSystem } from '../../../../src/machine/system/local-system.ts'
import { createRootedSystem } from '../../../../src/machine/system/rooted-system.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'
import { recordingSystem } from '../recording-system.ts'
import { saysOf } from '../says-of.ts'

it('links daemons of runit where they are to run, and takes the links away', async () => {
  const root = scratchFolder('supervised')
  for (const name of ['new', 'up', 'off', 'down', 'odd']) {
    mkdirSync(join(root, 'etc/sv', name), { recursive: true })
    writeFileSync(join(root, 'etc/sv', name, 'run'), '')
  }
  mkdirSync(join(root, 'etc/service'))
  for (const name of ['up', 'off', 'down', 'odd']) symlinkSync(`/etc/sv/${name}`, join(root, 'etc/service', name))
  const { commands, commandsRun } = recordingSystem(
    {},
    {
      'sv status /etc/sv/up': { output: 'run: /etc/sv/up: (pid 1) 5s\n' },
      'sv status /etc/sv/down': { output: 'run: /etc/sv/down: (pid 2) 5s\n' },
      'sv status /etc/sv/odd': { status: 1, output: 'fail: /etc/sv/odd: unable to change to service directory' },
      'sv status': { status: 1, output: 'fail: /etc/sv/x: runsv not running\n' },
    },
  )
  const system = { ...createRootedSystem(localSystem, root), commands }
  const says = await saysOf(
    `Service { provider => runit }
      service { 'new': enable => true } service { 'up': ensure => running } service { 'off': enable => false }
      service { 'down': ensure => stopped } service { 'odd': ensure => running }
      notify { 'change': } ~> Service['up']`,
    system,
  )
  expect({ says, ran: commandsRun.filter((line) => !line.startsWith('sv status')) }).toEqual({
    says: [
      'Enabling /etc/service/new: linking /etc/sv/new -> /etc/service/new',
      "Service[new]/enable: enable changed 'false' to 'true'",
      "Service[off]/enable: enable changed 'true' to 'false'",
      "Service[down]/ensure: ensure changed 'running' to 'stopped'",
      "Service[odd]: Could not evaluate: Could not get status for service Service[odd]: Execution of '/usr/bin/sv status /etc/sv/odd' returned 1: fail: /etc/sv/odd: unable to change to service directory",
      'change',
      "Notify[change]/message: defined 'message' as 'change'",
      "Service[up]: Triggered 'refresh' from 1 event",
    ],
    ran: ['sv stop /etc/service/down', 'sv restart /etc/service/up'],
  })
  expect(readdirSync(join(root, 'etc/service'))).toEqual(['down', 'new', 'odd', 'up'])
})
