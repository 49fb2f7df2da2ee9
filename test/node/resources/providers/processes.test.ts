import { expect, it } from 'vitest'
import { recordingSystem } from '../recording-system.ts'
import { saysOf } from '../says-of.ts'

const table = `UID          PID    PPID  C STIME TTY          TIME CMD
root           1       0  0 Nov22 ?        00:00:01 /sbin/init
daemon       401       1  0 Nov22 ?        00:00:00 /opt/ours/server --first
  402       402       1  0 Nov22 ?        00:00:00 /opt/ours/server --second
`

it('stops a service without commands by the first process of its pattern, and no other', async () => {
  const { commandsRun, ...system } = recordingSystem({}, { 'ps -ef': { stdout: table }, 'kill 1': { status: 1 } })
  const says = await saysOf(
    `Service { provider => base, hasstatus => false, ensure => stopped }
      service { 'ours': pattern => 'ours/server' } service { 'init': } service { 'none': status => '/bin/true' }`,
    system,
  )
  expect({ says, ran: commandsRun }).toEqual({
    says: [
      "Service[ours]/ensure: ensure changed 'running' to 'stopped'",
      'Could not kill init, PID 1: ',
      "Service[init]/ensure: change from 'running' to 'stopped' failed: Could not kill init, PID 1: ",
      "Service[none]/ensure: ensure changed 'running' to 'stopped'",
    ],
    ran: ['ps -ef', 'ps -ef', 'kill 401', 'ps -ef', 'ps -ef', 'kill 1', '/bin/sh -c /bin/true', 'ps -ef'],
  })
})
