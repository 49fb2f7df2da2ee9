import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PuppetError } from '../../src/base/issue.ts'
import { parseCertificate } from '../../src/ca/x509/certificate.ts'
import { parseRevocationLists } from '../../src/ca/x509/revocation-list.ts'
import { parseAuthConf } from '../../src/server/auth/auth-conf.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { fc } from '../support/properties.ts'
import { type Serving, serve } from './serving.ts'

let repository: ControlRepository
let serving: Serving

beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': "notify { 'x': }\n", 'modules/m/files/a.txt': 'a\n' })
  serving = await serve({ code_repo: repository.bare })
})
afterAll(async () => {
  await serving?.stop()
})

const words = ['catalog', 'node', 'facts', 'report', 'file_metadata', 'file_metadatas', 'file_content', 'environments']
const prefix = fc.constantFrom(
  ...[...words, 'file_bucket_file', 'static_file_content', 'environment_classes', 'no'].map(
    (word) => `/puppet/v3/${word}`,
  ),
  ...['certificate', 'certificate_request', 'certificate_status', 'certificate_revocation_list'].map(
    (word) => `/puppet-ca/v1/${word}`,
  ),
  '/status/v1',
  '//puppet//v3//node',
)
const nasty = [
  'a.test',
  'modules/m/a.txt',
  '..',
  '%2e%2e',
  '%00',
  '%2f',
  '%',
  '%ff',
  '~',
  'ca',
  'sha256',
  ';x',
  '\\',
  '__proto__',
]
const segment = fc.oneof(fc.constantFrom(...nasty), fc.string({ maxLength: 12 }).map(encodeURIComponent))
const parameter = fc.tuple(
  fc.constantFrom(
    'environment',
    'code_id',
    'facts',
    'facts_format',
    'recurse',
    'recurselimit',
    'max_files',
    'ignore',
    'links',
    'checksum_type',
    '__proto__',
  ),
  fc.oneof(
    fc.constantFrom(
      'production',
      'application/json',
      'true',
      '-1',
      '1e9',
      '*',
      '[',
      '[[',
      'md5',
      'constructor',
      '%7B%7D',
      'HEAD',
    ),
    fc.string({ maxLength: 12 }).map(encodeURIComponent),
  ),
)
const accept = fc.oneof(
  fc.constantFrom('*/*', 'application/json', ',', ';q=1', 'a/b;c, */*'),
  fc.stringMatching(/^[ -~]*$/),
)
const type = fc.constantFrom(
  'application/json',
  'text/plain',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'text/pson',
  'x',
)
const deep = `{"name":"a.test","values":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`
const body = fc.oneof(
  fc.json().map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom(
      deep,
      '['.repeat(50_000),
      '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n',
      'facts=%',
      'facts=%257B&facts_format=pson',
    )
    .map((text) => Buffer.from(text)),
)

describe('whatever an agent sends', () => {
  it('is answered, by a status of its own making, and without internal error', async () => {
    const request = fc.record({
      method: fc.constantFrom('GET', 'PUT', 'POST', 'HEAD', 'DELETE'),
      path: fc.tuple(prefix, fc.array(segment, { maxLength: 3 }), fc.array(parameter, { maxLength: 4 })),
      accept,
      type,
      body,
      named: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(request, async ({ method, path: [start, segments, query], named, ...rest }) => {
        const path = `${[start, ...segments].join('/')}?${query.map((pair) => pair.join('=')).join('&')}`
        const before = serving.log.length
        const answer = await serving.call(method, path, {
          ...(named ? { as: 'a.test' } : {}),
          headers: { accept: rest.accept, 'content-type': rest.type },
          ...(method === 'PUT' || method === 'POST' ? { body: rest.body } : {}),
        })
        expect(answer.status, `${method} ${path}`).toBeGreaterThanOrEqual(200)
        expect(serving.log.slice(before).join(''), `${method} ${path}`).not.toContain('internal error')
      }),
      { numRuns: 200 },
    )
    expect((await serving.call('GET', '/status/v1/simple')).text).toBe('running')
  })

  const form = `environment=production&facts_format=application%2Fjson&facts=${encodeURIComponent(encodeURIComponent(deep))}`
  it.each([
    ['PUT', 'facts', deep, 'application/json', 400],
    ['PUT', 'report', `{"host":"a.test","deep":${deep}}`, 'application/json', 400],
    ['POST', 'catalog', form, 'application/x-www-form-urlencoded', 500],
  ])('is refused when it is nested 20,000 deep: %s %s', async (method, name, text, type, status) => {
    const before = serving.log.length
    const answer = await serving.call(method, `/puppet/v3/${name}/a.test?environment=production`, {
      as: 'a.test',
      headers: { accept: 'application/json', 'content-type': type },
      body: text,
    })
    expect([answer.status, serving.log.slice(before).join('').includes('internal error')]).toEqual([status, false])
  })

  it('cannot say who it is by headers that a proxy would send', async () => {
    const headers = { 'x-client-verify': 'SUCCESS', 'x-client-dn': 'CN=b.test', accept: 'application/json' }
    const path = '/puppet/v3/node/b.test?environment=production'
    expect((await serving.call('GET', path, { headers })).status).toBe(403)
    expect((await serving.call('GET', path, { headers, as: 'a.test' })).status).toBe(403)
    expect((await serving.call('GET', path, { headers, as: 'b.test' })).status).toBe(200)
  })
})

/** Only errors that have a code. */
function coded(work: () => unknown): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
  }
}

describe('what is read from files', () => {
  const token = fc.constantFrom(
    ...[
      'authorization',
      ': ',
      '{',
      '}',
      '[',
      ']',
      '"',
      '\n',
      '=',
      '+=',
      '${',
      '${?',
      '}',
      ',',
      '#',
      '"""',
      'rules',
      '1',
      'include',
      '.',
      '\\',
      'x',
    ],
  )

  it('is an auth.conf, or an error with a code', () => {
    fc.assert(
      fc.property(fc.array(token, { maxLength: 40 }), (tokens) => {
        coded(() => parseAuthConf({ file: 'auth.conf', text: tokens.join('') }))
        coded(() =>
          parseAuthConf({ file: 'auth.conf', text: `authorization: {version: 1, rules: [${tokens.join('')}]}` }),
        )
      }),
    )
  })

  it('is PEM, or an error with a code, whichever byte is wrong', async () => {
    const { cert } = await serving.credentials('a.test')
    const [first = '', ...lines] = cert.trim().split('\n')
    const der = Buffer.from(lines.slice(0, -1).join(''), 'base64')
    const change = fc.tuple(fc.nat(der.length - 1), fc.nat(255), fc.option(fc.nat(der.length)))
    fc.assert(
      fc.property(change, ([at, value, end]) => {
        const bytes = Buffer.from(der)
        bytes[at] = value
        const pem = (label: string) =>
          `-----BEGIN ${label}-----\n${bytes.subarray(0, end ?? undefined).toString('base64')}\n-----END ${label}-----\n`
        expect(first).toContain('CERTIFICATE')
        coded(() => parseCertificate(pem('CERTIFICATE')))
        coded(() => parseRevocationLists(pem('X509 CRL')))
      }),
      { numRuns: 300 },
    )
  })
})
