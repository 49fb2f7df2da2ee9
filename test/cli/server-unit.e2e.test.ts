import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { toCommandLineArguments } from '../../src/machine/settings/settings.ts'
import { controlRepository } from '../support/control-repository.ts'
import { plumbMain, startServer } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const unit = resolve(import.meta.dirname, '../../ext/systemd/plumb-server.service')
const has = (program: string) => existsSync(`/usr/bin/${program}`)

/** The unit with a program that is there, in a folder of its own. */
function unitHere(): string {
  const text = readFileSync(unit, 'utf8').replace('/usr/bin/plumb ', '/usr/bin/env plumb ')
  const path = join(scratchFolder('unit'), 'plumb-server.service')
  writeFileSync(path, text)
  return path
}

/** A `systemd-notify` that writes down what it is told, a line each. */
function notified(more: Readonly<Record<string, string>> = {}) {
  const bin = join(scratchFolder('notify'), 'bin')
  const told = join(bin, 'told')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'systemd-notify'), `#!/bin/sh\necho "$@" >> ${told}\n`, { mode: 0o755 })
  return {
    env: { NOTIFY_SOCKET: '/run/none', PATH: `${bin}:${process.env['PATH']}`, ...more },
    lines: () => (existsSync(told) ? readFileSync(told, 'utf8').trim().split('\n') : []),
  }
}

describe.skipIf(!has('systemd-analyze'))('plumb-server.service (needs systemd-analyze)', () => {
  it('is a unit that systemd reads without a complaint', async () => {
    const { exitCode, stderr } = await execa('systemd-analyze', ['verify', unitHere()], { reject: false })
    expect([exitCode, stderr]).toEqual([0, ''])
  })

  it('is exposed to little, as systemd counts it', async () => {
    const words = ['security', '--offline=true', '--threshold=20', unitHere()]
    const { exitCode, stdout } = await execa('systemd-analyze', words, { reject: false })
    expect([exitCode, stdout.split('\n').at(-1)]).toEqual([0, expect.stringContaining('Overall exposure level')])
  })
})

/** The system calls that the unit allows: sets are named, a tilde takes away. */
function allowedCalls(): ReadonlySet<string> {
  const sets = new Map<string, string[]>()
  let last: string[] = []
  for (const line of execFileSync('systemd-analyze', ['syscall-filter', '--no-pager'], { encoding: 'utf8' }).split(
    '\n',
  ))
    if (line.startsWith('@')) {
      last = []
      sets.set(line.trim(), last)
    } else if (/^ {4}[@\w]/.test(line)) last.push(line.trim())
  const callsOf = (name: string): string[] => (name.startsWith('@') ? sets.get(name)!.flatMap(callsOf) : [name])
  const allowed = new Set<string>()
  for (const [, tilde, names] of readFileSync(unit, 'utf8').matchAll(/^SystemCallFilter=(~?)(.*)$/gm))
    for (const call of names!.split(' ').flatMap(callsOf)) allowed[tilde ? 'delete' : 'add'](call)
  return allowed
}

