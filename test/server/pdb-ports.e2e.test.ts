import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../bench/free-port.js'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { addToken, getTokenPaths } from '../../src/server/auth/token-file.ts'
import { isLoopbackHost } from '../../src/server/https/loopback.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'

const nodes = '/pdb/query/v4/nodes'
const folder = scratchFolder('ports')
const allowlist = join(folder, 'allowlist')
const ports = { plain: 0, secure: 0 }
let repository: ControlRepository
let serving: Serving

const settings = () => ({
  code_repo: repository.bare,
  store: 'sqlite',
  puppetdb_plain_port: String(ports.plain),
  puppetdb_port: String(ports.secure),
})

beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': '' })
  ports.plain = await freePort()
  ports.secure = await freePort()
  writeFileSync(allowlist, '# who may ask\npuppetserver.test\r\n\n  dashboard.test  \n')
  serving = await serve({ ...settings(), puppetdb_certificate_allowlist: allowlist })
})
afterAll(async () => {
  await serving?.stop()
})

interface Asked {
  readonly method?: string
  readonly headers?: Record<string, string | string[]>
  readonly as?: string
  readonly body?: string
}

async function ask(at: 'plain' | 'secure', path: string, { method = 'GET', headers = {}, as, body }: Asked = {}) {
  const tls = as === undefined ? {} : await serving.credentials(as)
  const options = { method, path, port: ports[at], agent: false, headers, ...tls, rejectUnauthorized: false }
  return new Promise<{ status: number | undefined; headers: Record<string, unknown>; bytes: Buffer; text: string }>(
    (done, failed) => {
      const start = at === 'plain' ? request : secureRequest
      const asking = start({ host: '127.0.0.1', ...options }, async (answer) => {
        const chunks: Buffer[] = []
        for await (const chunk of answer) chunks.push(chunk as Buffer)
        const bytes = Buffer.concat(chunks)
        done({ status: answer.statusCode, headers: answer.headers, bytes, text: String(bytes) })
      })
      asking.on('error', failed)
      asking.end(body)
    },
  )
}

const facts = (certname: string) => ({
  path: `/pdb/cmd/v1?command=replace_facts&version=5&certname=${certname}&producer-timestamp=2026-11-20T06:00:00.000Z&secondsToWaitForCompletion=60`,
  body: JSON.stringify({
    ...{ certname, environment: 'production', producer: null, producer_timestamp: '2026-11-20T06:00:00.000Z' },
    values: Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`fact${at}`, `value ${at}`])),
  }),
})

describe("PuppetDB's port without TLS", () => {
  it('answers programs of this machine, and takes nothing from them', async () => {
    for (const path of [nodes, '/pdb/meta/v1/version', '/status/v1/services/puppetdb-status', '/metrics/v2/list'])
      expect([path, (await ask('plain', path)).status]).toEqual([path, 200])
    const { path, body } = facts('a.test')
    expect((await ask('plain', path, { method: 'POST', body })).status).toBe(403)
    for (const path of ['/puppet/v3/environments', '/puppet-ca/v1/certificate/ca', '/pdb/admin/v1/cmd', '/'])
      expect([path, [403, 404].includes((await ask('plain', path)).status ?? 0)]).toEqual([path, true])
    expect(serving.log.some((line) => line.includes(`"client":"token '(this machine)'"`))).toBe(true)
  })

  it('believes no header that says who asks', async () => {
    const headers = { 'x-client-verify': 'SUCCESS', 'x-client-dn': 'CN=puppetserver.test', 'x-authentication': 'x' }
    const { path, body } = facts('a.test')
    expect((await ask('plain', path, { method: 'POST', body, headers })).status).toBe(403)
  })

  it.each<[string, Record<string, string>]>([
    ['another name, as after DNS rebinding', { host: 'evil.test' }],
    ['a name that begins as ours', { host: 'localhost.evil.test' }],
    ['an address elsewhere', { host: '192.0.2.1:8080' }],
    ['a page of elsewhere', { origin: 'https://evil.test' }],
    ['a page that hides where it is', { origin: 'null' }],
    ['a picture of elsewhere', { 'sec-fetch-site': 'cross-site' }],
  ])('refuses %s', async (_, headers) => expect((await ask('plain', nodes, { headers })).status).toBe(403))

  it.each([
    ['localhost', true],
    ['LOCALHOST:8080', true],
    ['127.0.0.1:8080', true],
    ['127.1.2.3', true],
    ['[::1]:8080', true],
    ['localhost:8080.evil.test', false],
    ['127.0.0.1.evil.test', false],
    ['evil.test#localhost', false],
    ['localhost@evil.test', false],
    ['0.0.0.0', false],
    ['', false],
  ])('knows whether %s is this machine', (host, is) => expect(isLoopbackHost(host)).toBe(is))

  it('listens on the loopback interface alone', async () => {
    const { networkInterfaces } = await import('node:os')
    const others = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
    for (const { address, internal, family } of others) {
      if (internal || family !== 'IPv4') continue
      const refused = fetch(`http://${address}:${ports.plain}${nodes}`).then(
        () => 'answered',
        () => 'refused',
      )
      expect(await refused).toBe('refused')
    }
  })
})

