import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { eventually } from '../support/eventually.js'
import { plumbMain, type RunningServer, startServer } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

let repository: ControlRepository
let server: RunningServer
const children: ChildProcess[] = []

/** There once a node called `slow…` is at its first resource, which takes two seconds. */
const begun = join(scratchFolder('signals'), 'begun')

beforeAll(async () => {
  const slow = `exec { 'slow': command => 'touch ${begun}; sleep 2', provider => shell } -> notify { 'behind': }`
  repository = controlRepository({
    'manifests/site.pp': `node /^slow/ { ${slow} }\nnode default { notify { 'applied': } }\n`,
  })
  server = await startServer({ repository: repository.bare, settings: { autosign: 'true' } })
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await server?.stop()
})

/** The local TCP ports on which a process listens, in hexadecimal, as Linux tells. */
function portsOf(pid: number): string[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${name}`))?.[1] ?? []
      } catch {
        return []
      }
    }),
  )
  const listens = '0A'
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((words) => words[3] === listens && inodes.has(words[9] ?? ''))
      .map((words) => words[1]!.split(':')[1]!),
  )
}

/** An agent of its own folders that stays, and asks our server. */
function startAgent(certname: string) {
  const folder = scratchFolder('signals')
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--rundir', join(folder, 'run')]
  const who = ['--server', 'localhost', '--serverport', String(server.port), '--certname', certname]
  return start([
    'agent',
    '--no-daemonize',
    ...places,
    ...who,
    '--key_type',
    'ec',
    '--runinterval',
    '1h',
    '--color',
    'false',
  ])
}

/** Has the server do something after all signals before. */
async function reloaded(): Promise<void> {
  const before = server.output().length
  server.process.kill('SIGHUP')
  await expect.poll(() => server.output().slice(before)).toContain('reloaded')
}

/** An agent that is at a resource which takes two seconds. */
async function startSlowAgent(certname: string) {
  rmSync(begun, { force: true })
  const agent = startAgent(certname)
  await agent.until(() => existsSync(begun))
  return agent
}

/** A command under way, with all that it has said. */
function start(words: readonly string[]) {
  const child = spawn(process.execPath, [plumbMain, ...words])
  children.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()))
  const ended = new Promise<number | null>((done) => child.once('exit', done))
  const until = async (found: () => boolean) => {
    await eventually(() => {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it has ended:\n${said}`)
      return found()
    })
  }
  return { child, ended, said: () => said, until }
}

/** Wall clock: nothing shows that Node begins no debugger. Less time proves less, and fails nothing. */
const moment = () => new Promise((done) => setTimeout(done, 1500))

describe('SIGUSR1', () => {
  it('opens no debugger on a server, which goes on', async () => {
    const pid = server.process.pid!
    expect(portsOf(pid)).toHaveLength(1)
    for (let count = 0; count < 3; count++) server.process.kill('SIGUSR1')
    await reloaded()
    expect([portsOf(pid).length, server.process.exitCode]).toEqual([1, null])
    expect(server.output()).not.toContain('Debugger listening')
  })

  it('opens no debugger on an agent, but has it run now', async () => {
    const agent = startAgent('agent.test')
    const runs = () => agent.said().split('Applied catalog').length - 1
    await agent.until(() => runs() === 1)
    agent.child.kill('SIGUSR1')
    await agent.until(() => runs() === 2)
    expect(agent.said()).toContain('Caught USR1; storing reload')
    expect([portsOf(agent.child.pid!), agent.child.exitCode]).toEqual([[], null])
    agent.child.kill('SIGTERM')
    expect(await agent.ended).toBe(0)
    expect(runs()).toBe(2)
    expect(agent.said()).not.toContain('Debugger listening')
  })

  it('opens no debugger on a short command, whenever it comes, and lets it end as it should', async () => {
    // Before Node is up the signal ends a process, or opens a debugger that is closed at once.
    const command = start(['script', '--confdir', scratchFolder('signals'), '--vardir', scratchFolder('signals')])
    const caught = () => {
      const mask = /^SigCgt:\s*(\w+)/m.exec(readFileSync(`/proc/${command.child.pid}/status`, 'utf8'))?.[1] ?? '0'
      return (BigInt(`0x${mask}`) & (1n << 9n)) !== 0n
    }
    await command.until(caught)
    command.child.kill('SIGUSR1')
    await moment()
    const before = command.said()
    for (let count = 0; count < 20; count++) command.child.kill('SIGUSR1')
    await moment()
    expect(command.said()).toBe(before)
    expect(portsOf(command.child.pid!)).toEqual([])
    command.child.stdin.end("notice('done')\n")
    expect(await command.ended).toBe(0)
    expect(command.said()).toContain('done')
  })
})

