import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toCommandLineArguments } from '../../src/machine/settings/settings.ts'
import { type Serving, serve } from '../server/serving.ts'
import {
  type ControlRepository,
  controlRepository,
  type Files,
  gitIdentity,
  writeFiles,
} from '../support/control-repository.ts'
import { openForge, type TestForge } from '../support/forge.ts'
import { type GitHost, openGitHost } from '../support/git-host.ts'
import { plumbMain } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

let forge: TestForge
let host: GitHost
let repository: ControlRepository
let serving: Serving
/** Options by which commands and hooks find what the server has. */
let places: readonly string[]

const site = "node 'web.test' { include motd }\nnode default {}\n"

beforeAll(async () => {
  forge = await openForge()
  host = await openGitHost()
  await forge.publish({
    slug: 'acme-motd',
    version: '1.0.0',
    files: {
      'manifests/init.pp':
        "class motd {\n  include ntp\n  file { '/etc/motd': source => 'puppet:///modules/motd/motd' }\n}\n",
      'files/motd': 'Hello\n',
    },
  })
  host.commit('ntp', { 'manifests/init.pp': "class ntp { notify { 'one': } }\n", 'spec/x_spec.rb': '' })
  repository = controlRepository()
  const folder = scratchFolder('puppetfile-push')
  const settings = {
    confdir: join(folder, 'etc'),
    vardir: join(folder, 'var'),
    module_repository: forge.url,
    puppetfile_sources: `${host.url},${forge.url}`,
  }
  places = toCommandLineArguments(settings)
  serving = await serve({ ...settings, code_repo: repository.bare, gate: 'refuse' })
  await run(process.execPath, [plumbMain, 'code', 'install-hooks', repository.bare, ...places])
})

afterAll(async () => {
  await serving?.stop()
  await forge?.close()
  await host?.close()
})