describe("PuppetDB's port with TLS", () => {
  it('lets in who is on the allow-list, for all, and says why to others as PuppetDB does', async () => {
    const { path, body } = facts('b.test')
    expect(await ask('secure', path, { method: 'POST', body, as: 'puppetserver.test' })).toMatchObject({ status: 200 })
    expect((await ask('secure', nodes, { as: 'dashboard.test' })).status).toBe(200)
    // An administrator of the authority is not on the list.
    for (const as of ['node.test', 'admin.test', undefined]) {
      const { status, text } = await ask('secure', nodes, as === undefined ? {} : { as })
      expect([as, status]).toEqual([as, 403])
      expect(text).toContain(`The client certificate name ${as ?? 'null'} doesn't appear in the certificate allowlist.`)
    }
    expect((await ask('secure', '/status/v1/services')).status).toBe(200)
    expect((await ask('secure', '/status/v1/services', { method: 'DELETE', as: 'node.test' })).status).toBe(403)
    expect((await ask('secure', '/puppet/v3/environments', { as: 'dashboard.test' })).status).toBe(403)
  })

  it('lets tokens ask', async () => {
    const request = { name: 'tool', description: '', scopes: ['query'], expires: undefined }
    const token = await addToken(getTokenPaths(serving.settings).tokens, request, localSystem.files, Date.now())
    const headers = { 'x-authentication': token }
    expect((await ask('secure', nodes, { headers })).status).toBe(200)
    const { path, body } = facts('c.test')
    expect((await ask('secure', path, { method: 'POST', body, headers })).status).toBe(403)
    expect((await ask('secure', nodes, { headers: { 'x-authentication': `${token.slice(0, -3)}xyz` } })).status).toBe(
      401,
    )
  })

  it('reads the list again with a reload, and keeps the old one where there is none', async () => {
    appendFileSync(allowlist, 'late.test\n')
    expect((await ask('secure', nodes, { as: 'late.test' })).status).toBe(403)
    await serving.server.reload()
    expect((await ask('secure', nodes, { as: 'late.test' })).status).toBe(200)
    rmSync(allowlist)
    await expect(serving.server.reload()).rejects.toThrow('Could not read the certificate allowlist')
    expect((await ask('secure', nodes, { as: 'late.test' })).status).toBe(200)
    expect((await ask('secure', nodes, { as: 'node.test' })).status).toBe(403)
  })

  it('refuses a certificate as soon as it is revoked', async () => {
    expect((await ask('secure', nodes, { as: 'dashboard.test' })).status).toBe(200)
    await serving.revoke('dashboard.test')
    expect((await ask('secure', nodes, { as: 'dashboard.test' })).status).toBe(403)
  })

  it('compresses what is asked for so, rows as they are read', async () => {
    const path = '/pdb/query/v4/facts'
    const packed = { 'accept-encoding': 'gzip' }
    const plain = await ask('secure', path, { as: 'puppetserver.test' })
    const given = await ask('secure', path, { as: 'puppetserver.test', headers: packed })
    expect(plain.headers['content-encoding']).toBe(undefined)
    expect(given.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding, User-Agent' })
    expect(given.bytes.length).toBeLessThan(plain.bytes.length / 3)
    expect(String(gunzipSync(given.bytes))).toBe(plain.text)
    expect(JSON.parse(plain.text)).toHaveLength(300)
  })
})

describe("PuppetDB's ports", () => {
  it('follow auth.conf where there is no allow-list', async () => {
    await serving.stop()
    serving = await serve(settings())
    expect((await ask('secure', nodes, { as: 'admin.test' })).status).toBe(200)
    expect(await ask('secure', nodes, { as: 'node.test' })).toMatchObject({
      status: 403,
      text: expect.stringMatching(/^Forbidden request: /),
    })
  })

  it.each<[Record<string, string>, string]>([
    [{ puppetdb_port: '1', store: 'none' }, 'puppetdb_port is set, but this server has no store'],
    [{ puppetdb_certificate_allowlist: '/nonexistent', puppetdb_port: '1', store: 'sqlite' }, 'certificate allowlist'],
    [{ store: 'sqlite', puppetdb_plain_port: 'taken' }, 'another program already listens there'],
  ])('do not open with %j', async (given, said) => {
    const texts = Object.entries(given).map(([name, text]) => [name, text === 'taken' ? String(ports.plain) : text])
    await expect(serve({ code_repo: repository.bare, ...Object.fromEntries(texts) })).rejects.toThrow(said)
  })
})
