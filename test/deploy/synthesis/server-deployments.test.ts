import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readContent } from '../../../src/base/bytes/content.ts'
import type { Environments } from '../../../src/code/environments/environments.ts'
import { openGitEnvironments } from '../../../src/code/environments/git/git-environments.ts'
import type { GitEnvironmentsOptions } from '../../../src/code/environments/git/git-environments-options.ts'
import { openRepository } from '../../../src/code/git/repository-opener.ts'
import { Deployments } from '../../../src/deploy/synthesis/deployments.ts'
import { ServedDeployments } from '../../../src/deploy/synthesis/server-deployments.ts'
import { recordHookDeployment } from '../../../src/deploy/synthesis/stored-deployments.ts'
import { testSettings } from '../../code/environments/settings.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { type GivenModules, givenModules, readLines } from './given-modules.ts'

let repository: ControlRepository
const opened: ServedCode[] = []
beforeEach(() => {
  repository = controlRepository()
})
afterEach(async () => {
  for (const { close } of opened.splice(0)) await close()
})

interface ServedCode {
  readonly environments: Environments
  readonly deployments: ServedDeployments
  readonly fetcher: GivenModules
  readonly log: string[]
  close(): Promise<void>
}

interface Options extends Partial<GitEnvironmentsOptions> {
  readonly patienceMs?: number
}

/** A server's environments of the repository, with modules that are given. */
async function serve(
  given: Record<string, Record<string, string>>,
  { patienceMs = 120_000, ...options }: Options = {},
) {
  const place = { gitDir: repository.bare, quarantine: false }
  const fetcher = givenModules(place, given)
  const source = await openRepository(repository.bare)
  const log: string[] = []
  const parts = { source, place, fetcher, read: readLines }
  let environments: Environments | undefined
  const deployments = new ServedDeployments({
    deployments: new Deployments(parts, testSettings()),
    intervalMs: 0,
    patienceMs,
    say: (level, message) => void log.push(`${level}: ${message}`),
    decided: () => void environments?.refresh().catch(() => {}),
  })
  environments = await openGitEnvironments({
    ...{ source, settings: testSettings(), interval: 0, deployer: deployments },
    log: (level, message) => void log.push(`${level}: ${message}`),
    ...options,
  })
  const served = environments
  const close = () => Promise.all([deployments.close(), served.close()]).then(() => {})
  const code: ServedCode = { environments: served, deployments, fetcher, log, close }
  opened.push(code)
  return code
}

const motd = { 'manifests/init.pp': 'class motd {}\n', 'files/motd': 'Hello\n' }
const puppetfile = { Puppetfile: "mod 'motd', branch: 'main'\n" }
const deployedRef = (name = 'production') =>
  repository.gitBare('for-each-ref', '--format=%(objectname)', `refs/plumb/deployed/${name}`)
const codeIdOf = async ({ environments }: ServedCode, name = 'production') => (await environments.get(name))?.codeId