/** Not in one go, for this process is the server that it asks. */
async function run(command: string, words: readonly string[], cwd?: string) {
  const child = spawn(command, words, {
    cwd,
    env: { ...process.env, ...gitIdentity, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((done) => child.once('close', done))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { status: await ended, stdout, stderr }
}

const plumb = (...words: string[]) => run(process.execPath, [plumbMain, ...words, ...places])

const puppetfile = (...more: string[]) =>
  [
    `forge '${forge.url}'`,
    "mod 'acme/motd', '1.0.0'",
    `mod 'ntp', git: '${host.url}/ntp.git', branch: 'main'`,
    ...more,
    '',
  ].join('\n')

/** Commits files and pushes them through the hooks; what is refused is taken back. */
async function push(files: Files, ...options: string[]) {
  const before =
    repository.git('rev-list', '--all', '--max-count=1') === '' ? undefined : repository.git('rev-parse', 'HEAD')
  writeFiles(repository.work, files)
  repository.git('add', '--all')
  repository.git('commit', '--quiet', '--allow-empty', '--message', 'A change')
  const commit = repository.git('rev-parse', 'HEAD')
  const pushed = await run('git', ['push', ...options, 'origin', 'HEAD:production'], repository.work)
  if (pushed.status !== 0 && before !== undefined) repository.git('reset', '--quiet', '--hard', before)
  return { commit, ...pushed }
}

const servedCommit = async () => (await serving.server.environments.get('production'))?.codeId

async function catalogOf(node: string) {
  const facts = { name: node, values: { kernel: 'Linux' }, timestamp: '2026-01-01T00:00:00Z' }
  const given = `facts_format=application/json&facts=${encodeURIComponent(encodeURIComponent(JSON.stringify(facts)))}`
  const { text: body } = await serving.call('POST', `/puppet/v3/catalog/${node}`, {
    as: node,
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: `environment=production&static_catalog=true&checksum_type=sha256&${given}`,
  })
  return JSON.parse(body)
}

const titlesOf = ({ resources }: { resources: { type: string; title: string }[] }) =>
  resources.map(({ type, title }) => `${type}[${title}]`)

/** The source's commit that is served with its modules. */
const sourceOf = (commit: string | undefined) => repository.gitBare('rev-parse', `${commit}^`)

describe.sequential('a control repository with a Puppetfile', () => {
  it('is deployed by its push: the agent gets the class and the file of its modules by code_id', async () => {
    const { commit, status, stderr } = await push({ Puppetfile: puppetfile(), 'manifests/site.pp': site })
    expect([status, stderr]).toEqual([0, expect.stringContaining(`(${commit} with modules)`)])
    const codeId = await servedCommit()
    expect(sourceOf(codeId)).toBe(commit)
    const catalog = await catalogOf('web.test')
    expect(catalog.code_id).toBe(codeId)
    expect(titlesOf(catalog)).toEqual(expect.arrayContaining(['Class[Motd]', 'File[/etc/motd]', 'Notify[one]']))
    const uri: string = catalog.metadata['/etc/motd'].content_uri
    const path = uri.replace('puppet:///', '')
    const asked = `/puppet/v3/static_file_content/${path}?environment=production&code_id=${codeId}`
    const file = await serving.call('GET', asked, { as: 'web.test' })
    expect([file.status, file.text]).toEqual([200, 'Hello\n'])
    const status_ = await plumb('code', 'status')
    expect(status_.stdout).toContain(`production: ${codeId} (${commit} with modules) since`)
  })

  it('is refused where a module cannot be had, with its line, and nothing changes', async () => {
    const before = await servedCommit()
    const head = repository.gitBare('rev-parse', 'production')
    const { status, stderr } = await push({
      Puppetfile: puppetfile("mod 'acme/none', '1.0.0'", "mod 'acme/motd2', '9.9.9'"),
    })
    expect(status).not.toBe(0)
    expect(stderr).toContain('(file: Puppetfile, line: 4')
    expect(stderr).toContain('(file: Puppetfile, line: 5')
    expect(stderr).toContain('2 errors in production')
    expect(repository.gitBare('rev-parse', 'production')).toBe(head)
    expect(await servedCommit()).toBe(before)
  })

  it('is refused where the Ruby of the Puppetfile, or a file that a module brings, does not parse', async () => {
    const broken = await push({ Puppetfile: 'mod (\n' })
    expect([broken.status, broken.stderr]).toEqual([1, expect.stringContaining('Puppetfile, line: ')])
    host.commit('bad', { 'manifests/init.pp': 'class bad {' })
    const bad = await push({ Puppetfile: puppetfile(`mod 'bad', git: '${host.url}/bad.git', branch: 'main'`) })
    expect([bad.status, bad.stderr]).toEqual([1, expect.stringContaining('(file: modules/bad/manifests/init.pp)')])
  })

  it('is refused by the gate where a node would have no catalog with the modules', async () => {
    await catalogOf('web.test')
    host.commit('ntp', { 'manifests/init.pp': "class ntp { fail('no more') }\n" }, 'broken')
    const { status, stderr } = await push({
      Puppetfile: puppetfile().replace(/(ntp.git', branch:) 'main'/, "$1 'broken'"),
    })
    expect([status, stderr]).toEqual([1, expect.stringContaining('no more')])
    expect(stderr).toContain('web.test')
  })

  it('moves a branch of a module when that is asked for, and says what changed', async () => {
    const before = await servedCommit()
    const old = host.git('ntp', 'rev-parse', 'main')
    const now = host.commit('ntp', { 'manifests/init.pp': "class ntp { notify { 'two': } }\n" })
    await push({ 'manifests/site.pp': `${site}# A comment\n` })
    expect(repository.gitBare('diff', '--name-only', before!, (await servedCommit())!)).toBe('manifests/site.pp')
    const { status, stdout } = await plumb('code', 'update')
    expect([status, stdout]).toEqual([0, expect.stringContaining(`production: modules/ntp: ${old} -> ${now}\n`)])
    await serving.server.environments.refresh()
    expect(titlesOf(await catalogOf('web.test'))).toContain('Notify[two]')
    expect((await plumb('code', 'update', '--render-as', 'json')).stdout).toContain('"result": "unchanged"')
    expect((await plumb('code', 'deploy', 'production')).status).toBe(0)
  })

  it('stands for the deployed commit in commands that take a branch', async () => {
    const served = await servedCommit()
    const compiled = await plumb(
      'catalog',
      'compile',
      '--node',
      'web.test',
      '--repo',
      repository.bare,
      '--at',
      'production',
    )
    expect(JSON.parse(compiled.stdout).code_id).toBe(served)
    const older = await plumb(
      'catalog',
      'diff',
      'production~1',
      'production',
      '--node',
      'web.test',
      '--repo',
      repository.bare,
    )
    expect([older.status, older.stderr]).toEqual([0, expect.not.stringContaining('Error')])
    const impact = await plumb(
      'code',
      'impact',
      'production~1..production',
      '--node',
      'web.test',
      '--repo',
      repository.bare,
    )
    expect([impact.status, impact.stdout]).toEqual([0, expect.stringContaining('Notify[two]')])
    const explained = await plumb('catalog', 'explain', 'web.test', 'Notify[two]', '--repo', repository.bare)
    expect([explained.status, explained.stdout]).toEqual([0, expect.stringContaining('modules/ntp/manifests/init.pp')])
    const found = await plumb(
      ...['catalog', 'bisect', 'production~1..production', '--node', 'web.test', '--repo', repository.bare],
      ...['--resource', 'Notify[two]'],
    )
    expect([found.status, found.stdout]).toEqual([0, expect.stringContaining('is the commit that changed Notify[two]')])
    const checked = await plumb('code', 'check', 'production', '--repo', repository.bare)
    expect([checked.status, checked.stderr]).toEqual([0, ''])
    const pins = await plumb('code', 'pins', '--repo', repository.bare)
    expect(pins.stdout).toContain(`${served}  `)
    expect(pins.stdout).toContain(`production  with modules, from ${repository.git('rev-parse', 'HEAD')}`)
  })

  it('is held by a Puppetfile.lock, and refused where that does not fit', async () => {
    const { status, stdout: lock } = await plumb('code', 'lock', 'production', '--repo', repository.bare)
    expect(status).toBe(0)
    const at = host.git('ntp', 'rev-parse', 'main')
    expect(JSON.parse(lock).modules).toMatchObject([
      { title: 'acme/motd', path: 'modules/motd', source: expect.stringContaining('forge 1.0.0'), resolved: '1.0.0' },
      { title: 'ntp', path: 'modules/ntp', source: `git ${host.url}/ntp.git branch main`, resolved: at },
    ])
    expect((await push({ 'Puppetfile.lock': lock })).status).toBe(0)
    host.commit('ntp', { 'manifests/init.pp': "class ntp { notify { 'three': } }\n" })
    const { stdout } = await plumb('code', 'update')
    expect(stdout).toContain('production: locked by its Puppetfile.lock')
    expect(titlesOf(await catalogOf('web.test'))).toContain('Notify[two]')
    const other = await push({ Puppetfile: puppetfile().replace(/(ntp.git', branch:) 'main'/, "$1 'broken'") })
    expect([other.status, other.stderr]).toEqual([
      1,
      expect.stringContaining('The Puppetfile.lock does not match the Puppetfile'),
    ])
    expect(other.stderr).toContain('(file: Puppetfile, line: 3')
    const fresh = await plumb('code', 'lock', 'production', '--repo', repository.bare, '--module', 'ntp')
    expect(JSON.parse(fresh.stdout).modules[1].resolved).toBe(host.git('ntp', 'rev-parse', 'main'))
  })

  it('has a bill of materials, the same each time', async () => {
    const sbom = () => plumb('code', 'sbom', 'production', '--repo', repository.bare)
    const { status, stdout } = await sbom()
    expect([status, (await sbom()).stdout]).toEqual([0, stdout])
    const { bomFormat, specVersion, metadata, components } = JSON.parse(stdout)
    expect([bomFormat, specVersion, metadata.component.name]).toEqual(['CycloneDX', '1.6', 'production'])
    expect(components).toMatchObject([
      { name: 'motd', version: '1.0.0', purl: 'pkg:puppet/acme/motd@1.0.0', hashes: [{ alg: 'SHA-256' }] },
      { name: 'ntp', externalReferences: [{ type: 'vcs', url: `${host.url}/ntp.git` }] },
    ])
    expect((await plumb('code', 'sbom', 'nosuch', '--repo', repository.bare)).status).toBe(1)
  })

  it('takes a force-push, and a branch of its own', async () => {
    repository.git('checkout', '--quiet', '-b', 'other', 'HEAD~1')
    const forced = await push({ 'manifests/site.pp': `${site}# Another\n` }, '--force')
    expect(forced.status).toBe(0)
    expect(sourceOf(await servedCommit())).toBe(forced.commit)
    const feature = await run('git', ['push', 'origin', 'HEAD:feature'], repository.work)
    expect(feature.status).toBe(0)
    // The same commit and the same modules are the same commit.
    expect((await serving.server.environments.get('feature'))?.codeId).toBe(await servedCommit())
    expect((await run('git', ['push', 'origin', ':feature'], repository.work)).status).toBe(0)
    await serving.server.environments.refresh()
    expect(repository.gitBare('for-each-ref', '--format=%(refname)', 'refs/plumb/deployed')).toBe(
      'refs/plumb/deployed/production',
    )
  })

  it('is served as it is again when the Puppetfile goes', async () => {
    const { commit, status } = await push({
      Puppetfile: undefined,
      'Puppetfile.lock': undefined,
      'manifests/site.pp': "node default { notify { 'plain': } }\n",
    })
    expect(status).toBe(0)
    expect(await servedCommit()).toBe(commit)
    expect(titlesOf(await catalogOf('web.test'))).toContain('Notify[plain]')
    expect(repository.gitBare('for-each-ref', 'refs/plumb/deployed')).toBe('')
    repository.gitBare('fsck', '--strict', '--no-dangling')
    expect(existsSync(join(repository.bare, 'plumb-deployed'))).toBe(true)
  })
})
