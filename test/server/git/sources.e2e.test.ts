import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRepositoryTable } from '../../../src/server/git/repositories.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Serving, serve } from '../serving.ts'
import { GitClients } from './git-clients.ts'

let one: ControlRepository
let two: ControlRepository
let serving: Serving
let clients: GitClients
let file: string

const site = (word: string) => ({ 'manifests/site.pp': `notify { '${word}': }\n` })

beforeAll(async () => {
  one = controlRepository(site('one'))
  two = controlRepository(site('two'))
  const folder = scratchFolder('git-sources')
  file = join(folder, 'r10k.yaml')
  const [first, second, third] = [one, two, one].map(({ bare }) => `remote: "${bare}", interval: 1d`)
  writeFileSync(
    file,
    `sources:\n  one: {${first}}\n  two: {${second}, prefix: team}\n  other: {${third}, prefix: other}\n  away: {remote: "https://127.0.0.1:1/x.git", prefix: away, interval: 1d}\n`,
  )
  const rules = join(folder, 'auth.conf')
  writeFileSync(
    rules,
    `authorization: { version: 1, rules: [
      { name: "two: production", sort-order: 100, deny: "*"
        match-request: { path: "^/git/two\\\\.git/refs/heads/production$", type: regex } }
      { name: "repositories", sort-order: 200, allow-token: [code-read, code-push]
        match-request: { path: "/git/", type: path } }
      { name: "list", sort-order: 300, allow: { extensions: { pp_cli_auth: "true" } }
        match-request: { path: "/git", type: path } }
    ] }`,
  )
  serving = await serve({ code_sources: file, git_repositories: 'one, two', auth_conf: rules })
  clients = new GitClients(serving)
})
afterAll(() => serving?.stop())

const served = async () =>
  Object.fromEntries((await serving.server.environments.status()).map(({ name, commit }) => [name, commit]))

describe('repositories of sources over HTTPS', () => {
  it('are listed for administrators, and for nobody else', async () => {
    const { status, text } = await serving.call('GET', '/git', { as: 'admin.test' })
    expect([status, JSON.parse(text)]).toEqual([
      200,
      { repositories: ['code', 'one', 'two'].map((name) => ({ name, path: `/git/${name}.git` })) },
    ])
    expect((await serving.call('GET', '/git', { as: 'node.test' })).status).toBe(403)
  })

  it('are cloned and pushed to; the environments of the source follow, by their names', async () => {
    const clone = await clients.clone('two', { token: await clients.token('jane', 'code-push') }, 'two')
    expect(await clone.git('rev-parse', 'HEAD')).toBe(two.git('rev-parse', 'HEAD'))
    const commit = await clone.commit(site('pushed'))
    const { status, said } = await clone.push('HEAD:feature')
    expect([status, said]).toEqual([0, expect.stringContaining('team_feature')])
    expect(await served()).toMatchObject({ team_feature: commit })
    // Rules are by repository.
    const refused = await clone.push('HEAD:production')
    expect([refused.status, refused.said]).toEqual([1, expect.stringContaining('not allowed by auth.conf')])
    const other = await clients.clone('one', { token: await clients.token('john', 'code-push') }, 'one')
    const commitOfOne = await other.commit(site('pushed, too'))
    expect((await other.push('HEAD:production')).status).toBe(0)
    expect(await served()).toMatchObject({ production: commitOfOne })
    const broken = await clone.commit({ 'manifests/site.pp': 'notify {' })
    expect((await clone.push('HEAD:feature')).status).toBe(1)
    expect(two.gitBare('rev-parse', 'feature')).toBe(commit)
    expect(broken).not.toBe(commit)
  })

  it('are not served where the setting does not name them, and not to nodes', async () => {
    const token = await clients.token('reader', 'code-read')
    await expect(clients.clone('other', { token }, 'other')).rejects.toThrow(/There is no repository|not found/)
    await expect(clients.clone('as-node', { as: 'node.test' }, 'one')).rejects.toThrow('auth.conf does not allow')
  })

  it.each([
    ['on', "'on', which is not a source in code_sources"],
    ['away', 'is on another machine'],
    ['../one', 'is not a source in code_sources'],
  ])('cannot be %s', async (name, words) => {
    await expect(serve({ code_sources: file, git_repositories: name, code_fetch_timeout: '1' })).rejects.toThrow(words)
  })

  it('have one address each', () => {
    expect(() =>
      createRepositoryTable([
        ['code', '/a'],
        ['code', '/b'],
      ]),
    ).toThrow('Two repositories would have the path /git/code.git')
  })
})
