import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRepository } from '../../support/control-repository.ts'
import { without } from '../../support/needs.ts'
import { type RunningServer, startServer } from '../../support/plumb.ts'
import { startWindows, type WindowsMachine } from '../../support/windows/wine.ts'

const missing = without('Windows (Wine)')

describe.skipIf(missing)(`The daemon of the agent on Windows${missing}`, () => {
  let windows: WindowsMachine
  let server: RunningServer
  beforeAll(async () => {
    const { bare } = controlRepository({ 'manifests/site.pp': 'notify { done: }\n' })
    server = await startServer({ repository: bare, settings: { autosign: 'true' } })
    windows = await startWindows()
  })
  afterAll(async () => {
    await server?.stop()
    await windows?.stop()
  })

  it('obeys the files of requests, and admits no second daemon', async () => {
    const who = ['--server', 'localhost', '--serverport', String(server.port), '--certname', 'daemon.test']
    const words = ['agent', '--no-daemonize', ...who, '--key_type', 'ec', '--color', 'false']
    const folder = join(windows.driveC, 'ProgramData/Plumbline/var/run')
    const log = join(windows.driveC, 'daemon.log')
    const logged = () => (existsSync(log) ? readFileSync(log, 'utf8') : '')
    const runs = () => logged().split('Applied catalog').length - 1
    const request = (name: string) => writeFileSync(join(folder, `agent.${name}`), '')
    const ended = windows.plumb([...words, '--logdest', 'C:\\daemon.log'])
    await expect.poll(runs).toBe(1)
    const second = await windows.plumb([...words, '--logdest', 'console'])
    expect(second.stderr).toContain('Could not create PID file: C:/ProgramData/Plumbline/var/run/agent.pid')
    request('run')
    await expect.poll(runs).toBe(2)
    request('restart')
    await expect.poll(runs).toBe(3)
    request('stop')
    expect((await ended).exitCode).toBe(0)
    expect(logged()).toMatch(/Caught TERM; exiting\n/)
    expect(existsSync(join(folder, 'agent.pid'))).toBe(false)
    expect(existsSync(join(folder, 'agent.stop'))).toBe(false)
  })
})
