import { createHash } from 'node:crypto'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { puppetVersion } from '../../src/base/puppet-version.ts'
import { ensureAuthority } from '../../src/ca/authority-settings.ts'
import { buildCertificate, parseCertificate, toCertificatePem } from '../../src/ca/x509/certificate.ts'
import { generatePrivateKey, toPrivateKeyPem, toPublicKeyDer } from '../../src/ca/x509/keys.ts'
import { createKeySigner } from '../../src/ca/x509/signature.ts'
import { loadSettings } from '../../src/machine/settings/settings.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { openConfiguredAuthority, openConfiguredStorage } from '../../src/store/authority/configured-authority.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { puppetError, type Serving, serve } from './serving.ts'
import { authorityIn } from './tls-client.ts'

const plain = 'text/plain;charset=utf-8'
const jsonType = 'application/json;charset=utf-8'
const accept = { accept: 'application/json' }

let repository: ControlRepository
let serving: Serving
let first: string
let second: string

beforeAll(async () => {
  repository = controlRepository({
    'manifests/site.pp': "notify { 'hello': }\n",
    'environment.conf': 'modulepath = modules\n',
    'modules/demo/files/a.txt': 'one\n',
    'modules/demo/files/big.txt': 'x'.repeat(5000),
    'modules/demo/files/tree/b.txt': 'b\n',
    'modules/demo/lib/facter/x.rb': '# x\n',
    'modules/demo/manifests/init.pp': 'class demo { }\n',
    'modules/demo/metadata.json': '{"name": "me-demo", "version": "1.2.3"}',
  })
  first = repository.git('rev-parse', 'HEAD')
  second = repository.push({ 'modules/demo/files/a.txt': 'two\n', 'modules/demo/files/new.txt': 'new\n' })
  serving = await serve({ code_repo: repository.bare })
})

afterAll(async () => {
  await serving?.stop()
})

describe('file serving', () => {
  it('describes a file', async () => {
    const { status, headers, text } = await get(
      'file_metadata/modules/demo/a.txt?environment=production&checksum_type=md5',
    )
    expect(status).toBe(200)
    expect(headers['content-type']).toBe(jsonType)
    expect(headers['x-puppet-version']).toBe(puppetVersion)
    expect(JSON.parse(text)).toMatchObject({
      relative_path: null,
      type: 'file',
      mode: 420,
      links: 'manage',
      destination: null,
      checksum: { type: 'md5', value: '{md5}c193497a1a06b2c72230e6146ff47080' },
    })
  })

  it('describes a folder and all below it', async () => {
    const { text } = await get('file_metadatas/modules/demo?environment=production&recurse=true&ignore=*.txt&ignore=x')
    const found = JSON.parse(text) as { relative_path: string }[]
    expect(found.map(({ relative_path }) => relative_path)).toEqual(['.', 'tree'])
  })

  it('limits how deep and how much', async () => {
    const deep = JSON.parse(
      (await get('file_metadatas/modules/demo?environment=production&recurse=true&recurselimit=1')).text,
    )
    expect((deep as { relative_path: string }[]).map(({ relative_path }) => relative_path)).not.toContain('tree/b.txt')
    const many = await get('file_metadatas/modules/demo?environment=production&recurse=true&max_files=1')
    expect([many.status, many.text]).toEqual([
      500,
      expect.stringContaining('which exceeds the limit of 1 specified by the max_files'),
    ])
  })

  it('sends bytes as they are', async () => {
    const { status, headers, bytes } = await get(
      'file_content/modules/demo/a.txt?environment=production',
      'application/octet-stream',
    )
    expect([status, headers['content-type'], headers['content-length'], bytes.toString()]).toEqual([
      200,
      'application/octet-stream',
      '4',
      'two\n',
    ])
  })

  it('sends nothing for a folder', async () => {
    const { status, bytes } = await get(
      'file_content/modules/demo/tree?environment=production',
      'application/octet-stream',
    )
    expect([status, bytes.length]).toEqual([200, 0])
  })

  it('compresses text when asked', async () => {
    const url = '/puppet/v3/file_metadatas/modules/demo?environment=production&recurse=true'
    const zipped = await serving.call('GET', url, {
      as: 'a.test',
      headers: { ...accept, 'accept-encoding': 'gzip, deflate' },
    })
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(zipped.bytes).toString()).toBe(
      (await serving.call('GET', url, { as: 'a.test', headers: accept })).text,
    )
  })
})

