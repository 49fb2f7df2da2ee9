import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FileLock } from '../../../src/machine/system/file-lock.ts'
import { puppetNameHolder } from '../../../src/machine/system/lock-holder.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { plumbMain, type RunningServer, startServer } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

let repository: ControlRepository
let server: RunningServer
const started: number[] = []

beforeAll(async () => {
  const hung = `exec { 'hung': command => 'sleep 60', provider => shell, timeout => 0 } -> notify { 'behind': }`
  repository = controlRepository({
    'manifests/site.pp': `node /^hung/ { ${hung} }\nnode default { notify { 'applied': } }\n`,
  })
  server = await startServer({ repository: repository.bare, settings: { autosign: 'true' } })
})
afterAll(async () => {
  for (const pid of started) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  await server?.stop()
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The folders of an agent of its own. */
function node(certname: string) {
  const folder = scratchFolder('daemon')
  const log = join(folder, 'agent.log')
  const pidfile = join(folder, 'run/agent.pid')
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--rundir', join(folder, 'run')]
  const who = ['--server', 'localhost', '--serverport', String(server.port), '--certname', certname, '--key_type', 'ec']
  const words = ['agent', ...places, ...who, '--runinterval', '1h', '--color', 'false']
  const logged = () => (existsSync(log) ? readFileSync(log, 'utf8') : '')
  const runs = () => logged().split('Applied catalog').length - 1
  const pid = () => Number(readFileSync(pidfile, 'utf8'))
  const saying = (text: string) => expect.poll(logged).toContain(text)
  const running = (count: number) => expect.poll(runs).toBe(count)
  return { folder, log, pidfile, words, logged, pid, saying, running }
}

/** A command under way, with all that it has said. */
function start(words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child: ChildProcess = spawn(process.execPath, [plumbMain, ...words], { env: { ...process.env, ...env } })
  started.push(child.pid!)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (said += data.toString()))
  const ended = new Promise<number | null>((done) => child.once('exit', done))
  const saying = (text: string) => expect.poll(() => said).toContain(text)
  return { child, ended, said: () => said, saying }
}

/** Resident memory of a process, in MiB. */
function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

describe('plumb agent in the background', () => {
  it('is small, runs when it is told to, begins anew with other settings, and ends', async () => {
    const agent = node('background.test')
    const first = start([...agent.words, '--logdest', agent.log])
    expect([await first.ended, first.said()]).toEqual([0, ''])
    const pid = agent.pid()
    started.push(pid)
    await agent.running(1)
    await expect.poll(() => existsSync(join(agent.folder, 'var/state/agent_catalog_run.lock'))).toBe(false)
    expect(memoryOf(pid)).toBeLessThan(60)
    expect(agent.logged()).toMatch(/Puppet \(notice\): Starting Puppet client version \d+\.\d+\.\d+\n/)

    process.kill(pid, 'SIGUSR1')
    await agent.running(2)
    for (const line of ['Caught USR1; storing reload', 'Processing reload']) expect(agent.logged()).toContain(line)
    process.kill(pid, 'SIGUSR2')
    await agent.saying('Processing reopen_logs')

    const moved = join(agent.folder, 'moved.pid')
    mkdirSync(join(agent.folder, 'etc'), { recursive: true })
    writeFileSync(join(agent.folder, 'etc/puppet.conf'), '[agent]\nsplaylimit = long\n')
    process.kill(pid, 'SIGHUP')
    await agent.saying('Puppet (err): Invalid duration format \'"long"\' for parameter: splaylimit')
    writeFileSync(join(agent.folder, 'etc/puppet.conf'), `[agent]\npidfile = ${moved}\n`)
    process.kill(pid, 'SIGHUP')
    await agent.running(3)
    expect(agent.logged()).toContain('Caught HUP; storing restart')
    expect([existsSync(agent.pidfile), Number(readFileSync(moved, 'utf8'))]).toEqual([false, pid])

    process.kill(pid, 'SIGTERM')
    await expect.poll(() => isAlive(pid)).toBe(false)
    expect(existsSync(moved)).toBe(false)
    expect(agent.logged()).toContain('Caught TERM; exiting')
  })

  it('is there once: another one is refused', async () => {
    const agent = node('twice.test')
    expect(await start([...agent.words, '--logdest', agent.log]).ended).toBe(0)
    started.push(agent.pid())
    const second = start([...agent.words, '--logdest', agent.log])
    expect(await second.ended).toBe(1)
    expect(second.said()).toBe(`Error: Could not start: Could not create PID file: ${agent.pidfile}\n`)
    process.kill(agent.pid(), 'SIGTERM')
  })

  it('says which of its settings is wrong', async () => {
    const agent = node('wrong.test')
    const wrong = start([...agent.words, '--runinterval', 'often'])
    expect(await wrong.ended).toBe(1)
    expect(wrong.said()).toContain('Invalid duration format \'"often"\' for parameter: runinterval')
  })
})

describe('an agent that stays in the foreground', () => {
  it('waits for a while before its first run under splay, and runs every runinterval', async () => {
    const agent = node('splay.test')
    const staying = start([...agent.words, '--no-daemonize', '--splay', '--splaylimit', '1', '--runinterval', '1'])
    await expect.poll(() => staying.said().split('Applied catalog').length).toBeGreaterThan(2)
    staying.child.kill('SIGTERM')
    expect(await staying.ended).toBe(0)
  })

  it('tells systemd that it is up, by systemd-notify', async () => {
    const agent = node('notify.test')
    const bin = join(agent.folder, 'bin')
    const told = join(agent.folder, 'told')
    mkdirSync(bin)
    writeFileSync(join(bin, 'systemd-notify'), `#!/bin/sh\necho "$@" > ${told}\n`, { mode: 0o755 })
    const env = { NOTIFY_SOCKET: '/run/none', PATH: `${bin}:${process.env['PATH']}` }
    const staying = start([...agent.words, '--no-daemonize'], env)
    await staying.saying('Applied catalog')
    expect(readFileSync(told, 'utf8')).toBe(`--pid=${staying.child.pid} --ready\n`)
    staying.child.kill('SIGTERM')
    expect(await staying.ended).toBe(0)
  })

  it('ends cleanly while it waits for the lock', async () => {
    const agent = node('locked.test')
    const state = join(agent.folder, 'var/state')
    mkdirSync(state, { recursive: true })
    const lock = new FileLock(join(state, 'agent_catalog_run.lock'), puppetNameHolder)
    expect(await lock.tryAcquire()).toBe(true)
    const waiting = start([...agent.words, '--no-daemonize', '--verbose', '--waitforlock', '60'])
    await waiting.saying('Will try again in 60 seconds.')
    waiting.child.kill('SIGINT')
    expect(await waiting.ended).toBe(0)
    expect(existsSync(join(state, 'agent_catalog_run.lock'))).toBe(true)
    await lock.release()
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('ends cleanly by %s while it waits for its certificate', async (signal) => {
    const folder = scratchFolder('strict')
    const strict = await startServer({ repository: repository.bare, folder, settings: { autosign: 'false' } })
    const agent = node('unsigned.test')
    const waiting = start([...agent.words, '--serverport', String(strict.port), '--no-daemonize', '--verbose'])
    await waiting.saying('Will try again in 120 seconds.')
    waiting.child.kill(signal)
    expect(await waiting.ended).toBe(0)
    expect(existsSync(join(agent.folder, 'etc/ssl/ssl.lock'))).toBe(false)
    expect(waiting.said()).not.toContain('Error')
    await strict.stop()
  })
})

describe('runtimeout', () => {
  it('ends a run that hangs, with what it started, and reports it', async () => {
    const agent = node('hung.test')
    const hung = start([...agent.words, '--onetime', '--no-daemonize', '--runtimeout', '3'])
    expect(await hung.ended).toBe(1)
    expect(hung.said()).toContain(
      'Error: Execution of Puppet configuration client did not complete within 3 seconds and was terminated.\n',
    )
    expect(hung.said()).not.toContain('behind')
    expect(readdirSync(join(server.vardir, 'reports/hung.test'))).toHaveLength(1)
    expect(existsSync(join(agent.folder, 'var/state/agent_catalog_run.lock'))).toBe(false)
    rmSync(agent.folder, { recursive: true })
  })
})
