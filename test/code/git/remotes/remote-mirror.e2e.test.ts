import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execaSync } from 'execa'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { GitPlace } from '../../../../src/code/git/git-command.ts'
import { parseRemoteAddress } from '../../../../src/code/git/remotes/remote.ts'
import type { RemoteAccess } from '../../../../src/code/git/remotes/remote-access.ts'
import { type MirrorOrder, mirrorRemote } from '../../../../src/code/git/remotes/remote-mirror.ts'
import { listRefsBelow, openSourceStore, removeAbandonedLocks } from '../../../../src/code/git/remotes/source-store.ts'
import { type ControlRepository, controlRepository, gitIdentity } from '../../../support/control-repository.ts'
import { type ForwardProxy, openForwardProxy } from '../../../support/forward-proxy.ts'
import { type GitHost, openGitHost } from '../../../support/git-host.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'
import { canServeSsh, openSshHost, type SshHost } from '../../../support/ssh-host.ts'

const folder = scratchFolder('mirror')
const site = { 'manifests/site.pp': 'notify { hi: }\n' }
let store: GitPlace
beforeEach(async () => {
  store = await openSourceStore(join(mkdtempSync(join(folder, 'store-')), 'code.git'), 'production')
})

type Options = Partial<Omit<MirrorOrder, 'remote'>>
const order = (remote: string, options: Options = {}): MirrorOrder => ({
  store,
  incoming: `${store.gitDir}.incoming`,
  prefix: 'refs/plumb/sources/main/',
  remote: parseRemoteAddress(remote),
  access: {},
  tags: false,
  commits: [],
  timeoutMs: 60_000,
  maxBytes: 100 * 1024 * 1024,
  ...options,
})
const refs = async () => Object.fromEntries(await listRefsBelow(store, 'refs/plumb/sources/main/'))
const fsck = () => execaSync('git', ['--git-dir', store.gitDir, 'fsck', '--strict', '--full'], { env: gitIdentity })
/** What a failure must leave: the refs as they were, sound objects, and nothing lying about. */
async function unchanged(before: Record<string, string>, work: Promise<unknown>, why: string | RegExp) {
  await expect(work).rejects.toThrow(why)
  expect(await refs()).toEqual(before)
  expect(existsSync(`${store.gitDir}.incoming`)).toBe(false)
  fsck()
}

/** The command lines of all processes. */
const processes = (): string => execaSync('ps', ['-eo', 'args', 'ww']).stdout

