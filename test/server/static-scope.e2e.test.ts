import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRepository } from '../support/control-repository.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'

const code = {
  'environment.conf': 'modulepath = modules:site/deep:more/*\n',
  'manifests/site.pp': `file { '/a': source => 'puppet:///modules/demo/a' }
file { '/b': source => 'puppet:///modules/below/b' }
file { '/c': source => 'puppet:///modules/globbed/c' }
file { '/d': ensure => directory, recurse => true, source => 'puppet:///modules/demo' }
file { '/e': source => 'puppet:///plugins/facter/e.rb' }
`,
  'modules/demo/files/a': 'a',
  'modules/demo/lib/facter/e.rb': 'e',
  'site/deep/below/files/b': 'b',
  'site/deep/below/lib/facter/g.rb': 'g',
  'site/deep/below/manifests/init.pp': 'class below { }',
  'more/x/globbed/files/c': 'c',
  'data/keys/secret/files/key': 'secret',
  'a/b/c/files/x': 'no module',
}
const folder = scratchFolder('static-scope')
const served: Record<string, Serving> = {}
const repository = controlRepository(code)
let commit: string

beforeAll(async () => {
  repository.pin()
  commit = repository.git('rev-parse', 'HEAD')
  const auth_conf = join(folder, 'auth.conf')
  writeFileSync(
    auth_conf,
    'authorization { version: 1, rules: [ { name: "all", sort-order: 500, match-request { path: "/", type: path }, allow: "*" } ] }',
  )
  for (const scope of ['puppet', 'auto', 'all'])
    served[scope] = await serve({ code_repo: repository.bare, auth_conf, static_catalogs_scope: scope })
})

afterAll(async () => {
  for (const each of Object.values(served)) await each.stop()
})

async function inlined(scope: string) {
  const body = new URLSearchParams({ environment: 'production', static_catalog: 'true', checksum_type: 'sha256' })
  const { text } = await served[scope]!.call('POST', '/puppet/v3/catalog/a.test?environment=production', {
    as: 'a.test',
    headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
    body: body.toString(),
  })
  const { metadata = {}, recursive_metadata: recursive = {} } = JSON.parse(text)
  const single = Object.values(metadata as Record<string, { content_uri: string }>).map((each) => each.content_uri)
  const trees = Object.values(recursive as Record<string, Record<string, { content_uri: string }[]>>)
  return [
    ...single,
    ...trees.flatMap((tree) => Object.values(tree).flatMap((all) => all.map((one) => one.content_uri))),
  ]
    .map((uri) => uri.replace('puppet:///', ''))
    .sort()
}

const content = (scope: string, path: string) =>
  served[scope]!.call('GET', `/puppet/v3/static_file_content/${path}?environment=production&code_id=${commit}`, {
    as: 'a.test',
  })

describe('the files that static catalogs name', () => {
  const modules = ['modules/demo/files', 'modules/demo/files/a', 'modules/demo/files/a']
  it.each([
    ['puppet', ['modules/demo/files/a']],
    ['auto', ['more/x/globbed/files/c', 'site/deep/below/files/b', ...modules].sort()],
    [
      'all',
      [...['more/x/globbed/files/c', 'site/deep/below/files/b', ...modules, 'modules/demo/lib/facter/e.rb']].sort(),
    ],
  ])('%s', async (scope, uris) => {
    expect(await inlined(scope)).toEqual(uris)
  })

  it.each([
    ['puppet', 'site/deep/below/files/b', 403],
    ['auto', 'site/deep/below/files/b', 200],
    ['auto', 'more/x/globbed/files/c', 200],
    ['auto', 'site/deep/below/manifests/init.pp', 403],
    ['auto', 'data/keys/secret/files/key', 403],
    ['auto', 'a/b/c/files/x', 403],
    ['auto', 'manifests/site.pp', 403],
    ['all', 'site/deep/below/lib/facter/g.rb', 200],
    ['all', 'data/keys/secret/files/key', 403],
  ])('%s: %s is answered with %i', async (scope, path, status) => {
    expect((await content(scope, path)).status).toBe(status)
  })

  it('gives those of an earlier commit by its own modulepath', async () => {
    const old = commit
    repository.push({ 'environment.conf': 'modulepath = modules\n', 'manifests/site.pp': '' })
    await served.auto!.server.environments.refresh()
    expect((await content('auto', 'site/deep/below/files/b')).text).toBe('b')
    commit = repository.git('rev-parse', 'HEAD')
    expect((await content('auto', 'site/deep/below/files/b')).status).toBe(403)
    expect(commit).not.toBe(old)
  })
})
