import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listRefEnvironments } from '../../src/deploy/sources/environment-choice.ts'
import { readSources } from '../../src/deploy/sources/sources-file-parser.ts'
import { toCommandLineArguments } from '../../src/machine/settings/settings.ts'
import { type Serving, serve } from '../server/serving.ts'
import {
  type ControlRepository,
  controlRepository,
  type Files,
  gitIdentity,
  writeFiles,
} from '../support/control-repository.ts'
import { eventually } from '../support/eventually.js'
import { type GitHost, openGitHost } from '../support/git-host.ts'
import { plumbMain } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const defaults = { intervalMs: 1000, timeoutMs: 1000, maxBytes: 1, webhookSecretFile: undefined }

describe('the environments of a branch of a source', () => {
  const cases: readonly (readonly [keys: string, branch: string, environments: readonly string[]])[] = [
    ['', 'feature/x', ['feature_x']],
    ['prefix: true', 'feature/x', ['one_feature_x']],
    ['prefix: acme', 'production', ['acme_production']],
    ['prefix: true, strip_component: "env/"', 'env/test', ['one_test']],
    ['ignore_branch_prefixes: [doc]', 'docs', []],
    ['invalid_branches: error', 'a-b', []],
    ['environments: {stable: production, old: tags/v1}', 'production', ['stable']],
    ['environments: {stable: production}', 'other', []],
    ['environments: {stable: main, next: main}', 'main', ['stable', 'next']],
    ['environments: {stable: main}, refs: ["*"]', 'main', ['stable', 'main']],
  ]
  it.each(cases)('{%s}: %s', (keys, branch, environments) => {
    const text = `sources:\n  one: {remote: /srv/one.git${keys === '' ? '' : `, ${keys}`}}\n`
    const { sources } = readSources(text, 'r10k.yaml', defaults)
    expect(listRefEnvironments(sources[0]!, `heads/${branch}`)).toEqual(environments)
  })
})

describe.sequential('a push to the repository of a source with a prefix, and a Puppetfile', () => {
  let host: GitHost
  let local: ControlRepository
  let serving: Serving
  beforeAll(async () => {
    host = await openGitHost()
    host.commit('ntp', { 'manifests/init.pp': "class ntp { notify { 'of main': } }\n" }, 'main')
    host.commit('ntp', { 'manifests/init.pp': "class ntp { notify { 'of production': } }\n" }, 'production')
    local = controlRepository({ 'manifests/site.pp': 'include ntp\n', Puppetfile: puppetfile('# One') })
    const folder = scratchFolder('source-push')
    const file = join(folder, 'r10k.yaml')
    writeFileSync(file, `sources:\n  local: {remote: "${local.bare}", prefix: true, interval: 1d}\n`)
    const settings = { confdir: join(folder, 'etc'), vardir: join(folder, 'var'), code_sources: file, gate: 'refuse' }
    const all = { ...settings, puppetfile_sources: host.url }
    serving = await serve(all)
    const places = toCommandLineArguments(all)
    await eventually(
      async () => (await serving.call('GET', '/status/v1/simple')).text,
      (text) => text === 'running',
    )
    const installed = await run(process.execPath, [plumbMain, 'code', 'install-hooks', local.bare, ...places])
    expect([installed.exitCode, installed.stderr]).toEqual([0, ''])
  })
  afterAll(async () => {
    await serving?.stop()
    await host?.close()
  })

  /** Not in one go, for this process is the server that is asked. */
  const run = (command: string, words: readonly string[], cwd = local.work) =>
    execa(command, words, { cwd, env: { ...gitIdentity, NO_COLOR: '1' }, reject: false, stdin: 'ignore' })

  function puppetfile(comment: string) {
    return `${comment}\nmod 'ntp', git: '${host.url}/ntp.git', branch: :control_branch, default_branch: 'main'\n`
  }

  async function push(files: Files, branch: string) {
    writeFiles(local.work, files)
    local.git('add', '--all')
    local.git('commit', '--quiet', '--allow-empty', '--message', 'A change')
    return run('git', ['push', 'origin', `HEAD:${branch}`])
  }

  async function notesOf(environment: string, node = 'web.test') {
    const facts = { name: node, values: { kernel: 'Linux' }, timestamp: '2026-01-01T00:00:00Z' }
    const given = encodeURIComponent(encodeURIComponent(JSON.stringify(facts)))
    const { text } = await serving.call('POST', `/puppet/v3/catalog/${node}`, {
      as: node,
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: `environment=${environment}&facts_format=application/json&facts=${given}`,
    })
    const { resources } = JSON.parse(text) as { resources: { type: string; title: string }[] }
    return resources.filter(({ type }) => type === 'Notify').map(({ title }) => title)
  }

  it('has modules of the branch as its repository calls it', async () => {
    expect(await notesOf('local_production')).toEqual(['of production'])
  })

  it('is deployed, named in messages and noted as the environment that it becomes', async () => {
    const { exitCode, stderr } = await push({ Puppetfile: puppetfile('# Two') }, 'feature/y')
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('local_feature_y')])
    expect(stderr).not.toMatch(/(?<!local_)feature_y/)
    // A server that finds a look at its branches to take long answers the hook, and goes on.
    await expect.poll(() => notesOf('local_feature_y')).toEqual(['of main'])
  })

  it('is tried by the gate as that environment', async () => {
    const { exitCode, stderr } = await push({ 'manifests/site.pp': 'fail("no ${environment}")\n' }, 'production')
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('no local_production')])
    expect(await notesOf('local_production')).toEqual(['of production'])
  })
})