describe('a branch with a Puppetfile', () => {
  it('is served as the commit that has its modules', async () => {
    const commit = repository.push(puppetfile)
    const code = await serve({ motd })
    const codeId = await codeIdOf(code)
    expect(codeId).toMatch(/^[0-9a-f]{40}$/)
    expect(codeId).not.toBe(commit)
    expect(deployedRef()).toBe(codeId)
    expect(repository.gitBare('for-each-ref', '--format=%(refname)', 'refs/plumb/served')).toBe(
      `refs/plumb/served/${codeId}`,
    )
    const environment = (await code.environments.get('production'))!
    expect(environment.modules().map(({ name }) => name)).toEqual(['motd'])
    const file = await code.environments.openFile('production', codeId!, 'modules/motd/files/motd')
    expect(String(await readContent(file!.content))).toBe('Hello\n')
    expect(await code.environments.status()).toMatchObject([
      { name: 'production', commit: codeId, source: commit, refused: undefined, warnings: [] },
    ])
    const clone = repository.git('ls-remote', 'origin')
    expect(clone).not.toContain('refs/plumb')
  })

  it('goes on with what words came to when something else is pushed, and asks nobody', async () => {
    repository.push(puppetfile)
    const code = await serve({ motd })
    const before = await codeIdOf(code)
    code.fetcher.modules.clear()
    const next = repository.push({ 'manifests/site.pp': 'notice(1)\n' })
    await code.environments.refresh()
    expect(repository.gitBare('rev-parse', `${await codeIdOf(code)}^`)).toBe(next)
    expect(repository.gitBare('diff', '--name-only', before!, (await codeIdOf(code))!)).toBe('manifests/site.pp')
    expect(code.fetcher.asked).toEqual(['motd'])
  })

  it('stays at its last good commit where a module fails, and says why; what is mended is served', async () => {
    repository.push(puppetfile)
    const code = await serve({ motd })
    const good = await codeIdOf(code)
    const bad = repository.push({ Puppetfile: "mod 'motd', branch: 'main'\nmod 'ntp', '1.0.0'\n" })
    await code.environments.refresh()
    expect(await codeIdOf(code)).toBe(good)
    const reason = 'There is no module ntp (file: Puppetfile, line: 2, column: 1)'
    expect(await code.environments.status()).toMatchObject([{ commit: good, refused: { commit: bad, reason } }])
    expect(code.log).toContain(
      `err: Environment production cannot be served at ${bad}: ${reason}; ${good} is still served`,
    )
    expect(deployedRef()).toBe(good)
    code.fetcher.modules.set('ntp', { 'manifests/init.pp': '' })
    await code.environments.refresh()
    expect(repository.gitBare('rev-parse', `${await codeIdOf(code)}^`)).toBe(bad)
  })

  it('is served after a restart although no module can be had, even where its newest commit never was', async () => {
    repository.push(puppetfile)
    const first = await serve({ motd })
    const good = await codeIdOf(first)
    await first.close()
    opened.length = 0
    expect(await codeIdOf(await serve({}))).toBe(good)
    repository.push({ Puppetfile: "mod 'ntp', '1.0.0'\n" })
    const code = await serve({})
    expect(await codeIdOf(code)).toBe(good)
    expect(await code.environments.status()).toMatchObject([{ refused: { reason: /There is no module ntp/ } }])
  })

  it('is served as it is where the Puppetfile goes, and nothing stays of it when the branch goes', async () => {
    repository.push(puppetfile)
    repository.push({}, 'feature')
    const code = await serve({ motd })
    expect(deployedRef('*').split('\n')).toHaveLength(2)
    const plain = repository.push({ Puppetfile: undefined }, 'production')
    repository.gitBare('update-ref', '-d', 'refs/heads/feature')
    await code.environments.refresh()
    expect(await codeIdOf(code)).toBe(plain)
    expect(deployedRef('*')).toBe('')
    expect(code.log.filter((line) => line.startsWith('warn'))).toEqual([])
  })

  it('is served in its turn where its modules take long, while others are served', async () => {
    repository.push({ 'manifests/site.pp': '' })
    const code = await serve({ motd }, { patienceMs: 500 })
    let goOn = () => {}
    code.fetcher.until = new Promise((done) => (goOn = done))
    const commit = repository.push(puppetfile)
    const other = repository.push({ Puppetfile: undefined }, 'feature')
    await code.environments.refresh()
    expect(await codeIdOf(code, 'feature')).toBe(other)
    const [, production] = await code.environments.status()
    expect(production?.refused).toEqual({ commit, reason: 'The modules of its Puppetfile are being fetched' })
    goOn()
    await expect.poll(async () => deployedRef() === (await codeIdOf(code))).toBe(true)
    expect(code.fetcher.asked).toEqual(['motd'])
  })

  it('keeps what was deployed from being pruned, whatever is pushed over it', async () => {
    repository.push(puppetfile)
    const code = await serve({ motd })
    const old = (await codeIdOf(code))!
    repository.git('checkout', '--quiet', '--orphan', 'fresh')
    repository.git('rm', '--quiet', '-rf', '.')
    repository.git('branch', '--quiet', '-D', 'production')
    repository.push({ 'manifests/site.pp': '' }, 'production', '--force')
    await code.environments.refresh()
    repository.gitBare('reflog', 'expire', '--all', '--expire=now')
    repository.gitBare('gc', '--quiet', '--prune=now')
    const file = await code.environments.openFile('production', old, 'modules/motd/files/motd')
    expect(String(await readContent(file!.content))).toBe('Hello\n')
  })

  it('takes what the hook has deployed already', async () => {
    repository.push(puppetfile)
    const code = await serve({ motd })
    const place = { gitDir: repository.bare, quarantine: false }
    const commit = repository.push({ Puppetfile: "mod 'motd', branch: 'other'\n" })
    const hook = new Deployments(
      { ...code, source: await openRepository(repository.bare), place, read: readLines },
      testSettings(),
    )
    const point = { environment: 'production', ref: 'refs/heads/production', commit }
    await recordHookDeployment(place, point, await hook.deployed(point))
    expect(code.fetcher.asked).toEqual(['motd', 'motd'])
    await code.environments.refresh()
    expect(repository.gitBare('rev-parse', `${await codeIdOf(code)}^`)).toBe(commit)
    expect(code.fetcher.asked).toEqual(['motd', 'motd'])
    // A note that lies is not believed.
    const next = repository.push({ Puppetfile: "mod 'motd', branch: 'third'\n" })
    await recordHookDeployment(place, { environment: 'production', commit: next }, commit)
    await code.environments.refresh()
    expect(repository.gitBare('rev-parse', `${await codeIdOf(code)}^`)).toBe(next)
    await hook.parts.source.close()
  })
})

