import type { IncomingMessage } from 'node:http'
import { createServer as createPlainServer, type Server as PlainServer } from 'node:http'
import { createServer, type Server } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { puppetVersion } from '../../../src/base/puppet-version.ts'
import { toCertificatePem } from '../../../src/ca/x509/certificate.ts'
import { toPrivateKeyPem } from '../../../src/ca/x509/keys.ts'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { createProxySelector } from '../../../src/network/client/proxy.ts'
import { createSession } from '../../../src/network/client/session.ts'
import { resolveSrvAddresses } from '../../../src/network/client/srv-records.ts'
import type { TlsContext } from '../../../src/network/client/tls.ts'
import { ec, newAuthority } from '../../ca/fixture.ts'

let server: Server
let proxy: PlainServer
let tls: TlsContext
const asked: { readonly url: string | undefined; readonly authorization: string | undefined }[] = []
const requests: string[] = []

const portOf = (each: Server | PlainServer) => (each.address() as AddressInfo).port

beforeAll(async () => {
  const { ca } = await newAuthority()
  const own = await ca.generate('localhost', { key: ec })
  const { pem } = await ca.certificates()
  tls = { ca: pem }
  server = createServer(
    { key: toPrivateKeyPem(own.key), cert: toCertificatePem(own.certificate) },
    (request, response) => {
      requests.push(request.url ?? '')
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"a.test"}')
    },
  )
  proxy = createPlainServer()
  proxy.on('connect', (request: IncomingMessage, socket) => {
    asked.push({ url: request.url, authorization: request.headers['proxy-authorization'] })
    if (request.headers['proxy-authorization'] === undefined) {
      socket.end('HTTP/1.1 407 Who are\u001b you\r\ncontent-length: 0\r\n\r\n')
      return
    }
    const way = connect(portOf(server), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      way.pipe(socket).pipe(way)
    })
    way.on('error', () => socket.destroy())
    socket.on('error', () => way.destroy())
  })
  for (const each of [server, proxy]) await new Promise<void>((done) => each.listen(0, '127.0.0.1', done))
})
afterAll(() => {
  server.closeAllConnections()
  for (const each of [server, proxy]) each.close()
})

const settingsOf = (given: Readonly<Record<string, string>>) =>
  loadSettings({ given: { server: 'localhost', confdir: '/nowhere', ...given }, runMode: 'agent' })

describe('an HTTP proxy', () => {
  const settings = () => ({
    serverport: String(portOf(server)),
    http_proxy_host: '127.0.0.1',
    http_proxy_port: String(portOf(proxy)),
    no_proxy: 'other.test',
  })

  it('is asked for the way to the server, and sees nothing of what goes over it', async () => {
    const words = { http_proxy_user: 'anna', http_proxy_password: 's%40fe' }
    const session = createSession({ settings: settingsOf({ ...settings(), ...words }), tls, puppetVersion })
    expect(await session.puppet.node('a.test', { environment: 'production' })).toMatchObject({ name: 'a.test' })
    await session.close()
    const authorization = `Basic ${Buffer.from('anna:s%40fe').toString('base64')}`
    expect(asked.splice(0)).toEqual([{ url: `localhost:${portOf(server)}`, authorization }])
  })

  it('says why it does not let us through', async () => {
    const session = createSession({ settings: settingsOf(settings()), tls, puppetVersion })
    await expect(session.puppet.node('a.test', { environment: 'production' })).rejects.toThrow(
      `The proxy 127.0.0.1:${portOf(proxy)} replied: 407 Who are`,
    )
    await session.close()
    asked.splice(0)
  })

  it.each([
    ['localhost', undefined],
    ['sub.example.com', undefined],
    ['example.com:8140', undefined],
    ['example.com', 'proxy.test'],
    ['other.org', 'proxy.test'],
  ])('is left out as no_proxy says: %s', (place, expected) => {
    const no_proxy = 'localhost, .example.com,example.com:8140, *.internal'
    const choice = createProxySelector(settingsOf({ http_proxy_host: 'proxy.test', no_proxy }), {})
    const [host = '', port = '443'] = place.split(':')
    expect(choice(host, Number(port))?.host).toBe(expected)
  })

  it('is that of the environment before that of the settings', () => {
    const env = { http_proxy: 'http://anna:s%40fe@[::1]:3129', NO_PROXY: 'near.test' }
    const choice = createProxySelector(settingsOf({ http_proxy_host: 'proxy.test' }), env)
    expect(choice('far.test', 8140)).toEqual({ host: '::1', port: 3129, user: 'anna', password: 's@fe' })
    expect(choice('near.test', 8140)).toBe(undefined)
    expect(createProxySelector(settingsOf({}), {})('far.test', 8140)).toBe(undefined)
  })
})

