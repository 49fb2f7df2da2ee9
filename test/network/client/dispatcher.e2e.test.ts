import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ConnectionOptions } from 'node:tls'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Dispatcher, type DispatcherOptions } from '../../../src/network/client/dispatcher.ts'
import { HttpClient } from '../../../src/network/client/http-client.ts'
import { identities } from '../../store/puppetdb/https-server.ts'

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port
const started: { close(): unknown; closeAllConnections(): void }[] = []

async function listening<Each extends Server>(server: Each): Promise<Each> {
  started.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return server
}

let answer: (response: ServerResponse, request: IncomingMessage) => void
const seen: IncomingMessage[] = []
let connections = 0
let tunnels = 0
let origin: Server
let proxy: Server
let secure: Server
let authorities: string

beforeAll(async () => {
  origin = await listening(
    createServer((request, response) => {
      seen.push(request)
      answer(response, request)
    }),
  )
  origin.on('connection', () => connections++)
  const { server: tls, client } = await identities()
  authorities = String(client.ca)
  secure = await listening(createSecureServer({ key: tls.key, cert: tls.cert }, (_, response) => response.end('safe')))
  proxy = createServer()
  proxy.on('connect', (_, socket) => {
    tunnels++
    const way = connect(portOf(secure), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      way.pipe(socket).pipe(way)
    })
    way.on('error', () => socket.destroy())
    socket.on('error', () => way.destroy())
  })
  await listening(proxy)
})
afterAll(() => {
  for (const each of started) {
    each.closeAllConnections()
    each.close()
  }
})
beforeEach(() => {
  answer = (response) => response.end('here')
  seen.length = 0
  connections = 0
  tunnels = 0
})

const at = (path: string, host = '127.0.0.1') => new URL(`http://${host}:${portOf(origin)}${path}`)
const noWhere: LookupFunction = (host, _, found) => found(new Error(`${host} must not be resolved`), [])
const open = (options: DispatcherOptions = {}) => new Dispatcher(options)
const proxyAt = (host: string, server: Server) => () => ({ host, port: portOf(server), user: 'anna', password: 'pw' })

describe('a proxy of URLs without TLS', () => {
  const through = (lookup?: LookupFunction) =>
    open({ proxyTo: proxyAt('localhost', origin), ...(lookup && { lookup }) })

  it('receives the URL and the password, resolves the name, and is resolved by the system', async () => {
    const { body } = await through(noWhere).request(new URL('http://far.test/a?b=c'))
    expect(await text(body)).toBe('here')
    expect(seen[0]?.url).toBe('http://far.test/a?b=c')
    expect(seen[0]?.headers).toMatchObject({
      ...{ host: 'far.test', 'proxy-authorization': `Basic ${Buffer.from('anna:pw').toString('base64')}` },
    })
  })

  it('has a password that goes to no other host after a redirect', async () => {
    answer = (response, { url }) =>
      url === 'http://far.test/' ? response.writeHead(302, { location: at('/near').href }).end() : response.end('near')
    const toProxy = proxyAt('localhost', origin)
    const client = new HttpClient({
      ...{ tls: { ca: undefined }, plain: true },
      proxyTo: (host) => (host === 'far.test' ? toProxy() : undefined),
    })
    expect(String((await client.send(new URL('http://far.test/'))).body)).toBe('near')
    expect(seen.map(({ headers }) => headers['proxy-authorization'] !== undefined)).toEqual([true, false])
    await client.close()
  })
})

