import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { without } from '../../support/needs.ts'
import { plumb, type RunningServer, startServer } from '../../support/plumb.ts'
import { accessWarning, startWindows, type WindowsMachine } from '../../support/windows/wine.ts'

const missing = without('Windows (Wine)')

const site = `file { 'C:/managed': ensure => directory }
file { 'C:\\managed\\static.txt': source => 'puppet:///modules/demo/static.txt' }
file { 'C:/managed/late.txt': content => Deferred('upcase', ['late']) }
file { 'C:/managed/fact.txt': content => $facts['role'] }
`

describe.skipIf(missing)(`plumb agent on Windows${missing}`, () => {
  let windows: WindowsMachine
  let repository: ControlRepository
  let server: RunningServer

  beforeAll(async () => {
    repository = controlRepository({
      'manifests/site.pp': site,
      'modules/demo/files/static.txt': 'static\r\n',
      'modules/demo/facts.d/role.txt': 'role=web\r\n',
    })
    server = await startServer({ repository: repository.bare, settings: { autosign: 'true', reports: 'store' } })
    windows = await startWindows()
  })
  afterAll(async () => {
    await server?.stop()
    await windows?.stop()
  })

  const onC = (path: string) => join(windows.driveC, path)
  const state = (path: string) => onC(join('ProgramData/Plumbline', path))
  const read = (path: string) => readFileSync(path, 'utf8')
  const agent = (...words: string[]) => {
    const who = ['--server', 'localhost', '--serverport', String(server.port), '--certname', 'pc.test']
    return windows.plumb(['agent', '--test', ...who, '--key_type', 'ec', '--color', 'false', ...words])
  }
  const reports = () => readdirSync(join(server.vardir, 'reports/pc.test')).length

  it('gets a certificate and plug-ins, applies the catalog and sends a report', async () => {
    const { exitCode, stdout, stderr } = await agent()
    expect(stderr).toBe(accessWarning)
    expect(exitCode).toBe(2)
    expect(stdout).toContain('Downloaded certificate for pc.test')
    expect(stdout).toContain('/File[C:/ProgramData/Plumbline/var/facts.d/role.txt]/ensure: defined content as')
    expect(['static', 'late', 'fact'].map((name) => read(onC(`managed/${name}.txt`)))).toEqual([
      'static\r\n',
      'LATE',
      'web',
    ])
    expect(read(state('var/public/last_run_summary.yaml'))).toMatch(/total: \d+\n +failure: 0/)
    expect(read(state('var/state/classes.txt')).split(/\r?\n/)).toContain('settings')
    expect(read(state('var/state/resources.txt'))).toContain('file[C:/managed/late.txt]')
    expect(JSON.parse(read(join(server.vardir, 'server_data/facts/pc.test.json')))).toMatchObject({ name: 'pc.test' })
    expect(reports()).toBe(1)
  })

  it('changes nothing in a second run, and leaves no lock', async () => {
    const { exitCode, stdout } = await agent()
    expect(stdout).not.toContain('ensure')
    expect(stdout).not.toContain('mode changed')
    expect(exitCode).toBe(0)
    expect(existsSync(state('var/state/agent_catalog_run.lock'))).toBe(false)
  })

  it('says under --noop what it would do', async () => {
    rmSync(onC('managed/late.txt'))
    const { exitCode, stdout } = await agent('--noop')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(
      /File\[C:\/managed\/late\.txt\]\/ensure: defined content as '\{sha256\}[0-9a-f]{64}' \(noop\)/,
    )
    expect(existsSync(onC('managed/late.txt'))).toBe(false)
  })

  it('reads a puppet.conf with backslashes and CRLF, and logs to a file', async () => {
    const lines = ['[agent]', 'statedir = C:\\state\\', 'logdest = C:\\logs\\plumb.log', '']
    writeFileSync(state('etc/puppet.conf'), lines.join('\r\n'))
    const { exitCode, stdout } = await agent()
    rmSync(state('etc/puppet.conf'))
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    const log = read(onC('logs/plumb.log'))
    expect(log).toContain('Puppet (info): Creating state file C:/state/state.yaml')
    expect(log).toContain('/Stage[main]/Main/File[C:/managed/late.txt]/ensure (notice): defined content as')
    expect(log).not.toContain('\\state')
  })

  it('runs again after the end of a process whose lock remains, and skips while runs are disabled', async () => {
    // The ID of no process: IDs of Windows are multiples of four.
    writeFileSync(state('var/state/agent_catalog_run.lock'), '999999')
    expect((await agent()).exitCode).toBe(0)
    expect((await windows.plumb(['agent', '--disable', 'a change'])).exitCode).toBe(0)
    const disabled = await agent()
    expect(disabled.exitCode).toBe(1)
    expect(disabled.stdout).toContain("administratively disabled (Reason: 'a change')")
    expect((await windows.plumb(['agent', '--enable'])).exitCode).toBe(0)
  })

  it('applies the cached catalog without a server, and is rejected after revocation', async () => {
    const away = await agent('--serverport', '1', '--usecacheonfailure')
    expect(away.stdout).toContain("Using cached catalog from environment 'production'")
    await plumb(['ca', 'revoke', '--certname', 'pc.test', ...server.places])
    await expect.poll(async () => (await agent()).stderr, { timeout: 30_000 }).toMatch(/revoked/)
  })
})