describe('SRV records', () => {
  const record = (name: string, priority: number, port: number, weight = 1) => ({ name, priority, port, weight })
  const dns =
    (zone: Readonly<Record<string, ReturnType<typeof record>[]>>, seen: string[] = []) =>
    async (name: string) => {
      seen.push(name)
      return zone[name] ?? Promise.reject(Object.assign(new Error(`querySrv ENOTFOUND ${name}`), { code: 'ENOTFOUND' }))
    }

  it('name servers by priority, and those of all services where one has none', async () => {
    const seen: string[] = []
    const zone = { '_x-puppet._tcp.example.test': [record('late.test', 2, 1), record('early.test', 1, 2)] }
    expect(await resolveSrvAddresses('example.test', 'ca', dns(zone, seen))).toEqual([
      { host: 'early.test', port: 2 },
      { host: 'late.test', port: 1 },
    ])
    expect(seen).toEqual(['_x-puppet-ca._tcp.example.test', '_x-puppet._tcp.example.test'])
    expect(await resolveSrvAddresses('', 'puppet', dns(zone))).toEqual([])
  })

  it('draw the heavier more often', async () => {
    const zone = { '_x-puppet._tcp.x': [record('light.test', 1, 1, 1), record('heavy.test', 1, 1, 9)] }
    const firsts = await Promise.all(
      Array.from({ length: 400 }, async () => (await resolveSrvAddresses('x', 'puppet', dns(zone)))[0]?.host),
    )
    const heavy = firsts.filter((host) => host === 'heavy.test').length
    expect(heavy).toBeGreaterThan(300)
    expect(heavy).toBeLessThan(400)
  })

  it('are used, the first server that can be connected to; without one, the settings', async () => {
    const warnings: string[] = []
    const port = portOf(server)
    const zone = { '_x-puppet._tcp.example.test': [record('localhost', 1, 1), record('localhost', 2, port)] }
    const given = { use_srv_records: 'true', srv_domain: 'example.test', serverport: '2' }
    const options = { tls, puppetVersion, warn: (message: string) => void warnings.push(message) }
    const session = createSession({ ...options, settings: settingsOf(given), lookUpSrv: dns(zone) })
    expect(await session.server()).toEqual({ host: 'localhost', port })
    expect(await session.puppet.node('a.test', { environment: 'production' })).toMatchObject({ name: 'a.test' })
    expect(warnings).toEqual([
      expect.stringContaining('Connection to https://localhost:1/ failed, trying next route: '),
    ])
    await session.close()
    const other = createSession({ ...options, settings: settingsOf(given), lookUpSrv: dns({}) })
    expect(await other.server()).toEqual({ host: 'localhost', port: 2 })
    await other.close()
  })
})

describe('a server that a source names', () => {
  it('is asked on serverport, or on the port that the source names', async () => {
    const session = createSession({ settings: settingsOf({ serverport: String(portOf(server)) }), tls, puppetVersion })
    expect(await session.at('localhost').node('a.test', { environment: 'production' })).toMatchObject({
      name: 'a.test',
    })
    await expect(session.at('localhost', 1).node('a.test', { environment: 'production' })).rejects.toThrow(
      /port 1\b|:1\b/,
    )
    await session.close()
  })
})