describe('names', () => {
  it('without a proxy are resolved by the lookup of the options, at each connection', async () => {
    const asked: string[] = []
    const lookup: LookupFunction = (host, { all }, found) => {
      asked.push(host)
      return all ? found(null, [{ address: '127.0.0.1', family: 4 }]) : found(null, '127.0.0.1', 4)
    }
    const { body } = await open({ lookup }).request(at('/', 'pinned.test'))
    expect(await text(body)).toBe('here')
    expect(asked).toEqual(['pinned.test'])
    await expect(open({ lookup: noWhere }).request(at('/', 'pinned.test'))).rejects.toThrow('must not be resolved')
  })

  it('behind a proxy are those in the certificate, also if the server is an address', async () => {
    const client = new HttpClient({ tls: { ca: authorities }, proxyTo: proxyAt('localhost', proxy) })
    const url = (host: string) => new URL(`https://${host}:${portOf(secure)}/`)
    expect(String((await client.send(url('localhost'))).body)).toBe('safe')
    await expect(client.send(url('127.0.0.1'))).rejects.toThrow("Server hostname '127.0.0.1' did not match")
    await client.close()
  })
})

describe('what is no request', () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ['a header with two lines', { x: 'a\r\nhost: evil' }],
    ['a header with a name of two lines', { 'x\r\nhost': 'evil' }],
  ])('is %s', async (_, headers) => {
    await expect(open().request(at('/'), { headers })).rejects.toThrow('valid')
    expect(seen).toEqual([])
  })

  it('is one without TLS, unless the client may', async () => {
    const client = new HttpClient({ tls: { ca: undefined } })
    await expect(client.send(at('/'))).rejects.toThrow(`Location URI is invalid: ${at('/').href}`)
    expect(seen).toEqual([])
  })
})

describe('a request', () => {
  const echo = async (response: ServerResponse, request: IncomingMessage) => response.end(await text(request))
  const methods = ['GET', 'DELETE', 'OPTIONS', 'PUT', 'POST']

  it.each(methods)('%s sends its whole body, and the length of a body that is no stream', async (method) => {
    answer = echo
    const bodies = (): [string | Uint8Array | Readable, Readonly<Record<string, string>>][] => [
      ['{"é":1}', { 'content-length': '8' }],
      [Buffer.from('{"é":1}'), { 'content-length': '8' }],
      [Readable.from(['{"é"', ':1}']), { 'transfer-encoding': 'chunked' }],
    ]
    const dispatcher = open({ keepAliveMs: 4000 })
    for (const [body, expected] of bodies()) {
      const response = await dispatcher.request(at('/'), { method, body })
      expect(response.statusCode).toBe(200)
      expect(await text(response.body)).toBe('{"é":1}')
      expect(seen.at(-1)?.headers).toMatchObject(expected)
    }
    dispatcher.close()
    expect(seen.length).toBe(3)
  })

  it.each(methods)(
    '%s has a body of the length that its headers state, also if the caller says otherwise',
    async (method) => {
      answer = echo
      const headers = { 'Content-Length': '1', 'Transfer-Encoding': 'chunked' }
      const response = await open().request(at('/'), { method, headers, body: 'abc' })
      expect(await text(response.body)).toBe('abc')
      expect(seen[0]?.headers).toMatchObject({ 'content-length': '3' })
      expect(seen[0]?.headers['transfer-encoding']).toBe(undefined)
      expect(await text((await open().request(at('/'), { method, headers })).body)).toBe('')
    },
  )

  it('with a stream of a known length states this length', async () => {
    answer = echo
    const headers = { 'content-length': '3' }
    const { body } = await open().request(at('/'), { method: 'DELETE', headers, body: Readable.from(['a', 'bc']) })
    expect(await text(body)).toBe('abc')
    expect(seen[0]?.headers['content-length']).toBe('3')
    expect(seen[0]?.headers['transfer-encoding']).toBe(undefined)
  })

  it.each(['file:///etc/passwd', 'ftp://127.0.0.1/', 'ws://127.0.0.1/'])('of %s is rejected', async (url) => {
    const { protocol } = new URL(url)
    await expect(open().request(new URL(url))).rejects.toThrow(`The protocol '${protocol}' is not supported`)
  })
})

