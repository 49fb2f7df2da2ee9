import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { execaSync } from 'execa'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { gitIdentity } from '../support/control-repository.ts'
import { without } from '../support/needs.ts'
import { plumb } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { openSharedSources, type SharedSources } from '../support/shared-sources.ts'
import { type Serving, serve } from './serving.ts'

const lacks = without('PostgreSQL')
/** Two processors may be shared by many. */
const patience = { interval: 200 }

describe.skipIf(lacks !== '')(`servers of the same sources${lacks}`, () => {
  let sources: SharedSources
  let host: SharedSources['host']
  let shared: string
  const running: Serving[] = []
  beforeAll(async () => {
    sources = await openSharedSources('one\n')
    ;({ host, shared } = sources)
  }, 120_000)
  afterEach(async () => {
    await Promise.all(running.splice(0).map((each) => each.stop()))
  })
  afterAll(async () => {
    await sources?.close()
  })

  /** A server; `interval` is that between two looks at what the others deployed. */
  async function start(interval = '1s'): Promise<Serving> {
    const serving = await serve(sources.settingsIn(scratchFolder('shared-sources'), interval))
    running.push(serving)
    return serving
  }
  const codeIdOf = async ({ server }: Serving) => (await server.environments.get('production'))?.codeId
  const served = async (serving: Serving) => {
    await expect.poll(() => codeIdOf(serving), patience).toMatch(/^[0-9a-f]{40}$/)
    return (await codeIdOf(serving))!
  }
  const sharedRef = (name: string) =>
    execaSync('git', ['for-each-ref', '--format=%(objectname)', name], { cwd: shared, env: gitIdentity }).stdout
  const code = ({ folder }: Serving, ...words: string[]) =>
    plumb(['code', ...words, '--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')])
  const fileOf = (serving: Serving, commit: string) =>
    serving.call(
      'GET',
      `/puppet/v3/static_file_content/modules/motd/files/motd?environment=production&code_id=${commit}`,
      { as: 'node.test' },
    )
  const talksAbout = (name: string) =>
    host.requests.filter((each) => each.startsWith(`GET /${name}.git/info/refs`)).length

  it('deploy a commit once: one makes it while the others wait, and all name it', async () => {
    const before = talksAbout('motd')
    const [one, other] = await Promise.all([start(), start()])
    const commit = await served(one)
    expect(await served(other)).toBe(commit)
    expect(sharedRef('refs/plumb/deployed/production')).toBe(commit)
    expect(sharedRef(`refs/plumb/served/${commit}`)).toBe(commit)
    // A list of refs, and a pack: no other server has asked.
    expect(talksAbout('motd') - before).toBeLessThanOrEqual(2)
  })

  it('go by what was deployed, though a module has moved since', async () => {
    const one = await start()
    const commit = await served(one)
    host.commit('motd', { 'files/motd': 'two\n' })
    expect(await served(await start())).toBe(commit)
  })

  it('take what another one has looked up anew', async () => {
    const [one, other] = [await start(), await start()]
    const before = await served(one)
    host.commit('motd', { 'files/motd': 'three\n' })
    await code(one, 'update', '--environment', 'production')
    await expect.poll(() => codeIdOf(one), patience).not.toBe(before)
    const commit = await served(one)
    await expect.poll(() => codeIdOf(other), patience).toBe(commit)
    expect((await fileOf(other, before)).status).toBe(200)
  })

  it('answer files of a commit that only another one has, and not of one that nobody has', async () => {
    const [one, other] = [await start(), await start('1d')]
    const before = await served(other)
    host.commit('motd', { 'files/motd': 'four\n' })
    await code(one, 'update', '--environment', 'production')
    await expect.poll(() => codeIdOf(one), patience).not.toBe(before)
    const commit = await served(one)
    const answers = await Promise.all(Array.from({ length: 10 }, () => fileOf(other, commit)))
    expect(answers.map(({ status, text }) => `${status} ${text}`)).toEqual(answers.map(() => '200 four\n'))
    expect(await codeIdOf(other)).toBe(before)
    expect((await fileOf(other, '0'.repeat(40))).status).toBe(404)
  })

  it('leave nothing in the shared repository of an environment that is no more', async () => {
    const one = await start()
    await served(one)
    const ref = 'refs/plumb/deployed/feature'
    host.commit('control', { 'manifests/site.pp': 'notify { feature: }\n' }, 'feature')
    await code(one, 'fetch')
    await expect.poll(() => sharedRef(ref), patience).toMatch(/^[0-9a-f]{40}$/)
    host.git('control', 'update-ref', '-d', 'refs/heads/feature')
    await code(one, 'fetch')
    await expect.poll(() => sharedRef(ref), patience).toBe('')
    expect(sharedRef('refs/plumb/deployed/production')).toMatch(/^[0-9a-f]{40}$/)
  })

  it('stay as they are while the shared repository is away, and go on when it is back', async () => {
    const one = await start()
    const before = await served(one)
    renameSync(shared, `${shared}.away`)
    const commit = host.commit('control', { 'manifests/site.pp': 'include motd\nnotify { a: }\n' }, 'production')
    await code(one, 'fetch')
    const status = async () => (await one.server.environments.status()).find(({ name }) => name === 'production')
    await expect
      .poll(status, patience)
      .toMatchObject({ commit: before, refused: { reason: expect.stringContaining(`Could not fetch from ${shared}`) } })
    renameSync(`${shared}.away`, shared)
    await one.server.environments.refresh()
    await expect.poll(() => codeIdOf(one), patience).not.toBe(before)
    const deployed = await served(one)
    expect(await served(await start())).toBe(deployed)
    expect((await status())?.commit).toBe(deployed)
    expect(deployed).not.toBe(commit)
  })
})