describe('modules that moved', () => {
  it('are looked at when it is asked for, and only what changed is new', async () => {
    repository.push(puppetfile)
    const code = await serve({ motd })
    const before = await codeIdOf(code)
    code.fetcher.modules.set('motd', { ...motd, 'files/motd': 'Bye\n' })
    await code.environments.refresh()
    expect(await codeIdOf(code)).toBe(before)
    const update = await code.deployments.update('production', { anew: 'moving' })
    await code.environments.refresh()
    const after = await codeIdOf(code)
    expect(update).toEqual({
      ...{ environment: 'production', before, after },
      changes: [{ title: 'motd', path: 'modules/motd', from: 'main', to: 'main' }],
    })
    expect(repository.gitBare('diff', '--name-only', before!, after!).split('\n')).toEqual([
      'Puppetfile.lock',
      'modules/motd/files/motd',
    ])
    expect(deployedRef()).toBe(after)
    expect(await code.deployments.update('production', { anew: 'moving' })).toMatchObject({ changes: [], after })
  })

  it('stay as they are where they fail, and the status says so until they do not', async () => {
    repository.push(puppetfile)
    const code = await serve({ motd })
    const before = await codeIdOf(code)
    code.fetcher.modules.clear()
    await expect(code.deployments.update('production', { anew: 'moving' })).rejects.toThrow('There is no module motd')
    expect(await codeIdOf(code)).toBe(before)
    const [status] = await code.environments.status()
    expect(status?.warnings).toEqual([
      'The modules are unchanged: There is no module motd (file: Puppetfile, line: 1, column: 1)',
    ])
    code.fetcher.modules.set('motd', motd)
    await code.deployments.update('production', { anew: 'moving' })
    expect((await code.environments.status())[0]?.warnings).toEqual([])
  })

  it('pass the gate like any other commit', async () => {
    repository.push(puppetfile)
    const moves: unknown[] = []
    const code = await serve(
      { motd },
      {
        async gate(move) {
          moves.push(move)
          throw new Error('nodes would break')
        },
      },
    )
    const before = await codeIdOf(code)
    code.fetcher.modules.set('motd', { ...motd, 'files/motd': 'Bye\n' })
    const update = await code.deployments.update('production', { anew: 'moving' })
    await code.environments.refresh()
    expect(await codeIdOf(code)).toBe(before)
    expect(moves[0]).toEqual({
      ...{ environment: 'production', ref: 'refs/heads/production', old: before, new: update?.after },
    })
    const [status] = await code.environments.status()
    expect(status?.refused).toEqual({
      ...{ commit: repository.git('rev-parse', 'HEAD'), deployed: update?.after, reason: 'nodes would break' },
    })
  })
})

describe('a repository that others use, too', () => {
  it('has one deployed commit, whoever of two servers made it', async () => {
    repository.push(puppetfile)
    const one = await serve({ motd })
    const other = await serve({ motd })
    repository.push({ Puppetfile: "mod 'motd', branch: 'next'\n" })
    await Promise.all([one.environments.refresh(), other.environments.refresh()])
    expect(await codeIdOf(one)).toBe(await codeIdOf(other))
    one.fetcher.modules.set('motd', { ...motd, 'files/motd': 'Bye\n' })
    await one.deployments.update('production', { anew: 'moving' })
    await one.environments.refresh()
    await other.environments.refresh()
    expect(await codeIdOf(other)).toBe(await codeIdOf(one))
    expect(other.fetcher.asked.length + one.fetcher.asked.length).toBeLessThanOrEqual(4)
    expect(deployedRef()).toBe(await codeIdOf(one))
    expect([...one.log, ...other.log].filter((line) => line.startsWith('warn'))).toEqual([])
  })

  it('is served where its refs cannot be written', async () => {
    const commit = repository.push(puppetfile)
    mkdirSync(join(repository.bare, 'refs/plumb'), { recursive: true })
    writeFileSync(join(repository.bare, 'refs/plumb/deployed'), '')
    const code = await serve({ motd })
    expect(repository.gitBare('rev-parse', `${await codeIdOf(code)}^`)).toBe(commit)
    expect(code.log.filter((line) => line.includes('Could not record the deployment of environment'))).toHaveLength(1)
    await code.close()
    opened.length = 0
    rmSync(join(repository.bare, 'refs/plumb/deployed'))
    // What was served last is noted of its own.
    expect(repository.gitBare('rev-parse', `${await codeIdOf(await serve({}))}^`)).toBe(commit)
  })

  it('leaves what is served as it was where objects cannot be written', async () => {
    repository.push(puppetfile)
    const code = await serve({ motd })
    const before = await codeIdOf(code)
    const next = repository.push({ 'manifests/site.pp': 'notice(1)\n' })
    // Whoever is root may write anywhere: a file is in the way of every folder for new objects.
    repository.gitBare('repack', '-adq')
    repository.gitBare('prune-packed')
    const objects = join(repository.bare, 'objects')
    for (let first = 0; first < 256; first++) {
      const folder = join(objects, first.toString(16).padStart(2, '0'))
      rmSync(folder, { recursive: true, force: true })
      writeFileSync(folder, '')
    }
    await code.environments.refresh()
    expect(await codeIdOf(code)).toBe(before)
    expect(await code.environments.status()).toMatchObject([{ refused: { commit: next, reason: /^git \S+ failed: / } }])
    for (let first = 0; first < 256; first++) rmSync(join(objects, first.toString(16).padStart(2, '0')))
    await code.environments.refresh()
    expect(repository.gitBare('rev-parse', `${await codeIdOf(code)}^`)).toBe(next)
    repository.gitBare('fsck', '--strict', '--no-dangling')
  })
})