describe('static file content', () => {
  const ask = (path: string, environment: string, codeId: string, method = 'GET') =>
    serving.call(
      method,
      `/puppet/v3/static_file_content/${path}?environment=${environment}&code_id=${encodeURIComponent(codeId)}`,
      { as: 'a.test' },
    )

  it('is of exactly the commit that is named', async () => {
    for (const [codeId, text] of [
      [first, 'one\n'],
      [second, 'two\n'],
    ] as const) {
      const answer = await ask('modules/demo/files/a.txt', 'production', codeId)
      expect([answer.status, answer.headers['content-type'], answer.headers['content-length'], answer.text]).toEqual([
        200,
        'application/octet-stream',
        '4',
        text,
      ])
    }
    expect((await ask('modules/demo/files/a.txt', 'production', first, 'HEAD')).status).toBe(403)
  })

  const denied =
    'Request Denied: A /static_file_content request must be a file within the files, lib, scripts, or tasks directory of a module.'
  const incomplete = 'Error: A /static_file_content request requires an environment, a code-id, and a file-path'
  const badId = (id: string) => `Invalid code-id '${id}'. Must contain only alpha-numerics and '-', '_', ';', or ':'`
  it.each([
    ['no path', '', 'production', 'HEAD', 400, incomplete],
    ['no environment', 'modules/demo/files/a.txt', '', 'HEAD', 400, incomplete],
    ['no code_id', 'modules/demo/files/a.txt', 'production', '', 400, incomplete],
    [
      'a bad environment',
      'modules/demo/files/a.txt',
      'a-b',
      'HEAD',
      400,
      "The environment must be purely alphanumeric, not 'a-b'",
    ],
    ['a bad code_id', 'modules/demo/files/a.txt', 'production', 'a b', 400, badId('a b')],
    [
      'an option for a code_id',
      'modules/demo/files/a.txt',
      'production',
      '--help',
      404,
      'Not Found: modules/demo/files/a.txt does not exist in --help',
    ],
    ['a path as code_id', 'modules/demo/files/a.txt', 'production', '../x', 400, badId('../x')],
    ['a manifest', 'modules/demo/manifests/init.pp', 'production', 'HEAD', 403, denied],
    ['too short a path', 'modules/demo/files', 'production', 'HEAD', 403, denied],
  ])('refuses %s', async (_, path, environment, codeId, status, text) => {
    const answer = await ask(path, environment, codeId)
    expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([status, plain, text])
  })

  it.each([
    ['an unknown commit', 'modules/demo/files/a.txt', '0123456789012345678901234567890123456789'],
    ['a ref', 'modules/demo/files/a.txt', 'HEAD'],
    ['a short id', 'modules/demo/files/a.txt', () => first.slice(0, 10)],
    ['a file of another commit', 'modules/demo/files/new.txt', () => first],
    ['a folder', 'modules/demo/files/tree', () => second],
  ])('does not find %s', async (_, path, codeId) => {
    expect((await ask(path, 'production', typeof codeId === 'string' ? codeId : codeId())).status).toBe(404)
  })

  it('serves lib, too', async () => {
    expect((await ask('modules/demo/lib/facter/x.rb', 'production', second)).text).toBe('# x\n')
  })
})