describe('the signals of a server', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/server.md'), 'utf8')
  const rows = [...text.matchAll(/^\| ((?:`[A-Z0-9]+`(?:, )?)+) \| (.*) \|$/gm)].flatMap(([, names = '', does = '']) =>
    Array.from(names.matchAll(/\w+/g), ([name]) => [`SIG${name}` as NodeJS.Signals, does] as const),
  )

  it('are all in the document', () => {
    expect(rows.map(([name]) => name)).toEqual(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'])
  })

  it.each(rows)('%s %s', async (name, does) => {
    const told = does.includes('exits 0') ? await startServer({ repository: repository.bare }) : server
    const ended = new Promise<number | null>((done) => told.process.once('exit', done))
    told.process.kill(name)
    if (told !== server) return expect(await ended).toBe(0)
    await reloaded()
    expect([told.process.exitCode, told.process.signalCode]).toEqual([null, null])
  })
})

describe('SIGUSR2', () => {
  it('has a server open its log anew, and go on', async () => {
    const file = join(scratchFolder('log'), 'server.log')
    const logging = await startServer({ repository: repository.bare, settings: { logdest: file } })
    await expect.poll(() => existsSync(file)).toBe(true)
    renameSync(file, `${file}.1`)
    logging.process.kill('SIGUSR2')
    const text = () => (existsSync(file) ? readFileSync(file, 'utf8') : '')
    await expect.poll(text).toContain('reopened the logs')
    expect(await logging.stop()).toBe(0)
  })

  it('does nothing to a server whose log is no file', async () => {
    server.process.kill('SIGUSR2')
    await expect.poll(() => server.output()).toContain('reopened the logs')
    expect(server.process.exitCode).toBe(null)
  })
})

describe('SIGTERM and SIGINT', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('%s has an agent finish its resource, and report', async (signal) => {
    const certname = `slow-${signal.toLowerCase()}.test`
    const agent = await startSlowAgent(certname)
    agent.child.kill(signal)
    expect(await agent.ended).toBe(0)
    expect(agent.said()).toContain(`Caught ${signal.slice(3)}; exiting`)
    expect(agent.said()).toContain('Exec[slow]/returns: executed successfully')
    expect(agent.said()).not.toContain('behind')
    const reports = readdirSync(join(server.vardir, 'reports', certname))
    const text = readFileSync(join(server.vardir, 'reports', certname, reports.at(-1)!), 'utf8')
    // Its tags name Puppet's classes, which the library does not know.
    const { resource_statuses } = parse(text, { logLevel: 'silent' })
    expect(resource_statuses['Exec[slow]']).toMatchObject({ changed: true, skipped: false })
    expect(resource_statuses['Notify[behind]']).toMatchObject({ changed: false, skipped: true })
  })

  it('end an agent at once the second time', async () => {
    const agent = await startSlowAgent('slow.test')
    for (const _ of [1, 2]) {
      agent.child.kill('SIGTERM')
      await agent.until(() => agent.said().includes('Caught TERM; exiting'))
    }
    expect(await agent.ended).toBe(143)
  })
})

describe("Node's debugger", () => {
  it('is there for whoever starts Node with it', async () => {
    const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', plumbMain, 'script'])
    children.push(child)
    let said = ''
    child.stderr.on('data', (data: Buffer) => (said += data.toString()))
    await expect.poll(() => said).toContain('Debugger listening')
    await expect.poll(() => portsOf(child.pid!)).toHaveLength(1)
    child.kill('SIGKILL')
  })
})
