import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { type ConnectionOptions, connect as connectSecurely, type TLSSocket } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { budgets } from '../../../src/base/budgets/budgets.ts'
import { createConnectionBounds } from '../../../src/server/https/connections.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { eventually } from '../../support/eventually.js'
import { plumb, type RunningServer, startServer } from '../../support/plumb.ts'
import { TlsClient } from '../tls-client.ts'

const bounds = budgets.connection
/** Node's TLS takes an address to come from; its types do not say so. */
type Options = ConnectionOptions & { readonly localAddress: string }
const big = 'a line of sixty-four characters, so that a file of many is big..\n'.repeat(400_000)

let repository: ControlRepository
beforeAll(() => {
  repository = controlRepository({
    'manifests/site.pp': "file { '/srv/big': content => file('m/big.txt') }\n",
    'modules/m/files/big.txt': big,
  })
})

/** Credentials of the server's own host, which its authority signed. */
function ownOf({ confdir }: RunningServer) {
  const file = (path: string) => readFileSync(join(confdir, 'ssl', path), 'utf8')
  return { cert: file('certs/localhost.pem'), key: file('private_keys/localhost.pem') }
}

/** Waits for the end of a connection. A server that closes with unread bytes resets it: the error is no failure. */
async function closing(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((done) => socket.once('close', done))
}
const status = '/status/v1/simple'
const environments = '/puppet/v3/environments'
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n`

describe('more connections than there may be', () => {
  let server: RunningServer
  const open: Socket[] = []

  beforeAll(async () => {
    server = await startServer({ repository: repository.bare, descriptors: 128 })
  })
  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy()
  })
  afterAll(() => server?.stop())

  const isOpen = (socket: Socket) => !socket.destroyed && socket.readyState !== 'closed'
  /** Another address of this machine for each number: Linux has all of 127.0.0.0/8. */
  const address = (number: number) => `127.1.${number >> 8}.${number & 255}`

  const kinds: Readonly<Record<string, (from: string) => Promise<Socket>>> = {
    'that say nothing': async (localAddress) => {
      const socket = connect({ port: server.port, host: '127.0.0.1', localAddress })
      socket.on('error', () => {})
      return socket
    },
    'that begin a handshake': async (localAddress) => {
      const socket = connect({ port: server.port, host: '127.0.0.1', localAddress })
      socket.on('error', () => {}).write(Buffer.from('16030100', 'hex'))
      return socket
    },
    'that are secured, and ask nothing': (from) => secured(from),
    'that stop in their headers': async (from) => said(await secured(from), `GET ${status} HTTP/1.1\r\nHost: x\r\n`),
    'that stop in their body': async (from) =>
      said(
        await secured(from),
        'PUT /puppet-ca/v1/certificate_request/x HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\n1',
      ),
    'that asked, and stay': async (from) => said(await secured(from), get(status)),
  }

  async function secured(localAddress: string): Promise<TLSSocket> {
    const options: Options = { port: server.port, host: '127.0.0.1', localAddress, rejectUnauthorized: false }
    const socket = connectSecurely(options)
    socket.on('error', () => {}).resume()
    await new Promise<unknown>((done) => socket.once('secureConnect', done).once('close', done))
    return socket
  }

  function said(socket: TLSSocket, text: string): TLSSocket {
    socket.write(text)
    return socket
  }

  /** An honest request on a connection of its own, from any address. */
  async function asks(path: string, localAddress: string, credentials = {}): Promise<number> {
    const options: Options = { ...credentials, localAddress }
    const client = await TlsClient.open(server.port, options)
    const answer = await client.get(path)
    client.close()
    return answer
  }

  it.each(Object.keys(kinds).flatMap((kind) => [[kind, 'one address'] as const, [kind, 'many'] as const]))(
    'push out those %s, from %s, and no honest client',
    async (kind, from) => {
      const own = ownOf(server)
      const staying = await TlsClient.open(server.port, own)
      open.push(staying.socket)
      expect(await staying.get(environments)).toBe(200)
      const fill = async (count: number) => {
        for (let done = 0; done < count; done += 20) {
          const batch = Array.from({ length: 20 }, (_, index) =>
            from === 'many' ? address(done + index) : '127.1.0.1',
          )
          open.push(...(await Promise.all(batch.map((each) => kinds[kind]!(each)))))
        }
      }
      for (let round = 0; round < 3; round++) {
        await fill(60)
        // From the address that is full, too; and a stranger, who wants a certificate.
        expect(await asks(environments, '127.1.0.1', own)).toBe(200)
        expect(await asks(status, '127.1.0.1')).toBe(200)
        expect(await asks(status, '127.0.0.1')).toBe(200)
        expect(await staying.get(environments)).toBe(200)
      }
      expect(open.filter(isOpen).length).toBeLessThanOrEqual(66)
      expect(server.process.exitCode).toBe(null)
    },
  )

  it('leave descriptors to git and to files: code is deployed meanwhile', async () => {
    for (let count = 0; count < 200; count++) open.push(await kinds['that say nothing']!(address(count)))
    const commit = repository.push({ 'manifests/more.pp': '' })
    const { stdout } = await plumb(['code', 'deploy', 'production', ...server.places])
    expect(stdout).toContain(commit)
    expect(await asks(environments, '127.0.0.1', ownOf(server))).toBe(200)
    expect(server.output()).toContain('Too many connections')
  })

  it('of one node push out each other, and no handshake of others', async () => {
    const own = ownOf(server)
    for (let count = 0; count < 70; count++) {
      const options: Options = { ...own, localAddress: address(count % 3) }
      open.push((await TlsClient.open(server.port, options)).socket)
    }
    const ask = (from: number) => asks(status, `127.2.0.${from}`).catch(() => 0)
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => ask(index + 1)))
      expect(answers).toEqual(Array(10).fill(200))
    }
  })

  it('are not let in where all that are there have proven themselves and are at work', async () => {
    const own = ownOf(server)
    const half = `PUT /puppet/v3/facts/localhost?environment=production HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`
    for (let count = 0; count < 40; count++) {
      const options: Options = { ...own, localAddress: address(count % 2) }
      const client = await TlsClient.open(server.port, options).catch(() => undefined)
      if (!client) continue
      client.socket.write(half)
      open.push(client.socket)
    }
    expect(await asks(status, '127.0.0.1')).toBe(200)
    expect(open.filter(isOpen).length).toBeGreaterThanOrEqual(32)
  })
})

describe('the bounds of connections', () => {
  it.each([
    [10_000, 1000, 20_000, 10_000, 1000],
    [10_000, 1000, 1024, 768, 384],
    [10_000, 1000, 128, 64, 32],
    [10_000, 1000, undefined, 10_000, 1000],
    [100, 1000, 1024, 100, 50],
    [1, 1, 1024, 2, 1],
  ])('with max_connections %i and %i, and %s descriptors', (max_connections, per, descriptors, total, perAddress) => {
    const settings = { max_connections, max_connections_per_address: per }
    expect(createConnectionBounds(settings, descriptors)).toMatchObject({ total, perAddress })
  })
})

describe.concurrent('a client that takes its time', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startServer({ repository: repository.bare })
  })
  afterAll(() => server?.stop())

  /** After how many milliseconds the server closes a connection, and what it said before. */
  async function closed(socket: Socket): Promise<{ readonly after: number; readonly said: string }> {
    const started = performance.now()
    let said = ''
    socket.on('data', (data: Buffer) => (said += data.toString('latin1').slice(0, 100)))
    await closing(socket)
    return { after: performance.now() - started, said }
  }

  /** Sends a text a character a second, until the connection is closed. */
  function drip(socket: Socket, text: string | Buffer): Socket {
    let at = 0
    const timer = setInterval(() => {
      if (socket.writable) socket.write(text.slice(at % text.length, (at++ % text.length) + 1))
    }, 1000)
    socket.once('close', () => clearInterval(timer))
    return socket
  }

  const plain = async (): Promise<Socket> => {
    const socket = connect({ port: server.port, host: '127.0.0.1' }).on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  const secure = async (): Promise<Socket> => (await TlsClient.open(server.port, ownOf(server))).socket
  const facts =
    'PUT /puppet/v3/facts/localhost?environment=production HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  const hello = Buffer.concat([Buffer.from('1603010200', 'hex'), Buffer.alloc(512, 1)])
  const { handshake, headers, idle, transferTime } = bounds

  it.concurrent.each<[string, () => Promise<Socket>, number, RegExp]>([
    ['to say anything', plain, handshake.bound, /^$/],
    ['with its handshake', async () => drip(await plain(), hello), handshake.bound, /^$/],
    ['to ask', secure, headers.bound, /^(HTTP\/1\.1 408 [\s\S]*)?$/],
    ['with its headers', async () => drip(await secure(), get(status).trimEnd()), headers.bound, /^HTTP\/1\.1 408 /],
    [
      'to send a body',
      async () => {
        const socket = await secure()
        socket.write(`${facts}Content-Length: 100\r\n\r\n{`)
        return socket
      },
      2 * transferTime.bound,
      /^$/,
    ],
    [
      'with its body',
      async () => {
        const socket = await secure()
        socket.write(`${facts}Content-Length: 1000000\r\n\r\n{`)
        return drip(socket, ' ')
      },
      2 * transferTime.bound,
      /^$/,
    ],
    [
      'to ask again',
      async () => {
        const socket = await secure()
        socket.write(get(status))
        return socket
      },
      idle.bound,
      /^HTTP\/1\.1 200 /,
    ],
  ])('%s is cut off', async (_, begin, within, expected) => {
    const { after, said } = await closed(await begin())
    expect(said).toMatch(expected)
    // A connection that is not cut off lasts for longer than a test may.
    expect(after).toBeGreaterThan(within / 3)
  })

  const form =
    'environment=production&facts_format=application%2Fjson&facts=%257B%2522name%2522%253A%2522localhost%2522%252C%2522values%2522%253A%257B%257D%257D'
  it.concurrent.each([
    ['a file', get('/puppet/v3/file_content/modules/m/big.txt?environment=production')],
    [
      'a catalog',
      `POST /puppet/v3/catalog/localhost?environment=production HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`,
    ],
  ])('to read %s is cut off', async (_, request) => {
    const socket = connect({ port: server.port, host: '127.0.0.1' })
    const secured = connectSecurely({ socket, rejectUnauthorized: false, ...ownOf(server) })
    secured.on('error', () => {})
    await once(secured, 'secureConnect')
    // Nothing is taken from the wire, by nobody. What the kernel holds is less than the answer.
    await new Promise((done) => secured.write(request, done))
    socket.pause()
    secured.pause()
    const { port } = socket.address() as { port: number }
    await eventually(
      () => isEstablished(server.port, port),
      (isThere) => !isThere,
    )
    secured.destroy()
  })

  it.concurrent('but goes on is answered', async () => {
    const client = await TlsClient.open(server.port, ownOf(server))
    const body = JSON.stringify({ name: 'localhost', values: { slow: 'x'.repeat(60_000) } })
    client.socket.write(`${facts}Accept: application/json\r\nContent-Length: ${body.length}\r\n\r\n`)
    for (let at = 0; at < body.length; at += 1000) {
      client.socket.write(body.slice(at, at + 1000))
      // Wall clock: the bytes in a second are what is tested.
      await new Promise((done) => setTimeout(done, 1200))
    }
    expect((await client.answer()).status).toBe(200)
    client.close()
  })
})

/** Whether the server's end of a connection is still there. */
function isEstablished(server: number, client: number): boolean {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0')
  const established = '01'
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .some(([, own, other, state]) => {
      const isThis = own?.endsWith(`:${hex(server)}`) === true && other?.endsWith(`:${hex(client)}`) === true
      return isThis && state === established
    })
}

describe('a client that asks for much', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startServer({ repository: repository.bare })
  })
  afterAll(() => server?.stop())

  const many = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: x`)

  it.each([
    ['headers of many bytes', [`X: ${'x'.repeat(bounds.headerBytes.bound)}`], 431],
    ['many headers', many(bounds.headerCount.bound + 1), 431],
    ['very many short headers', many(1500), 431],
    ['as many headers as may be', many(bounds.headerCount.bound - 3), 200],
  ])('is answered by what is due to %s', async (_, headers, expected) => {
    const client = await TlsClient.open(server.port)
    expect((await client.ask(status, headers)).status).toBe(expected)
    client.close()
  })

  it('at once, on one connection, is cut off', async () => {
    const client = await TlsClient.open(server.port)
    let answers = 0
    client.socket.on('data', (data: Buffer) => (answers += data.toString().split('HTTP/1.1 200').length - 1))
    client.socket.write(get(status).repeat(500))
    await closing(client.socket)
    expect(answers).toBeLessThan(500)
  })

  it('one after another, on one connection, gets a new connection', async () => {
    const client = await TlsClient.open(server.port)
    const turn = 10
    for (let asked = 0; asked < bounds.requests.bound; asked += turn) {
      client.socket.write(get(status).repeat(turn))
      for (let of = 0; of < turn; of++) expect(await client.answer()).toMatchObject({ status: 200 })
    }
    await closing(client.socket)
  })
})
