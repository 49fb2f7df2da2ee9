import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { knownSystems } from '../compiler/systems/known-systems.ts'
import { controlRepository } from '../support/control-repository.ts'
import { type Answer, type Serving, serve } from './serving.ts'

const certname = 'win01.corp.example.test'
/** Files with the line breaks, encodings and marks that programs on Windows write. */
const files: Readonly<Record<string, Buffer>> = {
  'crlf.ini': Buffer.from('[app]\r\npath=C:\\app\r\n'),
  'end.bat': Buffer.from('@echo off\r\n\u001a'),
  'large.bin': Buffer.alloc(3_000_000, '\r\n'),
  'latin-1.txt': Buffer.from('caf\u00e9\r\n', 'latin1'),
  'marked.txt': Buffer.from('\uFEFFone\r\ntwo\n'),
  'utf-16.ps1': Buffer.from('\uFEFFWrite-Output "\u00e9"\r\n', 'utf16le'),
}
const manifest = `case $facts['os']['family'] {\r
  'windows': {\r
    file { 'C:\\App': ensure => directory, recurse => true, source => 'puppet:///modules/app' }\r
    file { 'C:/crlf.ini': source => 'puppet:///modules/app/crlf.ini', source_permissions => ignore }\r
    file { "\${facts['os']['windows']['system32']}\\\\app.txt": content => "one\\r\\n\${facts['identity']['user']}" }\r
    file { 'C:/bytes.ps1': content => file('app/utf-16.ps1') }\r
  }\r
  default: { fail("not Windows: \${facts['os']['family']}") }\r
}\r
`
const production = 'environment=production'
/** The parameters with which an agent on Windows synchronizes plug-ins, and those of a `file` with `recurse`. */
const synchronize = (permissions: string) =>
  `?${production}&recurse=true&links=follow&checksum_type=sha256&source_permissions=${permissions}&ignore=.svn&ignore=CVS&ignore=.git&ignore=.hg`

let serving: Serving

beforeAll(async () => {
  const repository = controlRepository({
    'manifests/site.pp': manifest,
    'modules/app/lib/facter/app.rb': '# a fact\r\n',
    'modules/app/lib/puppet/provider/package/app.rb': '# a provider\r\n',
    'modules/app/facts.d/app.ps1': 'Write-Output "app=1"\r\n',
    ...Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`modules/app/files/${name}`, bytes])),
  })
  serving = await serve({ code_repo: repository.bare })
})
afterAll(async () => {
  await serving?.stop()
})

const get = (path: string, accept = 'application/json'): Promise<Answer> =>
  serving.call('GET', `/puppet/v3/${path}`, { as: certname, headers: { accept } })
const sha256 = (bytes: Buffer) => `{sha256}${createHash('sha256').update(bytes).digest('hex')}`

async function requestCatalog() {
  const facts = JSON.stringify({ name: certname, values: knownSystems['windows-2022'], timestamp: '2026-01-02' })
  const body = new URLSearchParams({
    ...{ environment: 'production', facts_format: 'application/json', facts: encodeURIComponent(facts) },
    ...{ static_catalog: 'true', checksum_type: 'sha256.sha256lite.md5', transaction_uuid: 'b1' },
  })
  const headers = {
    accept: 'application/vnd.puppet.rich+json, application/json',
    'content-type': 'application/x-www-form-urlencoded',
  }
  const { status, text } = await serving.call('POST', `/puppet/v3/catalog/${certname}?${production}`, {
    ...{ as: certname, headers, body: body.toString() },
  })
  expect(status, text).toBe(200)
  return JSON.parse(text)
}

