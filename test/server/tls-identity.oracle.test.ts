import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import type { ConnectionOptions, TLSSocket } from 'node:tls'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { encodeOid, encodeSequence, encodeSet, encodeUtf8String } from '../../src/ca/x509/der.ts'
import { createDistinguishedName, type DistinguishedName } from '../../src/ca/x509/distinguished-name.ts'
import {
  buildBasicConstraints,
  buildExtendedKeyUsage,
  buildKeyUsage,
  buildTextExtension,
} from '../../src/ca/x509/extensions.ts'
import { oids, puppetOids } from '../../src/ca/x509/oids.ts'
import { getPeer, recordPeers } from '../../src/server/auth/peer.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { hasPuppet, withoutPuppet } from '../support/real-puppet.ts'
import { type Serving, serve } from './serving.ts'
import { authorityIn, type Credentials, forged, honest, TlsClient, type Wanted } from './tls-client.ts'

let repository: ControlRepository
let serving: Serving
const open: TlsClient[] = []

beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': '' })
  serving = await serve({ code_repo: repository.bare })
})
afterEach(() => {
  for (const client of open.splice(0)) client.close()
})
afterAll(async () => {
  await serving?.stop()
})

const port = () => Number(new URL(serving.server.url).port)
const connect = async (options: ConnectionOptions = {}) => {
  const client = await TlsClient.open(port(), options)
  open.push(client)
  return client
}
const ownNode = (name: string) => `/puppet/v3/node/${name}?environment=production`
const authority = () => authorityIn(serving.settings.cadir)
const anyNode = '/puppet/v3/environments'
const administrators = '/puppet-ca/v1/certificate_statuses/any'
const cliAuth = buildTextExtension(puppetOids.get('pp_cli_auth')!, 'true')