describe('a repository of this machine', () => {
  let origin: ControlRepository
  beforeEach(() => {
    origin = controlRepository(site)
  })

  it('is mirrored, and asked for nothing where nothing has moved', async () => {
    const commit = origin.git('rev-parse', 'HEAD')
    expect((await mirrorRemote(order(origin.bare))).changes).toEqual([
      { ref: 'heads/production', old: undefined, new: commit },
    ])
    const packs = readdirSync(join(store.gitDir, 'objects/pack'))
    expect((await mirrorRemote(order(origin.bare))).changes).toEqual([])
    expect(readdirSync(join(store.gitDir, 'objects/pack'))).toEqual(packs)
    expect(statSync(store.gitDir).mode & 0o777).toBe(0o700)
    fsck()
  })

  it('is followed through force pushes, deletions, and a branch that becomes a folder of branches', async () => {
    origin.push({}, 'a')
    await mirrorRemote(order(origin.bare))
    const first = await refs()
    origin.git('checkout', '--quiet', 'production')
    origin.git('commit', '--quiet', '--amend', '--message', 'Another')
    origin.git('push', '--quiet', '--force', 'origin', 'production')
    origin.git('push', '--quiet', 'origin', ':a')
    origin.git('push', '--quiet', 'origin', 'production:refs/heads/a/b')
    const { changes } = await mirrorRemote(order(origin.bare))
    const commit = origin.git('rev-parse', 'production')
    expect(changes).toEqual([
      { ref: 'heads/a', old: first['heads/a'], new: undefined },
      { ref: 'heads/a/b', old: undefined, new: commit },
      { ref: 'heads/production', old: first['heads/production'], new: commit },
    ])
    expect(await refs()).toEqual({ 'heads/a/b': commit, 'heads/production': commit })
    // And back again.
    origin.git('push', '--quiet', 'origin', ':a/b')
    origin.git('push', '--quiet', 'origin', 'production:refs/heads/a')
    await mirrorRemote(order(origin.bare))
    expect(Object.keys(await refs())).toEqual(['heads/a', 'heads/production'])
    fsck()
  })

  it('gives tags and single commits only where they are wanted', async () => {
    const lost = origin.push({ lost: 'x' })
    origin.git('tag', '-a', 'v1', '-m', 'One')
    origin.git('push', '--quiet', 'origin', 'v1')
    origin.git('reset', '--quiet', '--hard', 'HEAD~1')
    origin.git('push', '--quiet', '--force', 'origin', 'production')
    await mirrorRemote(order(origin.bare))
    expect(Object.keys(await refs())).toEqual(['heads/production'])
    const none = '1'.repeat(40)
    const { changes, missing } = await mirrorRemote(order(origin.bare, { tags: true, commits: [lost, none] }))
    expect(changes.map(({ ref }) => ref)).toEqual([`commits/${lost}`, 'tags/v1'])
    expect([...missing.keys()]).toEqual([none])
    expect(missing.get(none)).toContain('not our ref')
    // It stays, though nothing leads there any more; and goes when it is not wanted.
    origin.git('push', '--quiet', 'origin', ':v1')
    await mirrorRemote(order(origin.bare, { tags: true, commits: [lost] }))
    expect(await refs()).toMatchObject({ [`commits/${lost}`]: lost })
    await mirrorRemote(order(origin.bare))
    expect(Object.keys(await refs())).toEqual(['heads/production'])
  })

  it.each<[string, (origin: ControlRepository) => void, Options, string | RegExp]>([
    ['gone', ({ bare }) => execaSync('mv', [bare, `${bare}.away`]), {}, 'does not appear to be a git repository'],
    [
      'empty all of a sudden',
      ({ gitBare }) => gitBare('update-ref', '-d', 'refs/heads/production'),
      {},
      'no longer has any branch',
    ],
    [
      'larger than it may be',
      (o) => o.push({ big: Buffer.from(Array.from({ length: 300_000 }, (_, at) => ((at * 7919) % 251) ^ (at >> 8))) }),
      { maxBytes: 1000 },
      'more than 1000 bytes',
    ],
    ['corrupt', (o) => corrupt(o), {}, /Could not fetch/],
    ['full of objects that git forbids', (o) => forbidden(o), {}, /hasDotgit|contains '\.git'/],
  ])('that is %s leaves all as it was', async (_, spoil, options, why) => {
    await mirrorRemote(order(origin.bare))
    const before = await refs()
    spoil(origin)
    await unchanged(before, mirrorRemote(order(origin.bare, options)), why)
  })
})

/** Takes the end off the pack of a push. */
function corrupt({ push, bare, gitBare }: ControlRepository): void {
  push({ 'manifests/more.pp': 'notify { more: }\n' })
  gitBare('repack', '-adfq')
  const packs = join(bare, 'objects/pack')
  const pack = join(packs, readdirSync(packs).find((name) => name.endsWith('.pack'))!)
  execaSync('chmod', ['u+w', pack])
  truncateSync(pack, statSync(pack).size - 60)
}

/** A commit whose tree has a `.git`, as only a program other than git makes one. */
function forbidden({ gitBare, bare }: ControlRepository): void {
  const blob = execaSync('git', ['hash-object', '-w', '--stdin'], { cwd: bare, input: 'x' }).stdout
  const entry = Buffer.concat([Buffer.from('100644 .git\0'), Buffer.from(blob, 'hex')])
  const made = execaSync('git', ['hash-object', '-w', '-t', 'tree', '--literally', '--stdin'], {
    cwd: bare,
    input: entry,
  })
  const commit = execaSync('git', ['commit-tree', made.stdout, '-m', 'Bad'], { cwd: bare, env: gitIdentity }).stdout
  gitBare('update-ref', 'refs/heads/bad', commit)
}

