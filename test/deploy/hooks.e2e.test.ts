import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Environments } from '../../src/code/environments/environments.ts'
import { openGitEnvironments } from '../../src/code/environments/git/git-environments.ts'
import { openRepository } from '../../src/code/git/repository-opener.ts'
import { getControlPath } from '../../src/deploy/control/control-socket.ts'
import { type Control, serveControl } from '../../src/server/control/control-server.ts'
import { testSettings } from '../code/environments/settings.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'

/** The program as it is shipped; `npm test` builds it first. */
const main = resolve(import.meta.dirname, '../../dist/main.js')

let repository: ControlRepository
let rundir: string
let environments: Environments | undefined
let control: Control | undefined
beforeEach(() => {
  repository = controlRepository()
  rundir = join(repository.folder, 'run')
})
afterEach(async () => {
  await control?.close()
  await environments?.close()
  control = environments = undefined
})

/** Not in one go, for this process may be the server that it asks. */
async function run(command: string, args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { status: await ended, stdout, stderr }
}

function plumb(...args: string[]) {
  const env = { ...process.env, HOME: repository.folder, PLUMB_CONFDIR: join(repository.folder, 'etc'), NO_COLOR: '1' }
  return run(process.execPath, [main, ...args], { env })
}

/** Pushes what is committed; what git says is on standard error. */
function push(branch: string, to = 'origin') {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' }
  return run('git', ['push', to, branch], { cwd: join(repository.folder, 'work'), env })
}

function commit(files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(repository.folder, 'work', path, '..'), { recursive: true })
    writeFileSync(join(repository.folder, 'work', path), text)
  }
  repository.git('add', '-A')
  repository.git('commit', '-q', '-m', 'change')
  return repository.git('rev-parse', 'HEAD')
}

async function serve(): Promise<void> {
  const source = await openRepository(repository.bare)
  const served = await openGitEnvironments({ source, settings: testSettings(), interval: 0 })
  environments = served
  const status = async () => ({ environments: await served.status(), repository: source.path, trouble: served.trouble })
  const refresh = async () => {
    await served.refresh()
    return status()
  }
  const requests = { status, refresh, reload: refresh }
  control = await serveControl(getControlPath({ rundir }), requests)
}

