import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { createWebSources } from '../../../src/node/agent/web-sources.ts'
import { openvoxAnswers } from '../../support/openvox.ts'
import { plumb } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const openvox = openvoxAnswers(import.meta.filename, 'OpenVox 8.28.1')

const content = 'of the web\n'
const sum = (algorithm: string) => createHash(algorithm).update(content).digest('hex')
const time = 'Wed, 01 Jan 2020 00:00:00 GMT'

/** Headers of responses, by the path of a file. */
const responses: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sha256: { etag: `"${sum('sha256')}"` },
  sha1: { etag: `"${sum('sha1')}"` },
  md5: { etag: `"${sum('md5')}"` },
  bare: { etag: sum('md5') },
  capitals: { etag: `"${sum('sha256').toUpperCase()}"` },
  weak: { etag: `W/"${sum('md5')}"`, 'last-modified': time },
  'of-time-and-size': { etag: '"5f3e-5c1"', 'last-modified': time },
  'of-parts': { etag: `"${sum('md5')}-2"`, 'last-modified': time },
  'sha512-is-unknown': { etag: `"${sum('sha512')}"`, 'last-modified': time },
  'beside-sums': { etag: `"${sum('md5')}"`, 'x-checksum-sha256': sum('sha256') },
  'weak-beside-sums': { etag: `W/"${sum('md5')}"`, 'x-checksum-sha1': sum('sha1') },
  none: { 'x-checksum-md5': sum('md5') },
}

const script = `
require 'json'
require 'net/http'
require 'puppet'
require 'puppet/file_serving/http_metadata'
Puppet.initialize_settings
found = JSON.parse($stdin.read).to_h do |name, headers|
  response = Net::HTTPOK.new('1.1', '200', 'OK')
  headers.each { |key, value| response[key] = value }
  sums = %w[etag sha256 mtime].to_h do |type|
    metadata = Puppet::FileServing::HttpMetadata.new(response)
    metadata.checksum_type = type.to_sym
    metadata.collect
    [type, metadata.checksum]
  end
  [name, sums]
end
puts JSON.generate(found)
`

describe('entity tags of a web server', () => {
  const requests: string[] = []
  const server = createServer(({ method, url }, response) => {
    requests.push(`${method} ${url}`)
    const headers = responses[(url ?? '').slice(1)]
    response.writeHead(headers === undefined ? 404 : 200, headers).end(method === 'HEAD' ? '' : content)
  })
  const folder = scratchFolder('etag')
  let web: string

  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    web = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  })
  afterAll(() => void server.close())

  const answers = openvox.one('checksums of headers', responses, () => {
    const { stdout, stderr } = spawnSync('ruby', ['-e', script], { input: JSON.stringify(responses), encoding: 'utf8' })
    if (stdout === '') throw new Error(stderr)
    return JSON.parse(stdout) as Readonly<Record<string, Readonly<Record<string, string>>>>
  })

  it.each(Object.keys(responses))('%s', async (name) => {
    const sources = createWebSources(loadSettings({ given: {} }))
    const options = { links: 'manage', sourcePermissions: 'ignore' } as const
    for (const [checksumType, checksum] of Object.entries(answers[name]!)) {
      const found = await sources.metadata(`${web}/${name}`, { ...options, checksumType })
      const isNow = checksum.startsWith('{mtime}') && responses[name]!['last-modified'] === undefined
      if (isNow) expect(found?.checksum.type).toBe('mtime')
      else expect(found?.checksum.value, checksumType).toBe(checksum)
    }
  })

  const apply = (name: string) =>
    plumb([
      ...['apply', '--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--detailed-exitcodes'],
      ...['-e', `file { '${folder}/${name}': source => '${web}/${name}', checksum => etag }`],
    ])

  it.each(['md5', 'sha256'])('downloads a file once, while its %s is the tag', async (name) => {
    requests.length = 0
    expect((await apply(name)).exitCode).toBe(2)
    expect(readFileSync(join(folder, name), 'utf8')).toBe(content)
    expect(requests).toEqual([`HEAD /${name}`, `GET /${name}`])
    requests.length = 0
    expect((await apply(name)).exitCode).toBe(0)
    expect(requests).toEqual([`HEAD /${name}`])
    writeFileSync(join(folder, name), 'changed\n')
    expect((await apply(name)).exitCode).toBe(2)
    expect(readFileSync(join(folder, name), 'utf8')).toBe(content)
  })

  it('compares a local source by MD5', async () => {
    writeFileSync(join(folder, 'from'), 'x\n')
    const words = ['apply', '--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--detailed-exitcodes']
    const manifest = `file { '${folder}/to': source => '${folder}/from', checksum => etag }`
    expect((await plumb([...words, '-e', manifest])).exitCode).toBe(2)
    expect(readFileSync(join(folder, 'to'), 'utf8')).toBe('x\n')
    expect((await plumb([...words, '-e', manifest])).exitCode).toBe(0)
  })
})
