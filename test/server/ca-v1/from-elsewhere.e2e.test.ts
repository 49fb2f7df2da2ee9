import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { budgets } from '../../../src/base/budgets/budgets.ts'
import { parseCertificate, toCertificatePem } from '../../../src/ca/x509/certificate.ts'
import { findCommonName } from '../../../src/ca/x509/distinguished-name.ts'
import { toPrivateKeyPem } from '../../../src/ca/x509/keys.ts'
import { parseRevocationLists } from '../../../src/ca/x509/revocation-list.ts'
import type { Settings } from '../../../src/machine/settings/settings.ts'
import { localFiles } from '../../../src/machine/system/files.ts'
import { createIndirection } from '../../../src/model/indirector/indirection.ts'
import { openCertificateTermini } from '../../../src/server/ca-v1/certificate-termini.ts'
import { createCaV1Plugin } from '../../../src/server/ca-v1/index.ts'
import { certificate } from '../../../src/server/termini/certificates/index.ts'
import { createRemoteAuthority } from '../../../src/server/termini/certificates/remote-authority.ts'
import { ec, requestFor } from '../../ca/fixture.ts'
import { listen, type TlsServer } from '../../node/agent/ssl/tls-server.ts'
import { openServer } from '../open-server.ts'

let there: TlsServer
let settings: Settings
/** The `via` of each request that came to the authority. */
const vias: (string | undefined)[] = []
const open: (FastifyInstance | Server)[] = []
const sockets: Socket[] = []

beforeAll(async () => {
  there = await listen({ autosign: async (name: string) => name.startsWith('auto') } as never, {
    prepare: async (server) => {
      server.addHook('onRequest', async ({ headers }) => void vias.push(headers.via))
    },
  })
  settings = await there.settingsFor('compile.test', { ca_port: String(there.port), serverport: '8140' })
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const pair = await there.ca.generate('compile.test', { key: ec })
  put(settings.localcacert, (await there.ca.certificates()).pem)
  put(settings.hostcrl, (await there.ca.revocationLists()).pem)
  put(settings.hostcert, toCertificatePem(pair.certificate))
  put(settings.hostprivkey, toPrivateKeyPem(pair.key))
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  for (const each of open) each.close()
  await there?.close()
})

type Name = 'certificate' | 'certificate_request' | 'certificate_revocation_list'
const names: readonly Name[] = ['certificate', 'certificate_request', 'certificate_revocation_list']
const all = (terminus: string) => Object.fromEntries(names.map((name) => [name, { terminus }]))

/** A server without an authority, whose certificates come by these routes. */
async function start(routes: Readonly<Record<string, { terminus: string }>>, own: Partial<Settings> = {}) {
  const server = openServer()
  open.push(server)
  const parts = { authority: undefined, files: localFiles, routes, settings: { ...settings, ...own } }
  await server.register(
    createCaV1Plugin({ termini: openCertificateTermini(parts), clientCertificate: () => undefined }),
  )
  return async (method: 'GET' | 'PUT' | 'DELETE' | 'POST', path: string, body?: string, via?: string) => {
    const headers = { ...(body !== undefined && { 'content-type': 'text/plain' }), ...(via !== undefined && { via }) }
    const {
      statusCode,
      body: text,
      headers: said,
    } = await server.inject({
      ...{ method, url: `/puppet-ca/v1/${path}`, headers },
      ...(body !== undefined && { payload: body }),
    })
    return { status: statusCode, text, type: said['content-type'], retry: said['retry-after'] }
  }
}