describe('a host that speaks HTTP', () => {
  let host: GitHost
  let proxy: ForwardProxy
  const token = join(folder, 'token')
  beforeAll(async () => {
    host = await openGitHost()
    proxy = await openForwardProxy('squid:pr0xy')
    host.commit('control', site, 'production')
    writeFileSync(token, 's3cret-t0ken\n', { mode: 0o600 })
  })
  afterAll(() => Promise.all([host.close(), proxy.close()]))
  const remote = () => `${host.url}/control.git`

  it('gives 30 branches in one fetch, and is asked once where nothing has moved', async () => {
    for (let at = 0; at < 30; at++) host.git('control', 'branch', '--force', `feature/${at}`, 'production')
    const before = host.requests.length
    expect((await mirrorRemote(order(remote()))).changes).toHaveLength(31)
    const packs = () => host.requests.filter((each) => each.startsWith('POST')).length
    const posts = packs()
    expect(host.requests.length - before).toBeLessThan(8)
    await mirrorRemote(order(remote()))
    expect(packs() - posts).toBe(1)
  })

  it.each<[string, RemoteAccess, string | RegExp | undefined]>([
    ['with the token', { tokenFile: token, username: 'anna' }, undefined],
    ['without one', {}, /could not read Username/],
    ['with that of another', { tokenFile: token, username: 'eve' }, /Authentication failed|could not read/],
  ])('wants a token: %s', async (_, access, why) => {
    host.protect('anna:s3cret-t0ken')
    try {
      const work = mirrorRemote(order(remote(), { access }))
      if (why === undefined) expect((await work).changes.length).toBeGreaterThan(0)
      else await expect(work).rejects.toThrow(why)
      await work.catch((error: Error) => expect(error.message).not.toMatch(/s3cret|czNjcmV0/))
    } finally {
      host.misbehave()
      host.protect()
    }
  })

  it('never shows the token to other users of the machine: it is in no command line', async () => {
    host.protect('anna:s3cret-t0ken')
    let lines = ''
    host.misbehave(() => {
      lines += processes()
      return false
    })
    await mirrorRemote(order(remote(), { access: { tokenFile: token, username: 'anna' } }))
    host.misbehave()
    host.protect()
    expect(lines).toContain('ls-remote')
    expect(lines).not.toContain('s3cret')
    expect(lines).not.toContain(Buffer.from('anna:s3cret-t0ken').toString('base64'))
  })

  it('is asked through a proxy, with its password', async () => {
    const through = (user: string) => ({ access: { proxy: `http://${user}@127.0.0.1:${proxy.port}` } })
    expect((await mirrorRemote(order(remote(), through('squid:pr0xy')))).changes.length).toBeGreaterThan(0)
    expect(proxy.asked[0]).toMatch(/^GET http:\/\/127\.0\.0\.1:\d+\/control\.git\/info\/refs/)
    await expect(mirrorRemote(order(remote(), through('squid:wr0ng')))).rejects.toThrow(
      expect.not.stringContaining('wr0ng'),
    )
  })

  it.each<[string, Parameters<GitHost['misbehave']>[0], Options, RegExp]>([
    ['is slow', () => true, { timeoutMs: 1000 }, /took longer than 1 seconds/],
    ['fails', (_, response) => !!response.writeHead(500).end('oops'), {}, /error: 500/],
    [
      'answers garbage',
      (_, response) =>
        !!response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' }).end('garbage\0\n'),
      {},
      /Could not fetch/,
    ],
    [
      'answers a page',
      (_, response) => !!response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      {},
      /Could not fetch/,
    ],
    [
      'breaks off',
      (request, response) =>
        request.method === 'POST' &&
        !!response.writeHead(200, { 'content-length': '5000' }).write('0008NAK\n', () => response.destroy()),
      {},
      /Could not fetch/,
    ],
    [
      'leads elsewhere with the token',
      (_, response) => !!response.writeHead(302, { location: 'http://127.0.0.1:9/x.git/info/refs' }).end(),
      { access: { tokenFile: token } },
      /redirect|302|unable to/,
    ],
    [
      'leads to another protocol',
      (_, response) => !!response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      {},
      /Could not fetch/,
    ],
  ])('that %s leaves all as it was', async (_, how, options, why) => {
    await mirrorRemote(order(remote()))
    const before = await refs()
    host.commit('control', { now: String(Math.random()) }, 'production')
    host.misbehave(how)
    try {
      await unchanged(before, mirrorRemote(order(remote(), options)), why)
    } finally {
      host.misbehave()
    }
    expect((await mirrorRemote(order(remote()))).changes).toHaveLength(1)
  })

  it('that is not there leaves all as it was', async () => {
    const closed = createServer()
    const port = await new Promise<number>((done) =>
      closed.listen(0, '127.0.0.1', () => done((closed.address() as { port: number }).port)),
    )
    await new Promise((done) => closed.close(done))
    await unchanged(
      {},
      mirrorRemote(order(`http://127.0.0.1:${port}/control.git`)),
      /Connection refused|Failed to connect/,
    )
  })

  it('ends a fetch when the server does, with all that git has started', async () => {
    const closing = new AbortController()
    // Ends while git waits for an answer.
    host.misbehave(() => {
      closing.abort()
      return true
    })
    const work = mirrorRemote(order(remote(), { signal: closing.signal }))
    await expect(work).rejects.toThrow('the server is stopping')
    host.misbehave()
    await expect.poll(processes).not.toContain(`${host.url}/control.git`)
  })
})