describe('node, facts, environments', () => {
  const sent = (name: string) =>
    JSON.stringify({
      name,
      values: { os: 'Debian' },
      timestamp: '2026-11-21T10:00:00Z',
      expiration: '2099-01-01T00:00:00Z',
    })
  const put = (name: string, body: string | Buffer, type?: string) =>
    serving.call('PUT', `/puppet/v3/facts/${name}?environment=production`, {
      as: name,
      body,
      headers: type === undefined ? {} : { 'content-type': type },
    })

  it('keeps facts and gives them as parameters of the node', async () => {
    const before = await get('node/a.test?environment=production')
    expect(JSON.parse(before.text)).toEqual({ name: 'a.test', environment: 'production', parameters: {} })
    const answer = await put('a.test', sent('a.test'), 'application/json')
    expect([answer.status, answer.headers['content-type']]).toEqual([200, jsonType])
    const after = await get('node/a.test?environment=production')
    expect(JSON.parse(after.text).parameters).toEqual({ os: 'Debian' })
  })

  const noType = "Bad Request: No Content-Type header was received, it isn't possible to unserialize the request"
  it.each([
    ['no type', sent('b.test'), undefined, 400, puppetError(noType, 'MISSING_HEADER_FIELD')],
    [
      'an unknown type',
      sent('b.test'),
      'text/x',
      415,
      puppetError(
        "Unsupported Media Type: Client sent a mime-type (text/x) that doesn't correspond to a format we support",
        'UNSUPPORTED_MEDIA_TYPE',
      ),
    ],
    [
      'facts of another',
      sent('c.test'),
      'application/json',
      400,
      puppetError('Bad Request: The request for "b.test" contains the facts of "c.test"'),
    ],
  ])('refuses %s and writes nothing', async (_, body, type, status, text) => {
    const answer = await put('b.test', body, type)
    expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([status, jsonType, text])
    expect(existsSync(join(serving.settings.server_datadir, 'facts', 'b.test.json'))).toBe(false)
  })

  it.each(['{', '[]', '', 'null', '{"values": {}}', '{"name": "b.test", "values": []}'])(
    'refuses the body %j',
    async (body) => {
      const answer = await put('b.test', body, 'application/json')
      expect(answer.status).toBe(400)
      expect(JSON.parse(answer.text).message).toMatch(
        /^Bad Request: The request body is invalid: Could not intern from json: /,
      )
    },
  )

  it('lists environments', async () => {
    const { status, text } = await serving.call('GET', '/puppet/v3/environments', { as: 'a.test' })
    const root = `${serving.settings.environmentpath[0]}/production`
    expect([status, JSON.parse(text)]).toEqual([
      200,
      {
        search_paths: [`file://${serving.settings.environmentpath[0]}`, 'data:text/plain,internal'],
        environments: {
          production: {
            settings: {
              modulepath: [`${root}/modules`],
              manifest: `${root}/manifests`,
              environment_timeout: expect.anything(),
              config_version: '',
            },
          },
        },
      },
    ])
  })
})

describe('reports', () => {
  const sent = {
    host: 'a.test',
    time: '2026-11-21T10:56:11.123456789+00:00',
    status: 'changed',
    logs: [],
    metrics: {},
    resource_statuses: {},
  }
  const put = (body: unknown) =>
    serving.call('PUT', '/puppet/v3/report/a.test?environment=production', {
      as: 'a.test',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })

  it('are stored', async () => {
    const answer = await put(sent)
    expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([200, jsonType, '["store"]'])
    expect(readdirSync(join(serving.settings.reportdir, 'a.test'))).toEqual(['20261121105611123.yaml'])
  })

  const large = {
    ...sent,
    time: '2026-11-22T00:00:00Z',
    resource_statuses: { 'Notify[x]': { title: 'x'.repeat(2e6) } },
  }

  it('are stored as they came, also large ones, and those that were refused stop nobody', async () => {
    expect((await put({ ...large, host: 7 })).text).toContain('report.host must be a string')
    expect((await put(JSON.stringify(large).slice(0, -1))).status).toBe(400)
    expect((await put(large)).status).toBe(200)
    const stored = join(serving.settings.reportdir, 'a.test', '20261122000000000.yaml')
    const [head, ...lines] = readFileSync(stored, 'utf8').split('\n')
    expect(head).toBe('--- !ruby/object:Puppet::Transaction::Report')
    expect(parse(lines.join('\n'))).toEqual(large)
  })

  it('are refused in words where their disk is full', async () => {
    const full = await serve({ code_repo: repository.bare, report_min_free_space: String(2 ** 50) })
    const answer = await full.call('PUT', '/puppet/v3/report/a.test?environment=production', {
      as: 'a.test',
      body: JSON.stringify(sent),
      headers: { 'content-type': 'application/json' },
    })
    expect([answer.status, answer.text]).toEqual([
      507,
      puppetError(
        'Insufficient Storage: The disk of the reports has too little free space',
        'RUNTIME_ERROR',
        'Remove old reports, or decrease report_min_free_space.',
      ),
    ])
    await full.stop()
  })

  it.each([[{ ...sent, host: 'b.test' }], [{ ...sent, logs: 1 }], ['{"host": "a.test"'], [{}]])(
    'are refused: %j',
    async (body) => {
      expect((await put(body)).status).toBe(400)
      expect(readdirSync(serving.settings.reportdir)).toEqual(['a.test'])
    },
  )
})

