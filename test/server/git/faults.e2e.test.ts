import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { type RunningServer, startServer } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Clone, GitClients } from './git-clients.ts'

let repository: ControlRepository
let folder: string
let server: RunningServer
let clients: GitClients
let clone: Clone

beforeEach(async () => {
  repository = controlRepository({ 'manifests/site.pp': "notify { 'one': }\n" })
  folder = scratchFolder('git-server')
  await start()
  clone = await clients.clone('work', { token: await clients.token('jane', 'code-push') })
})
afterEach(async () => {
  server.process.exitCode ?? (await server.stop())
})

async function start(port = '0'): Promise<void> {
  server = await startServer({ repository: repository.bare, folder, settings: { serverport: port } })
  const { confdir, vardir } = server
  const settings = loadSettings({ given: { confdir, vardir, certname: 'localhost' }, runMode: 'server', env: {} })
  const url = `https://localhost:${server.port}`
  const credentials = () => Promise.reject(new Error('no certificate'))
  clients = new GitClients({ server: { url } as never, settings, credentials })
}

/** True while the server takes connections. */
function isListening(): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(server.port, '127.0.0.1', () => done(true) ?? socket.destroy())
    socket.once('error', () => done(false))
  })
}

const hooks = () => join(repository.bare, 'hooks')
/** A hook that says that it has begun, and then waits. */
function slowHook(): void {
  mkdirSync(hooks(), { recursive: true })
  const script =
    '#!/bin/sh\ncat >/dev/null\necho begun\ntouch "$0.begun"\nwhile ! test -e "$0.go"; do sleep 0.1; done\ntouch "$0.done"\n'
  writeFileSync(join(hooks(), 'pre-receive'), script, { mode: 0o755 })
}
const hookIs = (state: string) => existsSync(join(hooks(), `pre-receive.${state}`))
const quarantines = () => readdirSync(join(repository.bare, 'objects')).filter((name) => name.includes('incoming'))
const locks = () =>
  readdirSync(repository.bare, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.lock'))
/** Processes of git and hooks that work on the repository. */
const processes = () => {
  const lines = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n')
  return lines.filter(
    (line) => line.includes(repository.bare) && /receive-pack|upload-pack|index-pack|pre-receive/.test(line),
  )
}

/** A day later: what git left behind when it was ended by a signal is taken away by the next start of a server. */
function aDayPasses(): void {
  const yesterday = new Date(Date.now() - 25 * 3600 * 1000)
  for (const name of quarantines())
    for (const folder of readdirSync(join(repository.bare, 'objects', name), { recursive: true })
      .map(String)
      .concat('.'))
      utimesSync(join(repository.bare, 'objects', name, folder), yesterday, yesterday)
}

async function isSound(): Promise<void> {
  expect(repository.gitBare('fsck', '--full', '--no-dangling')).toBe('')
  expect({ quarantines: quarantines(), locks: locks() }).toEqual({ quarantines: [], locks: [] })
  rmSync(hooks(), { recursive: true, force: true })
  const commit = await clone.commit({ 'manifests/site.pp': `notify { '${randomBytes(4).toString('hex')}': }\n` })
  const { status, said } = await clone.push('production')
  expect({ status, said, at: repository.gitBare('rev-parse', 'production') }).toMatchObject({ status: 0, at: commit })
}

describe('a client that goes away', () => {
  it('in the middle of a hook: git and the hook end, and nothing is left', async () => {
    slowHook()
    const before = repository.gitBare('rev-parse', 'production')
    await clone.commit({ 'manifests/site.pp': "notify { 'two': }\n" })
    const pushing = await clone.pushing('production')
    await expect.poll(() => hookIs('begun')).toBe(true)
    expect(processes()).not.toEqual([])
    killTree(pushing.pid)
    await pushing.ended
    await expect.poll(processes).toEqual([])
    expect(hookIs('done')).toBe(false)
    expect(repository.gitBare('rev-parse', 'production')).toBe(before)
    await isSound()
  })

  it('in the middle of a pack: git ends', async () => {
    await clone.commit({ 'modules/big/files/big': randomBytes(30_000_000) })
    // As slow as a line may be, so that the client can be ended in the middle.
    const pushing = await clone.pushing('production')
    await expect.poll(processes).toContainEqual(expect.stringContaining('receive-pack'))
    killTree(pushing.pid)
    await pushing.ended
    await expect.poll(processes).toEqual([])
    await clone.git('reset', '-q', '--hard', 'origin/production')
    await isSound()
  })
})

describe('a server that goes away', () => {
  it('by kill -9, in the middle of a hook: the repository is sound, and the next server serves', async () => {
    slowHook()
    const commit = await clone.commit({ 'manifests/site.pp': "notify { 'two': }\n" })
    const pushing = await clone.pushing('production')
    await expect.poll(() => hookIs('begun')).toBe(true)
    server.process.kill('SIGKILL')
    const { status, said } = await pushing.ended
    expect(status).not.toBe(0)
    expect(said).toMatch(/hung up|disconnect|RPC failed|unexpected/)
    writeFileSync(join(hooks(), 'pre-receive.go'), '')
    await expect.poll(processes).toEqual([])
    // Nobody acknowledged it: it may have landed or not, but for the half of it.
    expect([commit, await clone.git('rev-parse', `${commit}~1`)]).toContain(
      repository.gitBare('rev-parse', 'production'),
    )
    aDayPasses()
    await start(String(server.port))
    await isSound()
  })

  it('by kill -9, in the middle of a pack', async () => {
    await clone.commit({ 'modules/big/files/big': randomBytes(30_000_000) })
    const pushing = await clone.pushing('production')
    await expect.poll(processes).toContainEqual(expect.stringContaining('receive-pack'))
    server.process.kill('SIGKILL')
    expect((await pushing.ended).status).not.toBe(0)
    await expect.poll(processes).toEqual([])
    aDayPasses()
    await start(String(server.port))
    await clone.git('reset', '-q', '--hard', 'origin/production')
    await isSound()
  })

  it('as it is told to: it answers the push that is under way first', async () => {
    slowHook()
    const commit = await clone.commit({ 'manifests/site.pp': "notify { 'two': }\n" })
    const pushing = await clone.pushing('production')
    await expect.poll(() => hookIs('begun')).toBe(true)
    const stopped = server.stop()
    await expect.poll(isListening).toBe(false)
    writeFileSync(join(hooks(), 'pre-receive.go'), '')
    expect(await pushing.ended).toMatchObject({ status: 0 })
    expect(await stopped).toBe(0)
    expect(repository.gitBare('rev-parse', 'production')).toBe(commit)
    await start(String(server.port))
    await isSound()
  })
})

describe('a big push', () => {
  it('goes through the server as it comes: it never has it in memory', async () => {
    const memory = () =>
      Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8'))?.[1]) / 1024
    const pushed = async (megabytes: number) => {
      const commit = await clone.commit({ 'modules/big/files/a': randomBytes(megabytes * 1e6) })
      const before = memory()
      const { status } = await clone.push('production')
      expect({ status, at: repository.gitBare('rev-parse', 'production') }).toEqual({ status: 0, at: commit })
      return memory() - before
    }
    // The first one brings what any push does: buffers that are not collected yet.
    await pushed(20)
    const grown = await pushed(80)
    console.log(`80 MB pushed after 20: the server's memory grew by ${grown.toFixed(1)} MiB at most`)
    expect(grown).toBeLessThan(40)
    const before = memory()
    await clients.clone('other', { token: await clients.token('reader', 'code-read') })
    expect(memory() - before).toBeLessThan(40)
  })
})

/** Ends a git client with its helpers, as the loss of its machine would. */
function killTree(pid: number): void {
  const children = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
  spawn('kill', ['-STOP', String(pid)])
  for (const [child] of children) if (child !== undefined) killTree(child)
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}