/** A server of Node's that lets clients renegotiate, which ours does not: it answers what is bound to the connection. */
async function renegotiatingServer() {
  const { hostprivkey, hostcert, localcacert } = serving.settings
  const [key, cert, ca] = [hostprivkey, hostcert, localcacert].map((file) => readFileSync(file, 'utf8'))
  const options = { key, cert, ca, requestCert: true, rejectUnauthorized: false }
  const server = createServer(options, (request, response) => {
    const bound = getPeer(request.socket)
    const now = (request.socket as TLSSocket).getPeerCertificate().subject?.CN
    const body = JSON.stringify({ bound: typeof bound === 'object' ? bound.subject.attributes[0]![1] : bound, now })
    response.setHeader('content-length', body.length).end(body)
  })
  recordPeers(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

/** What a client is answered under its first certificate, and after it has shown another and negotiated anew. */
async function renegotiate(port: number, path: string, first: Credentials, second: Credentials): Promise<string[]> {
  const files = [first, second].map(({ key, cert }, index) => {
    const file = join(serving.folder, `${index}.pem`)
    writeFileSync(file, `${key}${cert}`)
    return file
  })
  const program = resolve(import.meta.dirname, 'renegotiate.rb')
  const { stdout } = await execa('ruby', [program, String(port), ...files, path])
  return stdout.split('\n')
}

const refused = 'the server does not negotiate anew'

describe.skipIf(!hasPuppet)(`the certificate of a connection, renegotiated${withoutPuppet}`, () => {
  it.each([
    ['a node', 'b.test', ownNode('b.test'), 'a.test'],
    ['an administrator', 'admin', administrators, 'a.test'],
    ['a node, by a certificate that is revoked', 'b.test', ownNode('b.test'), 'revoked.test'],
  ])('cannot become that of %s', async (_, name, path, shown) => {
    const before = await serving.credentials(shown)
    if (shown === 'revoked.test') await serving.revoke(shown)
    const after = await forged(authority(), {
      selfSigned: true,
      name: createDistinguishedName(name),
      extensions: [...honest, cliAuth],
    })
    expect(await renegotiate(port(), path, before, after)).toEqual(['HTTP/1.1 403 Forbidden', refused])
  })

  it('cannot become another after a reload either', async () => {
    await serving.server.reload()
    const after = await forged(authority(), { selfSigned: true })
    const answers = await renegotiate(port(), ownNode('b.test'), await serving.credentials('a.test'), after)
    expect(answers).toEqual(['HTTP/1.1 403 Forbidden', refused])
  })

  it('is the one of its first handshake even where renegotiating is allowed', async () => {
    const server = await renegotiatingServer()
    const after = await forged(authority(), { selfSigned: true })
    const [, again, body = ''] = await renegotiate(server.port, '/', await serving.credentials('a.test'), after)
    server.close()
    expect([again, JSON.parse(body)]).toEqual(['HTTP/1.1 200 OK', { bound: 'a.test', now: 'b.test' }])
  })
})

describe('a connection', () => {
  it("refuses openssl's renegotiation, with the same certificate too", async () => {
    const { key, cert } = await serving.credentials('a.test')
    const file = join(serving.folder, 'a.pem')
    writeFileSync(file, `${key}${cert}`)
    const words = ['s_client', '-connect', `127.0.0.1:${port()}`, '-tls1_2', '-cert', file]
    const { all } = await execa('openssl', words, { input: 'R\n', reject: false, all: true })
    expect(all).toMatch(/no renegotiation/i)
  })

  it('is of TLS 1.2 at least, after a reload too', async () => {
    const old: ConnectionOptions = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }
    await expect(connect(old)).rejects.toThrow()
    await serving.server.reload()
    await expect(connect(old)).rejects.toThrow()
  })

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'shows its certificate itself: no session of %s is resumed',
    async (maxVersion) => {
      let session: Buffer | undefined
      const first = await connect({ ...(await serving.credentials('a.test')), maxVersion })
      first.socket.on('session', (given: Buffer) => (session = given))
      expect(await first.get(ownNode('a.test'))).toBe(200)
      session ??= first.socket.getSession()
      const second = await connect({ session, maxVersion })
      expect([second.socket.isSessionReused(), await second.get(ownNode('a.test'))]).toEqual([false, 403])
    },
  )

  it('that may show a certificate after its handshake is not asked for one, and is nobody', async () => {
    const { key, cert } = await serving.credentials('a.test')
    const file = join(serving.folder, 'a.pem')
    writeFileSync(file, `${key}${cert}`)
    const words = ['s_client', '-connect', `127.0.0.1:${port()}`, '-tls1_3', '-enable_pha', '-quiet']
    const input = `GET ${ownNode('a.test')} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
    const { stdout } = await execa('openssl', words, { input, reject: false })
    expect(stdout).toMatch(/^HTTP\/1\.1 403 /)
  })
})

const commonNames = (...names: readonly string[]): DistinguishedName => ({
  der: encodeSequence(
    ...names.map((name) => encodeSet(encodeSequence(encodeOid(oids.commonName), encodeUtf8String(name)))),
  ),
  attributes: names.map((name) => [oids.commonName, name]),
})
const anHour = 3_600_000

describe('a certificate that our authority signed', () => {
  const cases: readonly (readonly [string, Wanted, string, number])[] = [
    ['is one of its node', {}, 'b.test', 200],
    ['is one of its node, without saying what it is for', { extensions: [] }, 'b.test', 200],
    ["is no client's, but a server's", { extensions: [buildExtendedKeyUsage(oids.serverAuth)] }, 'b.test', 403],
    ['is for signing only', { extensions: [buildKeyUsage('keyCertSign', 'cRLSign')] }, 'b.test', 403],
    ["is an authority's", { extensions: [buildBasicConstraints(true)] }, 'b.test', 403],
    ['is of tomorrow', { from: new Date(Date.now() + anHour) }, 'b.test', 403],
    ['is of yesterday', { to: new Date(Date.now() - anHour) }, 'b.test', 403],
    ['has two names, the last of another', { name: commonNames('x.test', 'b.test') }, 'b.test', 403],
    ['has two names, the first of another', { name: commonNames('b.test', 'x.test') }, 'b.test', 403],
    ['has no name', { name: commonNames() }, 'b.test', 403],
    ['has a name with NUL', { name: createDistinguishedName('b.test\0') }, 'b.test', 403],
    ['has a name with NUL and more', { name: createDistinguishedName('b.test\0.evil') }, 'b.test', 403],
    ['has a name in upper case', { name: createDistinguishedName('B.TEST') }, 'b.test', 403],
    ['has a name with a line break', { name: createDistinguishedName('b.test\n') }, 'b.test', 403],
    ['contains an extension twice', { extensions: [...honest, role('web'), role('db')] }, 'b.test', 403],
  ]
  it.each(cases)('%s', async (_, wanted, name, status) => {
    const client = await connect(await forged(authority(), wanted))
    expect(await client.get(ownNode(name))).toBe(status)
  })

  it('does not count any more when it ends or is revoked, on a connection that is open', async () => {
    const short = await forged(authority(), { to: new Date(Date.now() + anHour) })
    const client = await connect(short)
    expect(await client.get(anyNode)).toBe(200)
    const other = await connect(await serving.credentials('open.test'))
    expect(await other.get(anyNode)).toBe(200)
    await serving.revoke('open.test')
    expect(await other.get(anyNode)).toBe(403)
    vi.useFakeTimers({ toFake: ['Date'], now: short.certificate.notAfter.getTime() + 2000 })
    try {
      expect(await client.get(anyNode)).toBe(403)
    } finally {
      vi.useRealTimers()
    }
  })
})

function role(value: string) {
  return buildTextExtension(puppetOids.get('pp_role')!, value)
}