describe('the bucket', () => {
  const sum = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  const url = `/puppet/v3/file_bucket_file/sha256/${sum}/etc/x?environment=production`
  const octets = { accept: 'application/octet-stream', 'content-type': 'application/octet-stream' }
  const sumOf = (text: string) => createHash('sha256').update(text).digest('hex')

  it('takes and gives', async () => {
    expect((await serving.call('HEAD', url, { as: 'a.test', headers: octets })).status).toBe(404)
    const put = await serving.call('PUT', url, { as: 'a.test', headers: octets, body: 'abc' })
    expect([put.status, put.text]).toEqual([200, ''])
    expect((await serving.call('HEAD', url, { as: 'a.test', headers: octets })).status).toBe(200)
    expect((await serving.call('GET', url, { as: 'a.test', headers: octets })).text).toBe('abc')
  })

  it('does not give what is damaged, until the same file is put once more', async () => {
    const contents = join(serving.settings.bucketdir, ...sum.slice(0, 8), sum, 'contents')
    chmodSync(contents, 0o640)
    writeFileSync(contents, 'abx')
    const ask = (method: string, body?: string) =>
      serving.call(method, url, { as: 'a.test', headers: octets, ...(body !== undefined && { body }) })
    expect((await ask('HEAD')).status).toBe(404)
    const { status, text } = await ask('GET')
    expect([status, text]).toEqual([404, expect.stringContaining('the stored content has another checksum')])
    expect((await ask('PUT', 'abc')).status).toBe(200)
    expect((await ask('GET')).text).toBe('abc')
  })

  it('tells how two files differ', async () => {
    const other = sumOf('abd')
    const put = { as: 'a.test', headers: octets, body: 'abd' }
    await serving.call('PUT', `/puppet/v3/file_bucket_file/sha256/${other}?environment=production`, put)
    const ask = (method: string, sum: string) =>
      serving.call(method, `${url}&diff_with=${sum}`, { as: 'a.test', headers: octets })
    const { status, headers, text } = await ask('GET', other)
    expect([status, headers['content-type']]).toEqual([200, 'application/octet-stream'])
    expect(text).toMatch(/^--- \/\S+\/contents\t.*\n\+{3} \/\S+\/contents\t.*\n@@ -1 \+1 @@\n-abc\n/)
    expect((await ask('GET', sum)).text).toBe('')
    expect((await ask('HEAD', 'nonsense')).status).toBe(200)
    const gone = await ask('GET', '../../x')
    expect([gone.status, gone.text]).toEqual([500, puppetError('Server Error: could not find diff_with ../../x')])
  })

  it.each([
    ['md5/x', 'Server Error: Unsupported checksum type "md5"'],
    ['sha256/zz', 'Server Error: Invalid checksum "zz"'],
  ])('refuses %s', async (key, message) => {
    const answer = await serving.call('GET', `/puppet/v3/file_bucket_file/${key}?environment=production`, {
      as: 'a.test',
      headers: octets,
    })
    expect([answer.status, answer.text]).toEqual([500, puppetError(message)])
  })
})

