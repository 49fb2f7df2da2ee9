import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execaSync } from 'execa'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { gitIdentity } from '../support/control-repository.ts'
import { without } from '../support/needs.ts'
import { plumb, type RunningServer, startServer } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { openSharedSources, type SharedSources } from '../support/shared-sources.ts'

const lacks = without('PostgreSQL')
/** Two processors may be shared by many. */
const patience = { interval: 100 }
const deployedRef = 'refs/plumb/deployed/production'

/** A server in a process of its own, which may be killed and started again. */
interface Member {
  readonly folder: string
  server: RunningServer
}

describe.skipIf(lacks !== '')(`servers that share code, of which one is killed${lacks}`, () => {
  let sources: SharedSources
  let host: SharedSources['host']
  let postgres: SharedSources['postgres']
  let shared: string
  let started: Member[]
  beforeEach(async () => {
    started = []
    sources = await openSharedSources('1\n')
    ;({ host, shared, postgres } = sources)
  })
  afterEach(async () => {
    for (const { server } of started) server.process.kill('SIGKILL')
    host?.misbehave()
    await sources?.close()
  })

  /** A server that looks at its sources when it is told to. */
  async function start(folder = scratchFolder('shared-member')): Promise<Member> {
    const settings = { ...sources.settingsIn(folder, '1s'), key_type: 'ec' }
    const server = await startServer({ folder, settings })
    const member = { folder, server }
    started.push(member)
    return member
  }
  const bare = ({ server }: Member) => join(server.vardir, 'sources/code.git')
  const gitIn = (cwd: string, ...words: string[]) => execaSync('git', words, { cwd, env: gitIdentity }).stdout
  const refIn = (cwd: string, ref: string) => gitIn(cwd, 'for-each-ref', '--format=%(objectname)', ref)
  const servedBy = (member: Member) => refIn(bare(member), 'refs/plumb/environment/production')
  const inShared = () => refIn(shared, deployedRef)
  /** The branch's commit that a deployment was made of, and the module's content in it. */
  const contentOf = (commit: string) => [
    gitIn(shared, 'rev-parse', `${commit}^`),
    gitIn(shared, 'show', `${commit}:modules/motd/files/motd`),
  ]
  const fetchBy = ({ server }: Member) => void plumb(['code', 'fetch', ...server.places])
  const locks = (granted: boolean) =>
    Number(
      postgres.psql(
        'postgres',
        `select count(*) from pg_locks where locktype = 'advisory' and ${granted ? '' : 'not'} granted and classid = ${0x706c62}`,
      ),
    )
  async function kill({ server }: Member): Promise<void> {
    server.process.kill('SIGKILL')
    await server.stop()
  }
  const nextPuppetfile = () => ({ Puppetfile: `mod 'motd', git: '${host.url}/motd.git', branch: 'next'\n` })
  /** Both serve what the shared repository has, which is whole. */
  async function agree(members: readonly Member[], content: readonly string[]): Promise<void> {
    for (const member of members) await expect.poll(() => servedBy(member), patience).toBe(inShared())
    expect(contentOf(inShared())).toEqual(content)
    for (const repository of [shared, ...members.map(bare)]) gitIn(repository, 'fsck', '--strict', '--no-dangling')
  }

  it('in the middle of making a commit: the other one takes over', async () => {
    const [one, other] = [await start(), await start()]
    await agree([one, other], [gitIn(join(host.folder, 'control.git'), 'rev-parse', 'production'), '1'])
    const before = inShared()
    host.commit('motd', { 'files/motd': '2\n' }, 'next')
    const commit = host.commit('control', nextPuppetfile(), 'production')
    let isAsked = false
    let answer = () => {}
    const asked = new Promise<void>((done) => (answer = done))
    host.misbehave(async ({ url }) => {
      if (!url?.startsWith('/motd.git/')) return false
      isAsked = true
      await asked
      return false
    })
    fetchBy(one)
    await expect.poll(() => isAsked, patience).toBe(true)
    expect(locks(true)).toBe(1)
    fetchBy(other)
    await expect.poll(() => locks(false), patience).toBe(1)
    await kill(one)
    expect([inShared(), servedBy(one), servedBy(other)]).toEqual([before, before, before])
    answer()
    await expect.poll(inShared, patience).not.toBe(before)
    await agree([other], [commit, '2'])
    await agree([await start(one.folder), other], [commit, '2'])
  })

  it('in the middle of a push: the other one takes over, and what comes late moves nothing back', async () => {
    const [one, other] = [await start(), await start()]
    await agree([one, other], [gitIn(join(host.folder, 'control.git'), 'rev-parse', 'production'), '1'])
    const before = inShared()
    const hook = join(shared, 'hooks/pre-receive')
    mkdirSync(join(shared, 'hooks'), { recursive: true })
    // The first push waits; others do not.
    const slow = `#!/bin/sh\ncat >/dev/null\nif mkdir "$0.begun" 2>/dev/null; then while ! test -e "$0.go"; do sleep 0.1; done; touch "$0.over"; fi\n`
    writeFileSync(hook, slow, { mode: 0o755 })
    host.commit('motd', { 'files/motd': '2\n' }, 'next')
    const commit = host.commit('control', nextPuppetfile(), 'production')
    fetchBy(one)
    await expect.poll(() => existsSync(`${hook}.begun`), patience).toBe(true)
    fetchBy(other)
    await expect.poll(() => locks(false), patience).toBe(1)
    // What the other one makes is another commit than the one that is on its way.
    host.commit('motd', { 'files/motd': '3\n' }, 'next')
    await kill(one)
    await expect.poll(inShared, patience).not.toBe(before)
    await agree([other], [commit, '3'])
    const made = inShared()
    expect(isPushing(shared)).toBe(true)
    writeFileSync(`${hook}.go`, '')
    await expect.poll(() => isPushing(shared), patience).toBe(false)
    expect(inShared()).toBe(made)
    await agree([await start(one.folder), other], [commit, '3'])
    expect(inShared()).toBe(made)
  })
})

/** True while git takes a push into a repository. */
function isPushing(repository: string): boolean {
  const lines = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n')
  return lines.some((line) => line.includes(repository) && /receive-pack|pre-receive/.test(line))
}