describe('certificates of an authority on another server', () => {
  it('are those that it has, and so are its lists', async () => {
    const ask = await start(all('rest'))
    const [ca, lists] = [await there.ca.certificates(), await there.ca.revocationLists()]
    expect(await ask('GET', 'certificate/ca')).toMatchObject({ status: 200, text: ca.pem, type: 'text/plain' })
    expect(await ask('GET', 'certificate_revocation_list/ca')).toMatchObject({ status: 200, text: lists.pem })
    expect((await ask('GET', 'certificate/compile.test')).text).toBe(await there.ca.certificate('compile.test'))
    expect(await ask('GET', 'certificate/nobody.test')).toMatchObject({
      status: 404,
      text: 'Could not find certificate nobody.test',
    })
  })

  it('are asked for there, and signed there', async () => {
    const ask = await start(all('rest'))
    const pem = await requestFor('later.test')
    expect(await ask('GET', 'certificate_request/later.test')).toMatchObject({ status: 404 })
    expect(await ask('PUT', 'certificate_request/later.test', pem)).toMatchObject({ status: 200, text: '' })
    expect(await ask('GET', 'certificate_request/later.test')).toMatchObject({ status: 200, text: pem })
    await there.ca.sign('later.test')
    expect(findCommonName(parseCertificate((await ask('GET', 'certificate/later.test')).text).subject)).toBe(
      'later.test',
    )
  })

  it('are refused in its words', async () => {
    const ask = await start(all('rest'))
    const pem = await requestFor('one.test')
    expect(await ask('PUT', 'certificate_request/other.test', pem)).toMatchObject({
      status: 400,
      text: 'Instance name "one.test" does not match requested key "other.test"',
    })
    const before = vias.length
    expect(await ask('PUT', 'certificate_request/one.test', 'no request')).toMatchObject({ status: 400 })
    expect(vias.length).toBe(before)
  })

  it('can only be asked for: what an administrator does there is done there', async () => {
    const ask = await start(all('rest'))
    const before = vias.length
    const lists = (await there.ca.revocationLists()).pem
    expect(await ask('DELETE', 'certificate_request/one.test')).toMatchObject({ status: 404 })
    expect(await ask('PUT', 'certificate_revocation_list', lists)).toMatchObject({ status: 404 })
    for (const path of ['certificate_status/one.test', 'certificate_statuses/all', 'expirations'])
      expect(await ask('GET', path)).toMatchObject({ status: 404 })
    expect(await ask('POST', 'certificate_renewal', '')).toMatchObject({ status: 404 })
    expect(vias.length).toBe(before)
  })

  it.each([
    '..%2fcertificate_statuses%2fall',
    '../certificate_statuses/all',
    '%2e%2e',
    'A.test',
    'a%0ab',
    'a%00',
    '-x',
  ])('are not looked for by the name %s', async (name) => {
    const ask = await start(all('rest'))
    const before = vias.length
    expect([400, 404]).toContain((await ask('GET', `certificate/${name}`)).status)
    expect([400, 404]).toContain((await ask('GET', `certificate_request/${name}`)).status)
    expect(vias.length).toBe(before)
  })

  it('are asked for once where many want the same', async () => {
    const ask = await start(all('rest'))
    const before = vias.length
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask('GET', 'certificate_revocation_list/ca')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(vias.length - before).toBeLessThan(20)
    expect(vias.at(-1)).toBe('1.1 plumb')
  })

  it('are not asked for in a circle', async () => {
    const ask = await start(all('rest'))
    expect(await ask('GET', 'certificate/ca', undefined, '1.1 plumb')).toMatchObject({ status: 508 })
    const self = { certname: 'localhost', serverport: there.port } as Partial<Settings>
    await expect(start(all('rest'), self)).rejects.toThrow(
      `points to this server itself: the certificate authority localhost:${there.port}`,
    )
  })
})