describe('what is refused', () => {
  it.each([
    [
      'no Accept',
      'node/a.test?environment=production',
      '',
      400,
      'Bad Request: Missing required Accept header',
      'MISSING_HEADER_FIELD',
    ],
    [
      'an unknown Accept',
      'node/a.test?environment=production',
      'text/html',
      406,
      'Not Acceptable: No supported formats are acceptable (Accept: text/html)',
      'UNSUPPORTED_FORMAT',
    ],
    [
      'JSON for bytes',
      'file_content/modules/demo/a.txt?environment=production',
      'application/json',
      406,
      'Not Acceptable: No supported formats are acceptable (Accept: application/json)',
      'UNSUPPORTED_FORMAT',
    ],
    [
      'no environment',
      'node/a.test',
      'application/json',
      400,
      'Bad Request: An environment parameter must be specified',
      undefined,
    ],
    [
      'a bad environment',
      'node/a.test?environment=pro-d',
      'application/json',
      400,
      "Bad Request: The environment must be purely alphanumeric, not 'pro-d'",
      undefined,
    ],
    [
      'a path as environment',
      'node/a.test?environment=..%2Fx',
      'application/json',
      400,
      "Bad Request: The environment must be purely alphanumeric, not '../x'",
      undefined,
    ],
    [
      'an unknown environment',
      'node/a.test?environment=nope',
      'application/json',
      404,
      "Not Found: Could not find environment 'nope'",
      undefined,
    ],
    [
      'an unknown environment of files',
      'file_metadata/modules/demo/a.txt?environment=nope',
      'application/json',
      404,
      "Not Found: Could not find environment 'nope'",
      undefined,
    ],
    [
      'a missing file',
      'file_metadata/modules/demo/none?environment=production',
      'application/json',
      404,
      'Not Found: Could not find file_metadata modules/demo/none',
      'RESOURCE_NOT_FOUND',
    ],
    [
      'missing content',
      'file_content/modules/demo/none?environment=production',
      '*/*',
      404,
      'Not Found: Could not find file_content modules/demo/none',
      'RESOURCE_NOT_FOUND',
    ],
    [
      'a missing folder',
      'file_metadatas/modules/none?environment=production',
      'application/json',
      404,
      "Not Found: Could not find instances in file_metadata with 'modules/none'",
      'RESOURCE_NOT_FOUND',
    ],
    [
      'an unknown mount',
      'file_metadata/nomount/x?environment=production',
      'application/json',
      500,
      'Server Error: Not authorized to call find on /file_metadata/nomount/x with {:rest=>"nomount/x"}',
      undefined,
    ],
    [
      'an unknown checksum',
      'file_metadata/modules/demo/a.txt?environment=production&checksum_type=bogus',
      'application/json',
      500,
      'Server Error: Unsupported checksum type bogus',
      undefined,
    ],
    [
      'no key',
      'file_metadata/?environment=production',
      'application/json',
      400,
      'Bad Request: No request key specified in /puppet/v3/file_metadata/',
      undefined,
    ],
    [
      'no number',
      'file_metadatas/modules/demo?environment=production&max_files=many',
      'application/json',
      400,
      'Bad Request: Invalid max_files "many"',
      undefined,
    ],
  ])('%s', async (_, path, accept, status, message, kind) => {
    const answer = await get(path, accept)
    expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([
      status,
      jsonType,
      puppetError(message, kind ?? 'RUNTIME_ERROR', hintFor(message)),
    ])
  })

  it('what would leave its folder, before anybody asks who it is', async () => {
    for (const path of ['/puppet/v3/%2e%2e/x', '/puppet/v3/a/../b', '/status/v1/%2E%2e/x', '/puppet/v3%2f..%2fx']) {
      const answer = await serving.call('GET', path)
      expect([answer.status, answer.headers['content-type']]).toEqual([400, undefined])
      expect(answer.text).toBe(`Invalid relative path (.. or .) in: ${decodeURIComponent(path)}`)
    }
  })

  it.each(['/puppet/v3/node/a%00b?environment=production', '/puppet/v3/node/a%zz', '/puppet/v3/node/%ff%fe'])(
    '%s',
    async (path) => {
      expect((await serving.call('GET', path, { as: 'a.test' })).status).toBe(400)
    },
  )

  it('whoever has no leave', async () => {
    const stranger = await serving.call('GET', '/puppet/v3/node/a.test?environment=production', { headers: accept })
    expect([stranger.status, stranger.headers['content-type'], stranger.text]).toEqual([
      403,
      undefined,
      'Forbidden request: /puppet/v3/node/a.test (method :get). Please see the server logs for details.',
    ])
    expect(
      (await serving.call('GET', '/puppet/v3/node/a.test?environment=production', { as: 'b.test', headers: accept }))
        .status,
    ).toBe(403)
    expect((await serving.call('GET', '/puppet-ca/v1/certificate_statuses/any', { as: 'a.test' })).status).toBe(403)
    expect((await serving.call('GET', '/puppet-ca/v1/certificate_statuses/any', { as: 'admin.test' })).status).toBe(200)
    expect(serving.log.join('')).toContain(
      "a client without a certificate (127.0.0.1) access to /puppet/v3/node/a.test (method :get) denied by rule 'puppetlabs node'",
    )
  })

  it('a certificate of another authority, whatever name it has', async () => {
    const given = { cadir: join(serving.folder, 'other'), ca_name: serving.settings.ca_name, key_type: 'ec' }
    const settings = loadSettings({ given })
    await ensureAuthority(settings, await openConfiguredStorage(settings, localSystem), localSystem)
    const other = await openConfiguredAuthority(settings, localSystem)
    const { key, certificate } = await other.generate('a.test', { key: { type: 'ec', curve: 'prime256v1' } })
    const credentials = { key: toPrivateKeyPem(key), cert: toCertificatePem(certificate) }
    expect((await serving.call('GET', '/puppet/v3/environments', { credentials })).status).toBe(403)
    expect((await serving.call('GET', '/status/v1/simple', { credentials })).status).toBe(200)
    expect(serving.log.join('')).toContain('the certificate is not trusted')
  })

  it('a certificate that was revoked, from the next request on', async () => {
    const url = '/puppet/v3/environments'
    expect((await serving.call('GET', url, { as: 'revoked.test' })).status).toBe(200)
    await serving.revoke('revoked.test')
    const { status, text } = await serving.call('GET', url, { as: 'revoked.test' })
    expect([status, text]).toEqual([
      403,
      `Forbidden request: ${url} (method :get). Certificate 'CN=revoked.test' is revoked. Please see the server logs for details.`,
    ])
    expect(serving.log.join('')).toContain(
      `Forbidden request: revoked.test (127.0.0.1) access to ${url} (method :get) denied by rule ` +
        "'puppetlabs environments': Certificate 'CN=revoked.test' is revoked",
    )
    expect((await serving.call('GET', url, { as: 'a.test' })).status).toBe(200)
  })

  it('a certificate that was revoked: nobody but who has its key is told', async () => {
    const url = '/puppet/v3/environments'
    const { certificate } = authorityIn(serving.settings.cadir)
    const key = await generatePrivateKey({ type: 'ec', curve: 'prime256v1' })
    const revoked = parseCertificate((await serving.credentials('revoked.test')).cert)
    const content = { ...revoked, issuer: certificate.subject, spki: toPublicKeyDer(key) }
    const forgery = await buildCertificate(content, createKeySigner(key))
    const credentials = { key: toPrivateKeyPem(key), cert: toCertificatePem(forgery) }
    for (const call of [{}, { credentials }]) {
      const { status, text } = await serving.call('GET', url, call)
      const said = `Forbidden request: ${url} (method :get). Please see the server logs for details.`
      expect([status, text]).toEqual([403, said])
    }
  })
})