describe('a connection', () => {
  it('has a read timeout, also if it equals the time of idle connections', async () => {
    answer = () => {}
    const dispatcher = open({ readTimeoutMs: 300, keepAliveMs: 300 })
    const asked = dispatcher.request(at('/'), { signal: AbortSignal.timeout(10_000) })
    await expect(asked).rejects.toMatchObject({ code: 'READ_TIMEOUT' })
  })

  it('is no longer opened after an abort, also if it has a time limit', async () => {
    const silent = await listening(createServer())
    const aborting = new AbortController()
    silent.once('connection', () => aborting.abort())
    const dispatcher = open({ connectTimeoutMs: 5000, signal: aborting.signal })
    const asked = dispatcher.request(new URL(`https://127.0.0.1:${portOf(silent)}/`))
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
  })

  it.each<[string, () => ConnectionOptions]>([
    [
      'unreadable',
      () => {
        throw new Error('no PEM')
      },
    ],
    ['invalid', () => ({ cert: 'no PEM', key: 'no PEM' })],
  ])('through a proxy is not opened if the options for TLS are %s', async (_, tls) => {
    const dispatcher = open({ tls, proxyTo: proxyAt('localhost', proxy) })
    await expect(dispatcher.request(new URL(`https://localhost:${portOf(secure)}/`))).rejects.toThrow(
      /no PEM|no start line/,
    )
    expect(tunnels).toBe(0)
  })
})

describe('a response', () => {
  const client = () => new HttpClient({ tls: { ca: undefined }, plain: true, readTimeout: 5 })

  it.each<[string, Readonly<Record<string, string>>]>([
    ['in parts', { 'transfer-encoding': 'chunked' }],
    ['in parts, on the last request of a connection', { 'transfer-encoding': 'chunked', connection: 'close' }],
    ['of a length', { 'content-length': '100' }],
    ['of a length, on the last request of a connection', { 'content-length': '100', connection: 'close' }],
  ])('%s that ends early is not taken for complete', async (_, headers) => {
    answer = (response) => {
      response.writeHead(200, headers)
      response.write('part')
      response.socket?.destroySoon()
    }
    await expect(client().send(at('/'))).rejects.toThrow(/ interrupted after [\d.]+ seconds/)
  })

  it('with headers beyond the limit is an error', async () => {
    answer = (response) => response.writeHead(200, { x: 'y'.repeat(8000) }).end()
    expect((await open({ maxHeaderBytes: 16_000 }).request(at('/'))).statusCode).toBe(200)
    await expect(open({ maxHeaderBytes: 4000 }).request(at('/'))).rejects.toThrow('Header overflow')
  })

  it('that switches to another protocol is an error', async () => {
    answer = (response) =>
      response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n')
    const message = 'The connection ended without a response'
    await expect(open().request(at('/'))).rejects.toThrow(message)
    await expect(client().send(at('/'))).rejects.toThrow(message)
  }, 20_000)

  it('that stops is waited for as long as the limit says', async () => {
    answer = (response) => void response.writeHead(200, { 'content-length': '10' }).write('part')
    const { body } = await open({ readTimeoutMs: 200 }).request(at('/'))
    await expect(text(body)).rejects.toMatchObject({ code: 'READ_TIMEOUT' })
  })

  it('is read to its end after the dispatcher was closed, which can be used again', async () => {
    answer = (response) => {
      response.write('a')
      // Wall clock: the end of the body comes after the client has read its beginning.
      setTimeout(() => response.end('b'), 100)
    }
    const dispatcher = open({ keepAliveMs: 4000 })
    const { body } = await dispatcher.request(at('/'))
    await dispatcher.close()
    expect(await text(body)).toBe('ab')
    expect(await text((await dispatcher.request(at('/'))).body)).toBe('ab')
    await dispatcher.close()
  })
})

it('keeps connections for the time of the options, and none without it', async () => {
  for (const [keepAliveMs, expected] of [
    [4000, 1],
    [0, 3],
  ] as const) {
    connections = 0
    const dispatcher = open({ keepAliveMs })
    for (const _ of [1, 2, 3]) {
      await text((await dispatcher.request(at('/'))).body)
      // A connection is free in the next turn of the event loop.
      await new Promise(setImmediate)
    }
    expect(connections).toBe(expected)
    await dispatcher.close()
  }
})