describe.skipIf(!canServeSsh())('a host that speaks ssh (left out without /usr/sbin/sshd)', () => {
  let host: SshHost
  let origin: ControlRepository
  beforeAll(async () => {
    host = await openSshHost()
    origin = controlRepository(site)
  })
  afterAll(() => host.close())

  it('gives what it has to who has the key, and is believed by its own', async () => {
    const access = { privateKey: host.key, knownHosts: host.knownHosts }
    expect((await mirrorRemote(order(`${host.url}${origin.bare}`, { access }))).changes).toHaveLength(1)
  })

  it.each<[string, () => RemoteAccess, string, string]>([
    [
      'a host that nobody knows',
      () => ({ privateKey: host.key, knownHosts: '/dev/null' }),
      'Host key verification failed',
      'ssh-keyscan',
    ],
    [
      'another key',
      () => ({ privateKey: host.otherKey, knownHosts: host.knownHosts }),
      'Permission denied',
      'private_key',
    ],
  ])('refuses %s, and says what to do', async (_, access, why, hint) => {
    const work = mirrorRemote(order(`${host.url}${origin.bare}`, { access: access() }))
    await expect(work).rejects.toThrow(why)
    await expect(work).rejects.toMatchObject({ diagnostic: { hint: expect.stringContaining(hint) } })
  })
})

describe('a process that is killed', () => {
  it('leaves a sound store at whatever moment, and the next fetch goes on', async () => {
    const origin = controlRepository(site)
    const script = resolve(import.meta.dirname, '../../../support/mirror-once.js')
    for (let at = 0; at < 12; at++) {
      for (let file = 0; file < 5; file++)
        origin.push({ [`data/${at}-${file}.yaml`]: `a: ${'x'.repeat(20_000)}${Math.random()}\n` }, `b${at}`)
      const child = spawn(process.execPath, [script, store.gitDir, origin.bare], { stdio: 'ignore' })
      const ended = new Promise((done) => child.once('exit', done))
      // Wall clock: the moment of the kill is of no matter.
      await sleep(150 + at * 40)
      child.kill('SIGKILL')
      await ended
      fsck()
      for (const commit of Object.values(await refs()))
        expect(execaSync('git', ['--git-dir', store.gitDir, 'cat-file', '-t', commit]).stdout).toBe('commit')
    }
    // What the last of them left: git may still be at it for a moment, and its locks are then old.
    await expect.poll(processes).not.toContain(store.gitDir)
    await removeAbandonedLocks(store.gitDir, Date.now() + 60_000)
    await mirrorRemote(order(origin.bare))
    expect(Object.keys(await refs())).toHaveLength(13)
    fsck()
  })

  it('leaves locks that are taken away once they are old', async () => {
    const origin = controlRepository(site)
    const lock = join(store.gitDir, 'packed-refs.lock')
    writeFileSync(lock, '')
    await removeAbandonedLocks(store.gitDir)
    expect(existsSync(lock)).toBe(true)
    utimesSync(lock, new Date(0), new Date(0))
    await removeAbandonedLocks(store.gitDir)
    expect(existsSync(lock)).toBe(false)
    expect((await mirrorRemote(order(origin.bare))).changes).toHaveLength(1)
  })
})