describe('hostile bodies', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded', ...accept }

  it('are too large', async () => {
    const body = Buffer.alloc(50 * 1024 * 1024, 'a')
    for (const [method, path, type] of [
      ['POST', 'catalog/a.test', 'application/x-www-form-urlencoded'],
      ['PUT', 'facts/a.test', 'application/json'],
      ['PUT', 'report/a.test', 'application/json'],
    ] as const) {
      const headers = { ...accept, 'content-type': type }
      const answer = await serving
        .call(method, `/puppet/v3/${path}?environment=production`, { as: 'a.test', headers, body })
        .catch((error: NodeJS.ErrnoException) => error)
      // The connection may be cut while the client still sends.
      if (answer instanceof Error) expect(answer.code).toMatch(/EPIPE|ECONNRESET/)
      else expect(answer.status).toBe(413)
    }
    expect((await get('node/a.test?environment=production')).status).toBe(200)
  })

  it('are cut short', async () => {
    const body = 'environment=production'
    const headers = { ...form, 'content-length': '500' }
    const cut = serving.call('POST', '/puppet/v3/catalog/a.test', { as: 'a.test', headers, body })
    const answers = [cut.then(({ status }) => status).catch(() => 'cut')]
    answers.push(get('node/a.test?environment=production').then(({ status }) => status))
    expect(await Promise.race(answers)).toBe(200)
  })

  it('are of another type than they say', async () => {
    const json = await serving.call('POST', '/puppet/v3/catalog/a.test?environment=production', {
      as: 'a.test',
      headers: { ...accept, 'content-type': 'application/json' },
      body: '{}',
    })
    expect([json.status, JSON.parse(json.text).issue_kind]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })
})

