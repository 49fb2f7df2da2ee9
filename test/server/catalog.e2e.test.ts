import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PoolStatus } from '../../src/compiler/workers/pool-options.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Answer, puppetError, type Serving, serve } from './serving.ts'

const rich = 'application/vnd.puppet.rich+json'
const known = 'sha256.sha384.sha512.sha224.md5'

let repository: ControlRepository
let serving: Serving
let commit: string

beforeAll(async () => {
  repository = controlRepository({
    'manifests/site.pp': `
node 'a.test' {
  notify { "os \${facts['os']}": }
  notify { "trusted \${trusted['authenticated']} \${trusted['certname']} \${trusted['hostname']}": }
  notify { "server \${server_facts['servername']} \${server_facts['environment']}": }
  notify { 'rich': message => /a.*b/ }
  file { '/tmp/a': source => 'puppet:///modules/demo/a.txt' }
}
node 'missing.test' { file { '/tmp/a': source => 'puppet:///modules/demo/missing' } }
node 'unknown.test' {
  include nope
}
node 'exact.test' { notify { 'exact': message => $facts['exact'] } }
node 'endless.test' { demo::endless(60) }
node default { notify { 'default': } }
`,
    'modules/demo/files/a.txt': 'one\n',
    'modules/demo/functions/endless.pp': `function demo::endless($depth) {
  if $depth == 0 { 0 } else { demo::endless($depth - 1) + demo::endless($depth - 1) }
}
`,
  })
  commit = repository.git('rev-parse', 'HEAD')
  repository.push({ 'manifests/site.pp': 'notify { "x":\n' }, 'broken')
  repository.pin()
  serving = await serve({ code_repo: repository.bare })
})

afterAll(async () => {
  await serving?.stop()
})

interface Asked {
  readonly to?: Serving
  readonly as?: string
  readonly fields?: Readonly<Record<string, string>>
  readonly accept?: string
  readonly query?: string
}

/** As an agent asks: its facts are encoded twice. */
function post({
  to = serving,
  as = 'a.test',
  fields = {},
  accept = rich,
  query = 'environment=production',
}: Asked = {}): Promise<Answer> {
  const facts = { name: as, values: { os: 'Debian' }, timestamp: '2026-11-21T10:00:00.000000000+00:00' }
  const form = new URLSearchParams({
    environment: 'production',
    facts_format: 'application/json',
    facts: encodeURIComponent(JSON.stringify(facts)),
    static_catalog: 'true',
    checksum_type: known,
    ...fields,
  })
  const headers = { accept, 'content-type': 'application/x-www-form-urlencoded' }
  return to.call('POST', `/puppet/v3/catalog/${as}?${query}`, { as, headers, body: form.toString() })
}

const titlesOf = ({ text }: Answer) =>
  (JSON.parse(text).resources as { type: string; title: string }[])
    .filter(({ type }) => type === 'Notify')
    .map(({ title }) => title)