describe('the hooks', () => {
  it('refuse refs that are no branches or tags, and ambiguous names', async () => {
    const first = repository.push({ 'manifests/site.pp': 'notice(1)\n' })
    await plumb('code', 'install-hooks', repository.bare, '--rundir', rundir)
    const second = commit({ 'manifests/site.pp': 'notice(2)\n' })
    for (const [to, reason] of [
      [`refs/replace/${first}`, 'only branches and tags can be pushed'],
      ['refs/notes/commits', 'only branches and tags can be pushed'],
      ['refs/heads/HEAD', 'a branch or tag cannot be named HEAD'],
      ['refs/tags/FETCH_HEAD', 'a branch or tag cannot be named FETCH_HEAD'],
      ['refs/plumb/served/x', 'reserved for the server'],
    ] as const) {
      const { status, stderr } = await push(`${second}:${to}`)
      expect(stderr, to).toContain(reason)
      expect(status, to).toBe(1)
    }
    const refs = repository.gitBare('for-each-ref', '--format=%(refname) %(objectname)')
    expect(refs).toBe(`refs/heads/production ${first}`)
    expect((await push('production')).status).toBe(0)
  })

  it('refuse a push that does not parse, with its place, while the environment stays', async () => {
    const good = repository.push({ 'manifests/site.pp': 'notice(1)\n' })
    expect(await plumb('code', 'install-hooks', repository.bare, '--rundir', rundir)).toMatchObject({
      status: 0,
      stderr: '',
    })
    await serve()
    commit({ 'manifests/site.pp': 'notice(1)\nfile { x:\n  ensure => }\n', 'data/common.yaml': 'a: [\n' })
    const { status, stderr } = await push('production')
    expect(status).not.toBe(0)
    expect(stderr).toContain('(file: manifests/site.pp, line: 3, column: 13)')
    expect(stderr).toContain('(file: data/common.yaml, line: 2, column: 1)')
    expect(stderr).toContain('2 errors in production')
    await environments?.refresh()
    expect((await environments?.get('production'))?.codeId).toBe(good)
    expect(repository.gitBare('rev-parse', 'production')).toBe(good)
  })

  it('let a good push pass, and tell the server at once', async () => {
    repository.push({ 'manifests/site.pp': 'notice(1)\n' })
    await plumb('code', 'install-hooks', repository.bare, '--rundir', rundir)
    await serve()
    const next = commit({ 'manifests/site.pp': 'notice(2)\n', 'broken/files/x.pp': '{' })
    const { status, stderr } = await push('production')
    expect(status).toBe(0)
    expect(stderr).toContain(`remote: production now serves ${next}`)
    expect((await environments?.get('production'))?.codeId).toBe(next)
    expect((await plumb('code', 'status', '--rundir', rundir)).stdout).toMatch(
      new RegExp(`^production: ${next} since .*Z\n$`),
    )
    expect(await plumb('code', 'deploy', 'none', '--rundir', rundir)).toMatchObject({ status: 1 })
  })

  it('print nothing about a server when there is none', async () => {
    await plumb('code', 'install-hooks', repository.bare, '--rundir', rundir)
    commit({ 'manifests/site.pp': 'notice(1)\n' })
    const { status, stderr } = await push('HEAD:production')
    expect(status).toBe(0)
    expect(stderr.match(/remote: .*/g)?.map((line) => line.trim())).toEqual([
      'remote: production: No node was tested: there is no earlier commit to compare with',
    ])
    expect(await plumb('code', 'status', '--rundir', rundir)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`No server is running (no response on ${rundir}/control.sock)`),
    })
  })

  it('refuse a branch that maps to the environment of another', async () => {
    repository.push({ 'manifests/site.pp': '' }, 'a_b')
    await plumb('code', 'install-hooks', repository.bare)
    repository.git('checkout', '-q', '-b', 'a-b')
    expect(await push('a-b')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        'The branch a-b maps to the environment a_b, which already belongs to the branch a_b',
      ),
    })
  })

  it('name the environment of a new branch whose name is none, and what goes with a branch', async () => {
    repository.push({ 'manifests/site.pp': '' })
    await plumb('code', 'install-hooks', repository.bare, '--rundir', rundir)
    await serve()
    const came = await push('production:feature/x')
    expect(came.status).toBe(0)
    expect(came.stderr).toContain('Note: The branch feature/x becomes the environment feature_x')
    expect(came.stderr).toContain('--environment feature_x')
    expect(came.stderr).toMatch(/feature_x now serves [0-9a-f]{40}/)
    // Said once: each push says which environment is at which commit.
    expect((await push('+production~0:feature/x')).stderr).not.toContain('becomes the environment')
    const gone = await push(':feature/x')
    expect(gone.status).toBe(0)
    expect(gone.stderr).toContain(
      'Warning: Deleting the branch feature/x removes the environment feature_x: its nodes will receive no new catalogs',
    )
    expect(gone.stderr).toContain('feature/x: no longer served')
    expect(await environments?.list()).toEqual(['production'])
  })

  it('name the heir of an environment whose branch goes', async () => {
    for (const branch of ['a-b', 'a_b']) repository.push({ 'manifests/site.pp': branch }, branch)
    await plumb('code', 'install-hooks', repository.bare, '--rundir', rundir)
    const { status, stderr } = await push(':a_b')
    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining('After deleting the branch a_b, the environment a_b belongs to the branch a-b'),
    ])
  })

  it('say that a Puppetfile is not read where it is ignored, and where modules may come from, with each push', async () => {
    repository.push({ Puppetfile: "mod 'puppetlabs/stdlib', '9.0.0'\n", 'docs/Puppetfile': '' })
    await plumb('code', 'install-hooks', repository.bare, '--rundir', rundir, '--puppetfile', 'ignore')
    await serve()
    commit({ 'manifests/site.pp': 'notice(1)\n' })
    const { status, stderr } = await push('production')
    expect(status).toBe(0)
    expect(stderr.match(/The Puppetfile is ignored: none of its modules are fetched/g)).toHaveLength(1)
    expect(stderr).toContain('basemodulepath')
    const said = 'Warning: Environment production: The Puppetfile is ignored'
    expect((await plumb('code', 'status', '--rundir', rundir)).stdout).toContain(`\n  ${said}`)
    commit({ 'manifests/site.pp': 'notice(2)\n' })
    repository.git('rm', '-q', 'Puppetfile')
    repository.git('commit', '-q', '-m', 'no Puppetfile')
    expect((await push('production')).stderr).not.toContain('The Puppetfile')
  })

  it('say of another repository than the one served that it is not, by the real paths of both', async () => {
    const head = repository.push({ 'manifests/site.pp': '' })
    await serve()
    const other = join(repository.folder, 'other.git')
    const link = join(repository.folder, 'link.git')
    await run('git', ['clone', '-q', '--bare', repository.bare, other])
    symlinkSync(repository.bare, link)
    for (const path of [other, link]) await plumb('code', 'install-hooks', path, '--rundir', rundir)
    commit({ 'manifests/site.pp': 'notice(1)\n' })
    const elsewhere = await push('production', other)
    expect(elsewhere.stderr).toContain(
      `remote: Warning: The repository ${other} is not served: the notified server serves ${repository.bare}`,
    )
    expect(elsewhere.stderr).not.toContain(head)
    expect((await push('production', link)).stderr).toContain(
      `remote: production now serves ${repository.git('rev-parse', 'HEAD')}`,
    )
  })

  it('never replace another hook, but themselves', async () => {
    expect((await plumb('code', 'install-hooks', repository.bare)).status).toBe(0)
    expect((await plumb('code', 'install-hooks', repository.bare)).status).toBe(0)
    const path = join(repository.bare, 'hooks/pre-receive')
    writeFileSync(path, '#!/bin/sh\n')
    expect(await plumb('code', 'install-hooks', repository.bare)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`Another hook exists at ${path}`),
    })
    expect(readFileSync(path, 'utf8')).toBe('#!/bin/sh\n')
  })
})