describe('status', () => {
  it.each([
    ['/status/v1/simple', 200, 'running'],
    ['/status/v1/simple/server', 200, 'running'],
    ['/status/v1/simple/master', 200, 'running'],
    ['/status/v1/simple/ca', 200, 'running'],
    ['/status/v1/simple/nope', 404, 'not found: nope'],
    [
      '/status/v1/services/nope',
      404,
      '{"kind":"service-not-found","msg":"No status information found for service nope"}',
    ],
    ['/status/v1/services?level=zz', 400, '{"kind":"data-invalid","msg":"Invalid level: :zz"}'],
  ])('%s is %i %s', async (path, status, text) => {
    const answer = await serving.call('GET', path)
    expect([answer.status, answer.text]).toEqual([status, text])
    expect(answer.headers['x-puppet-version']).toBeUndefined()
  })

  it('tells what is served', async () => {
    const { text } = await serving.call('GET', '/status/v1/services/server?level=debug', { as: 'admin' })
    expect(JSON.parse(text)).toMatchObject({
      service_version: '0.0.0',
      service_status_version: 1,
      detail_level: 'debug',
      state: 'running',
      status: { environments: [{ name: 'production', commit: second, refused: null }], 'compile-pool': { size: 2 } },
      active_alerts: [],
    })
  })
})

describe('the log', () => {
  it('holds no query, header or body', () => {
    const log = serving.log.join('')
    for (const secret of ['code_id', 'BEGIN CERTIFICATE', 'configured_environment']) expect(log).not.toContain(secret)
    expect(readFileSync(serving.settings.hostprivkey, 'utf8')).toContain('PRIVATE KEY')
  })
})

function get(path: string, accept = 'application/json') {
  const headers: Record<string, string> = accept === '' ? {} : { accept }
  return serving.call('GET', `/puppet/v3/${path}`, { as: 'a.test', headers })
}

/** What our server says besides, where it knows more than Puppet. */
function hintFor(message: string): string | undefined {
  if (message.includes("Could not find environment 'nope'"))
    return `Branches served from ${repository.bare}: production.`
  if (message.includes('/nomount/')) return 'Available mounts: modules, scripts, tasks, plugins, pluginfacts, locales.'
  return undefined
}