describe.skipIf(!has('strace') || !has('systemd-analyze'))('its filter of system calls (needs strace)', () => {
  it('has all that a server does: Ruby as WebAssembly, git, SQLite, a reload, its end', async () => {
    const repository = controlRepository({ 'manifests/site.pp': "notify { inline_template('<%= 1 + 1 %>'): }\n" })
    const folder = scratchFolder('traced')
    const counts = join(folder, 'counts')
    const settings = {
      ...{
        confdir: join(folder, 'etc'),
        vardir: join(folder, 'var'),
        code_repo: repository.bare,
        certname: 'localhost',
      },
      ...{ serverport: '0', bindaddress: '127.0.0.1', gate: 'off', store: 'sqlite', compile_workers: '1' },
    }
    const words = toCommandLineArguments(settings)
    const child = spawn('strace', ['-f', '-c', '-o', counts, process.execPath, plumbMain, 'server', ...words])
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => {
        said += String(data)
      })
    const ended = new Promise((done) => child.once('exit', done))
    await expect.poll(() => said).toMatch(/serving .*:\d+\n/)
    const port = /serving .*:(\d+)\n/.exec(said)![1]!
    const file = (name: string) => join(settings.confdir, 'ssl', name)
    const path = '/puppet/v3/catalog/localhost?environment=production'
    const tls = [
      '--cacert',
      file('certs/ca.pem'),
      '--cert',
      file('certs/localhost.pem'),
      '--key',
      file('private_keys/localhost.pem'),
    ]
    const ask = ['-sS', ...tls, '-H', 'Accept: application/vnd.puppet.rich+json', `https://localhost:${port}${path}`]
    expect((await execa('curl', ask)).stdout).toContain('"title":"2"')
    const own = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')[0])
    process.kill(own, 'SIGHUP')
    await expect.poll(() => said).toContain('reloaded')
    process.kill(own, 'SIGTERM')
    await ended
    const used = readFileSync(counts, 'utf8')
      .split('\n')
      .slice(2)
      .flatMap((line) => /^\s*[\d.]+.*\s(\w+)$/.exec(line)?.[1] ?? [])
    expect(used.length).toBeGreaterThan(50)
    const allowed = allowedCalls()
    expect(used.filter((call) => call !== 'total' && !allowed.has(call))).toEqual([])
  }, 180_000)
})

describe('systemd', () => {
  it('is told that the server is up, that it reads its configuration again, and that it ends', async () => {
    const { env, lines } = notified()
    const server = await startServer({
      repository: controlRepository({ 'manifests/site.pp': '' }).bare,
      env,
      settings: { compile_workers: '1' },
    })
    await expect.poll(lines).toHaveLength(1)
    server.process.kill('SIGHUP')
    await expect.poll(lines).toHaveLength(3)
    expect(await server.stop()).toBe(0)
    const pid = `--pid=${server.process.pid}`
    expect(lines()).toEqual([
      expect.stringMatching(new RegExp(`^${pid} --ready --status=serving 1 environment from `)),
      expect.stringMatching(new RegExp(`^${pid} RELOADING=1 MONOTONIC_USEC=\\d+$`)),
      `${pid} --ready`,
      `${pid} STOPPING=1`,
    ])
  })

  it('has its watchdog fed twice in its time, and not by a server that stands still', async () => {
    const { env, lines } = notified({ WATCHDOG_USEC: '400000' })
    const fed = () => lines().filter((line) => line.endsWith(' WATCHDOG=1')).length
    const server = await startServer({
      repository: controlRepository({ 'manifests/site.pp': '' }).bare,
      env,
      settings: { compile_workers: '1' },
    })
    await expect.poll(fed).toBeGreaterThan(3)
    server.process.kill('SIGSTOP')
    const pid = server.process.pid!
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) T /)
    const before = fed()
    // Wall clock: the time without a sign of life is what is tested.
    await new Promise((done) => setTimeout(done, 1500))
    expect(fed()).toBe(before)
    server.process.kill('SIGCONT')
    await expect.poll(fed).toBeGreaterThan(before)
    expect(await server.stop()).toBe(0)
  })

  it('of another process has no watchdog here', async () => {
    const { env, lines } = notified({ WATCHDOG_USEC: '100000', WATCHDOG_PID: '1' })
    const server = await startServer({
      repository: controlRepository({ 'manifests/site.pp': '' }).bare,
      env,
      settings: { compile_workers: '1' },
    })
    await expect.poll(lines).toHaveLength(1)
    server.process.kill('SIGHUP')
    await expect.poll(() => server.output()).toContain('reloaded')
    expect(await server.stop()).toBe(0)
    expect(lines().join('\n')).not.toContain('WATCHDOG=1')
  })
})