describe('a catalog', () => {
  it('is of the commit that its code_id names, with the metadata of its files', async () => {
    const answer = await post()
    expect([answer.status, answer.headers['content-type'], answer.headers['x-puppet-compiler-name']]).toEqual([
      200,
      'application/vnd.puppet.rich+json; charset=utf-8',
      'localhost',
    ])
    const catalog = JSON.parse(answer.text)
    expect([catalog.name, catalog.environment, catalog.code_id, catalog.catalog_format]).toEqual([
      'a.test',
      'production',
      commit,
      2,
    ])
    const sum = createHash('sha256').update('one\n').digest('hex')
    expect(catalog.metadata['/tmp/a']).toMatchObject({
      checksum: { type: 'sha256', value: `{sha256}${sum}` },
      content_uri: 'puppet:///modules/demo/files/a.txt',
      source: 'puppet:///modules/demo/a.txt',
    })
    const file = await serving.call(
      'GET',
      `/puppet/v3/static_file_content/modules/demo/files/a.txt?environment=production&code_id=${commit}`,
      { as: 'a.test' },
    )
    expect(file.text).toBe('one\n')
  })

  it('knows facts, trusted facts and server facts', async () => {
    expect(titlesOf(await post())).toEqual([
      'os Debian',
      'trusted remote a.test a',
      'server localhost production',
      'rich',
    ])
  })

  it('has no metadata of a source that is not there, and the log says which', async () => {
    const answer = await post({ as: 'missing.test' })
    expect([answer.status, JSON.parse(answer.text).metadata]).toEqual([200, undefined])
    const site = `${serving.settings.environmentpath[0]}/production/manifests/site.pp`
    expect(serving.log.join('')).toContain(
      `Could not get metadata for puppet:///modules/demo/missing, the source of File[/tmp/a] (file: ${site}, line: 9, column: 40)`,
    )
  })

  it('says numbers and the order of keys as the facts said them', async () => {
    const exact = '{"10":1.0,"9":[1152921504606846977,0.5,1.0e+20],"a":{"2":1,"1":2}}'
    const facts = `{"name": "exact.test", "values": {"exact": ${exact}}}`
    const sent = await post({ as: 'exact.test', fields: { facts: encodeURIComponent(facts) } })
    expect(sent.text).toContain(`"message":${exact}`)
    const kept = await serving.call('GET', '/puppet/v3/catalog/exact.test?environment=production', {
      as: 'exact.test',
      headers: { accept: rich },
    })
    expect(kept.text).toContain(`"message":${exact}`)
  })

  it('is rich or plain, as the agent reads', async () => {
    const valueIn = ({ text }: Answer) =>
      (JSON.parse(text).resources as { title: string; parameters?: { message: unknown } }[]).find(
        ({ title }) => title === 'rich',
      )?.parameters?.message
    expect(valueIn(await post())).toEqual({ __ptype: 'Regexp', __pvalue: 'a.*b' })
    const plain = await post({ accept: 'application/json' })
    expect([plain.status, JSON.parse(plain.text).message]).toEqual([
      500,
      "Server Error: Notify[rich]['message'] contains a Regexp value. It will be converted to the String '/a.*b/'",
    ])
    const nothingRich = await post({ as: 'other.test', accept: 'application/json' })
    expect([nothingRich.status, nothingRich.headers['content-type']]).toEqual([200, 'application/json;charset=utf-8'])
  })

  it('is the same for a GET, with the facts that were sent last, but not static', async () => {
    await post()
    const answer = await serving.call('GET', '/puppet/v3/catalog/a.test?environment=production', {
      as: 'a.test',
      headers: { accept: rich },
    })
    const catalog = JSON.parse(answer.text)
    expect([answer.status, catalog.code_id, catalog.metadata, titlesOf(answer)[0]]).toEqual([
      200,
      commit,
      undefined,
      'os Debian',
    ])
  })

  it('is of the environment in the form, when the query says another', async () => {
    const answer = await post({ query: 'environment=nope' })
    expect([answer.status, JSON.parse(answer.text).environment]).toEqual([200, 'production'])
  })

  it('has a default node', async () => expect(titlesOf(await post({ as: 'other.test' }))).toEqual(['default']))

  it('is the same bytes each time', async () => {
    expect((await post()).text).toBe((await post()).text)
  })
})

/** What a server says of its compiling threads. */
async function poolOf(server: Serving): Promise<PoolStatus> {
  const { text } = await server.call('GET', '/status/v1/services/server?level=debug', { as: 'admin' })
  return JSON.parse(text).status['compile-pool']
}

it('leaves a core to the event loop by default', async () => {
  const plain = await serve({ code_repo: repository.bare, compile_workers: '0' })
  expect((await poolOf(plain)).size).toBe(Math.max(1, availableParallelism() - 1))
  await plain.stop()
})

