import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { type Serving, serve } from './serving.ts'

/** Modules in folders of any depth, and what the agent is to get of them. */
const site = `
file { '/two': source => 'puppet:///modules/two/x' }
file { '/tree': ensure => directory, recurse => true, source => 'puppet:///modules/two/tree' }
file { '/all': ensure => directory, recurse => true, source => 'puppet:///modules/two' }
file { '/three': source => 'puppet:///modules/three/x' }
file { '/threes': ensure => directory, recurse => true, source => 'puppet:///modules/three' }
file { '/one': source => 'puppet:///modules/one/x' }
file { '/odd': source => 'puppet:///modules/one/lib/y' }
`

let repository: ControlRepository
let serving: Serving

beforeAll(async () => {
  repository = controlRepository({
    'environment.conf': 'modulepath = modules:site/deep:.\n',
    'manifests/site.pp': site,
    'modules/two/files/x': 'two\n',
    'modules/two/files/tree/sub/y': 'tree\n',
    'site/deep/three/files/x': 'three\n',
    'one/files/x': 'one\n',
    'one/files/lib/y': 'odd\n',
  })
  // Other scopes: static-scope.e2e.test.ts.
  serving = await serve({ code_repo: repository.bare, static_catalogs_scope: 'puppet' })
})

afterAll(async () => {
  await serving?.stop()
})

interface Metadata {
  readonly type: string
  readonly content_uri: string
}

it('inlines what static_file_content gives, and nothing else', async () => {
  const { text } = await serving.call('POST', '/puppet/v3/catalog/a.test', {
    as: 'a.test',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: 'environment=production&static_catalog=true&checksum_type=sha256',
  })
  const catalog = JSON.parse(text)
  const recursive = Object.values(catalog.recursive_metadata) as Record<string, Metadata[]>[]
  const inlined = [
    ...(Object.values(catalog.metadata) as Metadata[]),
    ...recursive.flatMap((sources) => Object.values(sources).flat()),
  ]
  // Of 'one/files/lib/y' Puppet Server gives the content, and inlines nothing. Puppet: inlineable_metadata?.
  expect(Object.keys(catalog.metadata)).toEqual(['/two'])
  // Nor the folder 'files' itself.
  expect(Object.keys(catalog.recursive_metadata)).toEqual(['/tree'])
  for (const { type, content_uri } of inlined.filter((each) => each.type === 'file')) {
    const path = content_uri.replace('puppet:///', '')
    const asked = `/puppet/v3/static_file_content/${path}?environment=production&code_id=${catalog.code_id}`
    expect([type, path, (await serving.call('GET', asked, { as: 'a.test' })).status]).toEqual([type, path, 200])
  }
})

it.each(['three/x', 'one/x'])('gives the agent %s when it asks for it', async (path) => {
  const { status, text } = await serving.call('GET', `/puppet/v3/file_content/modules/${path}?environment=production`, {
    as: 'a.test',
    headers: { accept: 'application/octet-stream' },
  })
  expect([status, text]).toEqual([200, `${path.split('/')[0]}\n`])
})

it.each(['site/deep/three/files/x', 'one/files/x', 'modules/two/files', 'modules/two/files/'])(
  'does not give %s by commit',
  async (path) => {
    const commit = repository.git('rev-parse', 'HEAD')
    const asked = `/puppet/v3/static_file_content/${path}?environment=production&code_id=${commit}`
    expect((await serving.call('GET', asked, { as: 'a.test' })).status).toBe(403)
  },
)

it('says of which modules the files are not in catalogs', async () => {
  const [production] = await serving.server.environments.status()
  expect(production!.warnings.join()).toMatch(
    /^Static catalogs do not include files of the modules in site\/deep, \. of .*production: /,
  )
})

describe('parts of files', () => {
  const path = () =>
    `/puppet/v3/static_file_content/modules/two/files/x?environment=production&code_id=${repository.git('rev-parse', 'HEAD')}`
  const part = async (headers: Readonly<Record<string, string>>, asked = path()) => {
    const answer = await serving.call('GET', asked, { as: 'a.test', headers })
    return [answer.status, answer.text, answer.headers['content-range']]
  }

  it.each([
    ['bytes=0-', 206, 'two\n', 'bytes 0-3/4'],
    ['bytes=1-', 206, 'wo\n', 'bytes 1-3/4'],
    ['bytes=1-2', 206, 'wo', 'bytes 1-2/4'],
    ['bytes=3-99', 206, '\n', 'bytes 3-3/4'],
    ['bytes=-1', 206, '\n', 'bytes 3-3/4'],
    ['bytes=-99', 206, 'two\n', 'bytes 0-3/4'],
    ['bytes=4-', 416, '', 'bytes */4'],
    ['bytes=999999999999999-', 416, '', 'bytes */4'],
    ['bytes=-0', 416, '', 'bytes */4'],
    ['bytes=2-1', 200, 'two\n', undefined],
    ['bytes=0-1,2-3', 200, 'two\n', undefined],
    ['bytes=-', 200, 'two\n', undefined],
    ['bytes=9999999999999999-', 200, 'two\n', undefined],
    ['lines=1-', 200, 'two\n', undefined],
  ])('%s is %i', async (range, status, text, content) => {
    expect(await part({ range })).toEqual([status, text, content])
  })

  it('are of the file that the client has begun, or it is all of another', async () => {
    const whole = await serving.call('GET', path(), { as: 'a.test' })
    const { etag, 'accept-ranges': ranges } = whole.headers
    expect([etag, ranges]).toEqual([`"${repository.git('rev-parse', 'HEAD:modules/two/files/x')}"`, 'bytes'])
    expect(await part({ range: 'bytes=1-', 'if-range': String(etag) })).toEqual([206, 'wo\n', 'bytes 1-3/4'])
    for (const other of ['"other"', `W/${etag}`, 'Sun, 22 Nov 2026 17:03:09 GMT'])
      expect(await part({ range: 'bytes=1-', 'if-range': other })).toEqual([200, 'two\n', undefined])
    const content = '/puppet/v3/file_content/modules/two/x?environment=production'
    const accept = 'application/octet-stream'
    expect(await part({ accept, range: 'bytes=1-', 'if-range': String(etag) }, content)).toEqual([
      206,
      'wo\n',
      'bytes 1-3/4',
    ])
  })
})