describe('an authority that', () => {
  const address = (server: { address(): unknown }) => (server.address() as AddressInfo).port

  it('is away is an error that names it', async () => {
    const closed = createTcpServer().listen(0, '127.0.0.1')
    await new Promise((done) => closed.once('listening', done))
    const port = address(closed)
    await new Promise((done) => closed.close(done))
    const ask = await start(all('rest'), { ca_port: port } as Partial<Settings>)
    const answer = await ask('GET', 'certificate/ca')
    expect(answer.status).toBe(502)
    expect(answer.text).toContain(`Could not query the certificate authority localhost:${port}: `)
  })

  it('never answers is waited for only so long', async () => {
    const silent = createTcpServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
    open.push(silent)
    await new Promise((done) => silent.once('listening', done))
    const own = { ...settings, ca_port: address(silent) }
    const remote = createRemoteAuthority(own, localFiles, { timeoutMs: 200 })
    await expect(remote.ask('x', (ca) => ca.certificate('ca'))).rejects.toThrow('did not respond within 0.2 seconds')
  })

  it('is slow is asked by so many at once, and no more', async () => {
    const remote = createRemoteAuthority(settings, localFiles)
    const waits: (() => void)[] = []
    const slow = (what: string) => remote.ask(what, () => new Promise<void>((done) => waits.push(done)))
    const { bound } = budgets.request.forwards
    const asked = Array.from({ length: bound }, (_, at) => slow(String(at)))
    await expect.poll(() => waits.length).toBe(bound)
    await expect(slow('more')).rejects.toThrow('is busy')
    for (const done of waits) done()
    await Promise.all(asked)
    await expect(remote.ask('again', (ca) => ca.certificate('ca'))).resolves.toContain('BEGIN CERTIFICATE')
  })

  it.each([
    ['is of another authority', undefined, /certificate verify failed/],
    ['answers something else', (_: unknown, answer: { end(text: string): void }) => answer.end('<html>'), /parse/i],
    [
      'is busy',
      (_: unknown, answer: { writeHead(status: number, headers: object): { end(): void } }) =>
        answer.writeHead(503, { 'retry-after': '600' }).end(),
      /is busy/,
    ],
    [
      'breaks',
      (_: unknown, answer: { writeHead(status: number): { end(text: string): void } }) =>
        answer.writeHead(500).end('oops\n\u001b[31m'),
      /: Error 500/,
    ],
  ] as const)('%s gives no certificate', async (_, handler, message) => {
    const other = handler === undefined ? await listen() : there
    const { key, certificate: shown } = await other.ca.generate(`localhost-${Math.random().toString(36).slice(2)}`, {
      key: ec,
      altNames: ['localhost'],
    })
    const tls = { key: toPrivateKeyPem(key), cert: toCertificatePem(shown) }
    const server = createServer(tls, (handler ?? (() => {})) as never).listen(0, '127.0.0.1')
    open.push(server)
    await new Promise((done) => server.once('listening', done))
    const ask = await start(all('rest'), { ca_port: address(server) } as Partial<Settings>)
    const answer = await ask('GET', 'certificate/ca')
    expect(answer.status).toBe(/is busy/.test(message.source) ? 503 : 502)
    expect(answer.text).toMatch(message)
    expect(answer.text).not.toContain('\u001b')
    if (other !== there) await other.close()
  })
})

describe('certificates in files', () => {
  it('are those that the server goes by itself', async () => {
    const ask = await start({ certificate: { terminus: 'file' }, certificate_revocation_list: { terminus: 'file' } })
    expect((await ask('GET', 'certificate/ca')).text).toBe((await there.ca.certificates()).pem)
    expect(parseRevocationLists((await ask('GET', 'certificate_revocation_list/ca')).text)).toHaveLength(1)
    expect(findCommonName(parseCertificate((await ask('GET', 'certificate/compile.test')).text).subject)).toBe(
      'compile.test',
    )
    // No terminus, no endpoint.
    expect(await ask('PUT', 'certificate_request/x.test', await requestFor('x.test'))).toMatchObject({ status: 404 })
  })

  it.each(['..%2fprivate_keys%2fcompile.test', '../private_keys/compile.test', '%2e%2e%2fx', '.x', 'zero'])(
    'never lead out of their folder: %s',
    async (name) => {
      if (name === 'zero') symlinkSync('/dev/zero', join(settings.certdir, 'zero.pem'))
      const ask = await start({ certificate: { terminus: 'file' } })
      expect([400, 404, 500]).toContain((await ask('GET', `certificate/${name}`)).status)
      expect((await ask('GET', `certificate/${name}`)).text).not.toContain('PRIVATE')
    },
  )
})

it('an authority that is not here is none', () => {
  const services = {
    ...{ authority: undefined, files: localFiles, settings },
    remote: () => createRemoteAuthority(settings, localFiles),
  }
  expect(() => createIndirection(certificate, services, { terminus: 'ca' })).toThrow(
    'The ca terminus of certificate requires a CA on this server',
  )
})