describe('the facts of a request', () => {
  const file = (name: string) => join(serving.settings.server_datadir, 'facts', `${name}.json`)

  it.each([
    ['a catalog', 'kept.test', 200],
    ['none, as its code is wrong', 'unknown.test', 500],
  ])('are kept when it is answered with %s', async (_, as, status) => {
    expect((await post({ as })).status).toBe(status)
    expect(JSON.parse(readFileSync(file(as), 'utf8')).values).toEqual({ os: 'Debian' })
  })

  it('refuse the catalog when they cannot be kept', async () => {
    mkdirSync(file('lost.test'), { recursive: true })
    const answer = await post({ as: 'lost.test' })
    expect([answer.status, answer.text]).toEqual([500, expect.stringContaining('EISDIR')])
  })

  it.each([
    ['a classifier', (program: string) => ({ node_terminus: 'exec', external_nodes: program }), 'classes: []'],
    ['a program for trusted data', (program: string) => ({ trusted_external_command: program }), '{}'],
  ])('are there when %s is asked', async (_, settings, said) => {
    const folder = scratchFolder('asked')
    const program = join(folder, 'program')
    const asking = await serve({ code_repo: repository.bare, vardir: join(folder, 'var'), ...settings(program) })
    const kept = join(asking.settings.server_datadir, 'facts/new.test.json')
    writeFileSync(program, `#!/bin/sh\nset -e\ngrep -q Debian ${kept}\necho '${said}'\n`)
    chmodSync(program, 0o755)
    const answer = await post({ to: asking, as: 'new.test' })
    expect([answer.status, titlesOf(answer)]).toEqual([200, ['default']])
    await asking.stop()
  })
})