describe('a node with Windows', () => {
  it('receives a catalog for its facts, with the paths as in the manifest', async () => {
    const { resources } = await requestCatalog()
    const found = resources.filter(({ type }: { type: string }) => type === 'File')
    expect(found.map(({ title }: { title: string }) => title)).toEqual([
      ...['C:\\App', 'C:/crlf.ini', 'C:\\Windows\\system32\\app.txt', 'C:/bytes.ps1'],
    ])
    expect(found[2].parameters).toEqual({ content: 'one\r\nCORP\\svc_puppet' })
    expect(found[3].parameters.content).toEqual({
      ...{ __ptype: 'Binary', __pvalue: files['utf-16.ps1']!.toString('base64') },
    })
  })

  it('downloads each file of a static catalog unchanged', async () => {
    const { code_id, metadata, recursive_metadata } = await requestCatalog()
    const [[source, all]] = Object.entries(recursive_metadata['C:\\App']) as [[string, Record<string, unknown>[]]]
    expect(source).toBe('puppet:///modules/app')
    expect(all.map(({ relative_path }) => relative_path)).toEqual(['.', ...Object.keys(files)])
    const uri = String(metadata['C:/crlf.ini'].content_uri).replace('puppet:///', '')
    expect(metadata['C:/crlf.ini'].checksum.value).toBe(sha256(files['crlf.ini']!))
    const { bytes } = await get(`static_file_content/${uri}?${production}&code_id=${code_id}`, '*/*')
    expect(bytes.equals(files['crlf.ini']!)).toBe(true)
  })

  it.each(Object.entries(files))('downloads %s with its bytes and checksum', async (name, expected) => {
    const { bytes } = await get(`file_content/modules/app/${name}?${production}`, 'application/octet-stream')
    expect(bytes.equals(expected)).toBe(true)
    const { text } = await get(`file_metadata/modules/app/${name}?${production}&source_permissions=ignore&links=manage`)
    expect(JSON.parse(text)).toMatchObject({ mode: 0o644, checksum: { value: sha256(expected) } })
  })

  it.each([
    ['plugins', 'ignore', ['.', 'facter', 'puppet', 'facter/app.rb', 'puppet/provider', 'puppet/provider/package']],
    ['pluginfacts', 'use', ['.', 'app.ps1']],
  ])('synchronizes %s', async (mount, permissions, expected) => {
    const { text } = await get(`file_metadatas/${mount}${synchronize(permissions)}`)
    const paths = JSON.parse(text).map((each: Record<string, unknown>) => each['relative_path'])
    expect(paths.slice(0, expected.length)).toEqual(expected)
    const { bytes } = await get(`file_content/${mount}/${paths.at(-1)}?${production}`, 'application/octet-stream')
    expect(bytes.toString()).toMatch(/\r\n$/)
  })

  it('keeps a backup of a path on a drive', async () => {
    const bytes = Buffer.from('before\r\n')
    const key = `sha256/${createHash('sha256').update(bytes).digest('hex')}`
    const headers = { accept: 'application/octet-stream', 'content-type': 'application/octet-stream' }
    const path = `/puppet/v3/file_bucket_file/${key}/C:/Program%20Files/a.ini?${production}`
    const saved = await serving.call('PUT', path, { as: certname, headers, body: bytes })
    expect(saved.status, saved.text).toBe(200)
    expect((await serving.call('HEAD', path, { as: certname, headers })).status).toBe(200)
    expect((await get(`file_bucket_file/${key}?${production}`, 'application/octet-stream')).bytes.equals(bytes)).toBe(
      true,
    )
  })

  it('sends its report', async () => {
    const report = {
      ...{ host: certname, time: '2026-01-02T03:04:05.000Z', configuration_version: '1', report_format: 12 },
      ...{ puppet_version: '8.10.0', status: 'unchanged', environment: 'production', kind: 'apply', noop: false },
      ...{ transaction_completed: true, noop_pending: false, metrics: {}, corrective_change: false },
      logs: [{ level: 'notice', message: 'C:\\App', source: '/Stage[main]/Main/File[C:\\App]', tags: [], time: 'x' }],
      resource_statuses: {},
    }
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const sent = await serving.call('PUT', `/puppet/v3/report/${certname}?${production}`, {
      ...{ as: certname, headers, body: JSON.stringify(report) },
    })
    expect(sent.status, sent.text).toBe(200)
  })

  it('uses its certificate in lower case: another case is another name', async () => {
    const { status, text } = await serving.call('GET', `/puppet/v3/node/WIN01.corp.example.test?${production}`, {
      as: certname,
      headers: { accept: 'application/json' },
    })
    expect(status, text).toBe(403)
  })
})