describe('plumb code and plumb environment', () => {
  it('check a commit, or what it changed', async () => {
    repository.push({ 'manifests/a.pp': '{', 'manifests/b.pp': 'notice(1)' })
    repository.push({ 'manifests/c.pp': '[', 'modules/m/metadata.json': '{', 'c.pp': '[' }, 'work')
    const asked = ['code', 'check', 'work', '--repo', repository.bare, '--render-as', 'json']
    const all = await plumb(...asked)
    expect(all.status).toBe(1)
    const places = (json: string) => (JSON.parse(json) as { file: string }[]).map(({ file }) => file)
    expect(places(all.stdout)).toEqual(['manifests/a.pp', 'manifests/c.pp', 'modules/m/metadata.json'])
    expect(places((await plumb(...asked, '--since', 'production')).stdout)).toEqual([
      'manifests/c.pp',
      'modules/m/metadata.json',
    ])
    expect(await plumb('code', 'check', 'none', '--repo', repository.bare)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("'none' is not a commit"),
    })
  })

  it('list pins', async () => {
    const head = repository.push({ 'a.pp': '' })
    await serve()
    const { stdout } = await plumb('code', 'pins', '--repo', repository.bare)
    expect(stdout).toMatch(new RegExp(`^${head}  \\S+Z  production\n$`))
  })

  it('list and show environments', async () => {
    const head = repository.push(
      {
        'manifests/site.pp': '',
        'modules/ntp/metadata.json': '{"version": "1.2.3"}',
      },
      'my-branch',
    )
    const settings = ['--code_repo', repository.bare, '--environmentpath', '/envs']
    expect((await plumb('environment', 'list', ...settings)).stdout).toBe(`my_branch  ${head}\n`)
    const shown = await plumb('environment', 'show', 'my_branch', '--render-as', 'json', ...settings)
    expect(JSON.parse(shown.stdout)).toMatchObject({
      name: 'my_branch',
      code_id: head,
      root: '/envs/my_branch',
      manifest: '/envs/my_branch/manifests',
      modulepath: ['/envs/my_branch/modules'],
      modules: [{ name: 'ntp', version: '1.2.3', path: '/envs/my_branch/modules/ntp' }],
    })
    expect(await plumb('environment', 'show', 'none', ...settings)).toMatchObject({ status: 1 })
  })
})