describe('no catalog', () => {
  it.each([
    ['facts without a format', { fields: { facts_format: '' } }, 'Unsupported facts format'],
    ['facts in YAML', { fields: { facts_format: 'yaml' } }, 'Unsupported facts format'],
    [
      'facts of another',
      { fields: { facts: encodeURIComponent('{"name":"b.test","values":{}}') } },
      'Catalog for "a.test" was requested with fact definition for the wrong node ("b.test").',
    ],
    [
      'no checksum type',
      { fields: { checksum_type: '' } },
      "Unable to find a common checksum type between agent '' and master '[:sha256, :sha256lite, :md5, :md5lite, :sha1, :sha1lite, :sha512, :sha384, :sha224, :mtime, :ctime, :none, :etag]'.",
    ],
  ])('for %s', async (_, asked, message) => {
    const answer = await post(asked)
    expect([answer.status, answer.text]).toEqual([
      500,
      expect.stringContaining(JSON.stringify(`Server Error: ${message}`).slice(1, -1)),
    ])
    expect(JSON.parse(answer.text).issue_kind).toBe('RUNTIME_ERROR')
  })

  it('for facts that are no JSON', async () => {
    const answer = await post({ as: 'bad.test', fields: { facts: '%7B' } })
    expect(answer.status).toBe(500)
    expect(JSON.parse(answer.text).message).toMatch(/^Server Error: Could not intern from json: /)
    expect(existsSync(join(serving.settings.server_datadir, 'facts', 'bad.test.json'))).toBe(false)
  })

  it('without a format of facts', async () => {
    const body = new URLSearchParams({ environment: 'production', facts: '{}' }).toString()
    const headers = { accept: rich, 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await serving.call('POST', '/puppet/v3/catalog/a.test', { as: 'a.test', headers, body })
    expect([answer.status, answer.text]).toEqual([
      500,
      puppetError('Server Error: Facts but no fact format provided for a.test'),
    ])
  })

  it('for an unknown class, with its place', async () => {
    const answer = await post({ as: 'unknown.test' })
    expect(answer.status).toBe(500)
    const site = `${serving.settings.environmentpath[0]}/production/manifests/site.pp`
    expect(JSON.parse(answer.text).message).toBe(
      `Server Error: Evaluation Error: Error while evaluating a Function Call, Could not find class ::nope for unknown.test (file: ${site}, line: 11, column: 3) on node unknown.test`,
    )
    expect(serving.log.join('')).toContain('Could not find class ::nope for unknown.test')
    expect(JSON.parse(answer.text).hint).toBe(`In production@${commit.slice(0, 7)}:manifests/site.pp, line 11.`)
  })

  it('for a manifest that does not parse', async () => {
    const answer = await post({ fields: { environment: 'broken' } })
    expect(answer.status).toBe(500)
    expect(JSON.parse(answer.text).message).toMatch(
      /^Server Error: Could not parse for environment broken: Syntax error at .* on node a\.test$/,
    )
    expect(JSON.parse(answer.text).hint).toMatch(/^In broken@[0-9a-f]{7}:manifests\/site\.pp\.$/)
  })

  it('for an unknown environment', async () => {
    const answer = await post({ fields: { environment: 'nope' } })
    const path = serving.settings.environmentpath.join(':')
    expect([answer.status, answer.text]).toEqual([
      500,
      puppetError(
        `Server Error: Could not find a directory environment named 'nope' anywhere in the path: ${path}. Does the directory exist?`,
        'RUNTIME_ERROR',
        `Branches served from ${repository.bare}: broken, production.`,
      ),
    ])
  })

  it.each([
    ['a-b', "The environment must be purely alphanumeric, not 'a-b'"],
    ['../x', "The environment must be purely alphanumeric, not '../x'"],
    ['', "The environment must be purely alphanumeric, not ''"],
  ])('for the environment %j', async (environment, text) => {
    const answer = await post({ fields: { environment } })
    expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([
      400,
      'text/plain;charset=utf-8',
      text,
    ])
  })

  it('without an environment', async () => {
    const answer = await serving.call('GET', '/puppet/v3/catalog/a.test', { as: 'a.test', headers: { accept: rich } })
    expect([answer.status, answer.text]).toEqual([400, "The environment must be purely alphanumeric, not 'null'"])
  })
})

describe('a server that is asked too much', () => {
  it('sends agents away for a while, ends what takes too long, and goes on with who waited', async () => {
    const small = await serve({
      code_repo: repository.bare,
      compile_workers: '1',
      compile_timeout: '20s',
      max_queued_requests: '1',
      max_retry_delay: '30s',
    })
    const ask = (as: string) =>
      small.call('GET', `/puppet/v3/catalog/${as}?environment=production`, { as, headers: { accept: rich } })
    const pool = () => poolOf(small)
    await Promise.all(['endless.test', 'a.test'].map((name) => small.credentials(name)))
    // A worker that still starts is not free, either, and the two requests could change places.
    await expect.poll(pool).toMatchObject({ free: 1, queued: 0 })
    const endless = ask('endless.test')
    await expect.poll(pool).toMatchObject({ free: 0, queued: 0 })
    const waiting = ask('a.test')
    await expect.poll(pool).toMatchObject({ free: 0, queued: 1 })
    const { status, headers, text } = await ask('a.test')
    expect([status, headers['content-type'], headers.connection]).toEqual([503, 'text/plain;charset=utf-8', 'close'])
    expect(text).toContain('exceeded the limit allowed by the max-queued-requests setting.')
    expect(Number(headers['retry-after'])).toBeLessThan(30)
    const ended = await endless
    expect([ended.status, ended.text]).toEqual([
      500,
      puppetError(
        'Server Error: Compiling the catalog of endless.test in environment production took longer than 20 seconds',
        'RUNTIME_ERROR',
        'Look for an endless loop or recursion, or increase compile_timeout.',
      ),
    ])
    expect((await waiting).status).toBe(200)
    await small.stop()
  })
})

describe('a node that belongs to another environment', () => {
  it('is told so by an empty catalog when the agent asks, and else gets the catalog of that environment', async () => {
    const classifier = join(scratchFolder('classifier'), 'enc')
    writeFileSync(classifier, '#!/bin/sh\necho "environment: production"\n')
    chmodSync(classifier, 0o755)
    const given = { code_repo: repository.bare, node_terminus: 'exec', external_nodes: classifier }
    const classified = await serve(given)
    const ask = (check: string) =>
      classified.call('GET', `/puppet/v3/catalog/a.test?environment=broken&check_environment=${check}`, {
        as: 'a.test',
        headers: { accept: rich },
      })
    const empty = JSON.parse((await ask('true')).text)
    expect([empty.name, empty.environment, empty.resources, empty.code_id]).toEqual(['a.test', 'production', [], null])
    const full = JSON.parse((await ask('false')).text)
    expect([full.environment, full.code_id]).toEqual(['production', commit])
    await classified.stop()
  })
})
