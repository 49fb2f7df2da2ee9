import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BodyMemory } from '../../../src/server/bodies/body-memory.ts'
import { BodyReader } from '../../../src/server/bodies/body-reader.ts'
import { createUnauthenticatedClient } from '../../../src/server/http/client.ts'
import { toAccountKey, toNetwork } from '../../../src/server/http/client-account.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { eventually } from '../../support/eventually.js'
import { puppetError, type Serving, serve } from '../serving.ts'

let repository: ControlRepository
let serving: Serving
const sockets: TLSSocket[] = []

beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': "notify { 'x': }\n" })
  serving = await serve({ code_repo: repository.bare })
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await serving?.stop()
})

/** A connection that says what it is told, as a node or as nobody, and keeps what it hears. */
interface Line {
  say(text: string | Buffer): Promise<void>
  /** All until there is a whole head of an answer, or the end. */
  hear(): Promise<string>
  /** All so far. */
  readonly heard: string
  readonly closed: boolean
  end(): void
}

async function line(name?: string, to: Serving = serving): Promise<Line> {
  const tls = name === undefined ? {} : await to.credentials(name)
  const { port } = new URL(to.server.url)
  const socket = connect({
    host: '127.0.0.1',
    port: Number(port),
    servername: 'localhost',
    rejectUnauthorized: false,
    ...tls,
  })
  sockets.push(socket)
  let heard = ''
  let closed = false
  socket.on('data', (data: Buffer) => {
    heard += data.toString('latin1')
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    closed = true
  })
  await new Promise((done) => socket.once('secureConnect', done))
  return {
    say: (text) => new Promise((done) => socket.write(text, () => done())),
    async hear() {
      await eventually(() => heard.includes('\r\n\r\n') || closed)
      return heard
    },
    get heard() {
      return heard
    },
    get closed() {
      return closed
    },
    end: () => socket.destroy(),
  }
}

const octets = 'application/octet-stream'
const head = (method: string, path: string, headers: Readonly<Record<string, string | number>> = {}) =>
  `${[
    `${method} ${path}${path.includes('?') ? '' : '?environment=production'} HTTP/1.1`,
    'Host: localhost',
    'Accept: application/json',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ].join('\r\n')}\r\n\r\n`
const bucket = `/puppet/v3/file_bucket_file/sha256/${'0'.repeat(64)}/srv/x`
const status = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
/** The status of the answer to a whole request; the connection ends then. */
async function statusOn(connection: Line, request: string): Promise<number> {
  await connection.say(request)
  const heard = await connection.hear()
  connection.end()
  return status(heard)
}
const retryAfter = (answer: string) => Number(/^Retry-After: (\d+)\r$/im.exec(answer)?.[1])

describe('requests of one node at once', () => {
  it.each([
    ['reports', 16, '/puppet/v3/report/NODE', 'application/json', /documents of node \S+, at most 16 at once/, 400],
    ['uploads', 8, bucket, octets, /uploads of node \S+, at most 8 at once/, 200],
    [
      'all',
      64,
      '/puppet/v3/catalog/NODE',
      'application/x-www-form-urlencoded',
      /all of node \S+, at most 64 at once/,
      200,
    ],
  ])('are bounded: %s', async (kind, most, path, type, words, whenWhole) => {
    const name = `${kind}.test`
    const begun = head(kind === 'all' ? 'POST' : 'PUT', path.replace('NODE', name), {
      'Content-Type': type,
      'Content-Length': 1000,
    })
    const lines: Line[] = []
    for (let at = 0; at <= most; at++) {
      lines.push(await line(name))
      await lines.at(-1)!.say(`${begun}{`)
    }
    // Which of them is refused is a matter of the order in which they come.
    const answered = () => lines.filter(({ heard }) => heard !== '')
    await expect.poll(answered).toHaveLength(1)
    const refused = await answered()[0]!.hear()
    expect([status(refused), retryAfter(refused) > 0]).toEqual([429, true])
    expect(refused).toMatch(words)
    const other = await serving.call('GET', '/puppet/v3/node/b.test?environment=production', {
      as: 'b.test',
      headers: { accept: 'application/json' },
    })
    expect(other.status).toBe(200)
    expect(answered()).toHaveLength(1)
    for (const each of lines) each.end()
    const whole = async () => statusOn(await line(name), begun + ' '.repeat(1000))
    await expect.poll(whole).not.toBe(429)
    expect(await whole()).toBe(whenWhole)
  })

  it('are bounded for whoever has no certificate, too', async () => {
    const strangers = await line()
    await strangers.say(
      head('PUT', '/puppet-ca/v1/certificate_request/new.test', { 'Content-Type': 'text/plain', 'Content-Length': 9 }),
    )
    const lines = [strangers]
    for (let at = 1; at < 64; at++) {
      lines.push(await line())
      await lines.at(-1)!.say(
        head('PUT', `/puppet-ca/v1/certificate_request/n${at}.test`, {
          'Content-Type': 'text/plain',
          'Content-Length': 9,
        }),
      )
    }
    const one = async () => statusOn(await line(), head('GET', '/puppet-ca/v1/certificate/ca'))
    await expect.poll(one).toBe(429)
    expect((await serving.call('GET', '/puppet/v3/environments', { as: 'b.test' })).status).toBe(200)
    for (const each of lines) each.end()
    await expect.poll(one).toBe(200)
  })
})

describe('requests of one node in a minute', () => {
  let few: Serving
  beforeAll(async () => {
    few = await serve({ code_repo: repository.bare, max_requests_per_minute: '6' })
  })
  afterAll(() => few?.stop())

  it('are bounded, and it is told when to come again', async () => {
    const ask = (as: string) => few.call('GET', '/puppet/v3/environments', { as })
    const answers = []
    for (let at = 0; at < 8; at++) answers.push(await ask('a.test'))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.slice(0, 6)).toEqual(Array(6).fill(200))
    expect(statuses[7]).toBe(429)
    const { headers, text } = answers[7]!
    expect(text).toBe('Too many requests: all of node a.test, at most 6 per minute')
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(5)
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(11)
    expect((await ask('b.test')).status).toBe(200)
  })

  it('never count a node for an address, whatever its name', () => {
    const address = '10.0.0.1'
    expect(toAccountKey({ ...createUnauthenticatedClient('10.0.0.2'), certname: address })).not.toBe(
      toAccountKey(createUnauthenticatedClient(address)),
    )
  })

  it.each([
    [undefined, ''],
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:10.0.0.1', '::ffff:10.0.0.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('count an address with all that its host can have: %s', (address, network) => {
    expect(toNetwork(address)).toBe(network)
  })
})

describe('a body', () => {
  const mega = 1024 * 1024

  it.each([
    ['PUT', '/puppet/v3/facts/a.test'],
    ['PUT', '/puppet/v3/report/a.test'],
    ['POST', '/puppet/v3/catalog/a.test'],
    ['PUT', bucket],
    ['PUT', '/puppet/v3/nothing/a.test'],
    ['PUT', '/nothing'],
    ['POST', '/puppet-ca/v1/sign'],
    ['PUT', '/puppet-ca/v1/certificate_revocation_list'],
    ['PUT', '/puppet-ca/v1/certificate_status/a.test'],
    ['PUT', '/puppet-ca/v1/clean'],
  ])('of whoever has no leave is refused before it is sent: %s %s', async (method, path) => {
    const stranger = await line()
    const headers = { 'Content-Type': octets, 'Content-Length': 40 * mega, Expect: '100-continue' }
    await stranger.say(head(method, path, headers))
    const answer = await stranger.hear()
    expect([status(answer), answer.includes('100 Continue')]).toEqual([403, false])
    stranger.end()
  })

  it('is asked for when it has leave, and when it is not too large', async () => {
    const report = { 'Content-Type': 'application/json', Expect: '100-continue' }
    const small = await line('a.test')
    await small.say(head('PUT', '/puppet/v3/report/a.test', { ...report, 'Content-Length': 2 }))
    expect(await small.hear()).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    await small.say('{}')
    await expect.poll(() => small.hear()).toContain('HTTP/1.1 400 Bad Request')
    const large = await line('a.test')
    await large.say(head('PUT', '/puppet/v3/report/a.test', { ...report, 'Content-Length': 49 * mega }))
    expect(status(await large.hear())).toBe(413)
  })

  it.each([
    ['both a length and chunks', { 'Content-Length': 5, 'Transfer-Encoding': 'chunked' }, '0\r\n\r\n', 400],
    ['two lengths', { 'Content-Length': '5\r\nContent-Length: 6' }, 'aaaaaa', 400],
    ['an unknown encoding of its transfer', { 'Transfer-Encoding': 'chunked, x' }, '0\r\n\r\n', 400],
    ['chunks', { 'Transfer-Encoding': 'chunked' }, '2\r\n{}\r\n0\r\n\r\n', 400],
    ['gzip', { 'Content-Encoding': 'gzip', 'Content-Length': 2 }, '{}', 415],
  ])('that has %s is refused, or read as it is', async (_, headers, text, expected) => {
    const one = await line('a.test')
    await one.say(head('PUT', '/puppet/v3/report/a.test', { 'Content-Type': 'application/json', ...headers }) + text)
    expect(status(await one.hear())).toBe(expected)
  })

  it('is not kept beyond what all bodies of its node may hold, and who sends it reads so', async () => {
    const lines: Line[] = []
    for (let at = 0; at < 3; at++) {
      const one = await line('large.test')
      lines.push(one)
      await one.say(
        head('PUT', '/puppet/v3/report/large.test', {
          'Content-Type': 'application/json',
          'Content-Length': 45 * mega,
        }),
      )
      for (let sent = 0; sent < 44; sent++) void one.say(Buffer.alloc(mega, ' '))
    }
    const answers = await Promise.race(lines.map(async (each) => (await each.hear()) || never()))
    expect([status(answers), retryAfter(answers) > 0]).toEqual([429, true])
    for (const each of lines) each.end()
  })

  it('of a file that is too large for the bucket is refused in words, and leaves nothing', async () => {
    const few = await serve({ code_repo: repository.bare, bucket_max_file_size: String(mega) })
    const answers = []
    for (const headers of [[['Content-Length', 2 * mega]], [['Transfer-Encoding', 'chunked']]] as const) {
      const one = await line('a.test', few)
      await one.say(head('PUT', bucket, { 'Content-Type': octets, ...Object.fromEntries(headers) }))
      if (headers[0][1] === 'chunked') await one.say(`${(2 * mega).toString(16)}\r\n`)
      await one.say(Buffer.alloc(2 * mega))
      answers.push(await one.hear())
    }
    expect(answers.map(status)).toEqual([413, 413])
    expect(answers[0]).toContain("The file exceeds the file bucket's limit of 1048576 bytes")
    const cut = await line('a.test', few)
    await cut.say(head('PUT', bucket, { 'Content-Type': octets, 'Content-Length': mega }))
    await cut.say(Buffer.alloc(mega / 2))
    const uploads = join(few.settings.bucketdir, '.uploads')
    await expect.poll(() => readdirSync(uploads)).toHaveLength(1)
    cut.end()
    await expect.poll(() => readdirSync(uploads)).toEqual([])
    expect(few.log.join('')).not.toContain('internal error')
    await few.stop()
  })

  it('of a full disk is refused in words', async () => {
    const full = await serve({ code_repo: repository.bare, bucket_min_free_space: String(2 ** 50) })
    const answer = await full.call('PUT', `${bucket}?environment=production`, {
      as: 'a.test',
      headers: { 'content-type': octets },
      body: 'abc',
    })
    expect([answer.status, answer.text]).toEqual([
      507,
      puppetError(
        'Insufficient Storage: The disk of the file bucket has too little free space',
        'RUNTIME_ERROR',
        'Free disk space, or decrease bucket_min_free_space.',
      ),
    ])
    await full.stop()
  })

  it('of a query has no more parameters than are ever used', async () => {
    const answer = await serving.call('GET', `/puppet/v3/environments?${'a&'.repeat(1001)}`, { as: 'a.test' })
    expect([answer.status, answer.text.includes('More than 1000 parameters')]).toEqual([413, true])
  })
})

/** Nothing, for ever. */
function never(): Promise<never> {
  return new Promise(() => {})
}

describe('bodies that are held', () => {
  it('are counted until they are let go', () => {
    const held = new BodyMemory({ all: 1000, client: 600 })
    const [one, two] = [held.open('a'), held.open('a')]
    one.grow(500)
    expect(() => two.grow(200)).toThrow('Too many large request bodies of a at once')
    held.open('b').grow(400)
    expect(() => held.open('c').grow(200)).toThrow('Too many large request bodies at once')
    one.release()
    two.grow(200)
    expect(held.all).toBe(600)
  })

  it('are small ones still when large ones have their share', () => {
    const held = new BodyMemory({ all: 4_000_000, client: 4_000_000 })
    held.open('a').grow(3_000_000)
    expect(() => held.open('b').grow(300_000)).toThrow('Too many large request bodies')
    held.open('b').grow(100_000)
    expect(held.all).toBe(3_100_000)
  })
})

describe('a thread that reads bodies', () => {
  const size = 400 * 1024
  const block = (text: string) => {
    const blocks = [new Uint8Array(Buffer.from(text.padEnd(size)))]
    return { blocks, size }
  }
  const facts = (name: string) => block(`{"name":"${name}","values":{"a":1.0}}`)

  it('is ended when one takes too long, and goes on with the next', async () => {
    const reader = new BodyReader({ time: 1 })
    await expect(reader.read('facts', facts('a'), '', 'a')).rejects.toThrow('takes longer than 0.001 seconds to read')
    await reader.close()
    const patient = new BodyReader()
    const answers = await Promise.all(['a', 'b'].map((name) => patient.read('facts', facts(name), '', name)))
    expect(answers.map(({ value }) => [value.name, Buffer.from(value.values).toString()])).toEqual([
      ['a', '{"a":1.0}'],
      ['b', '{"a":1.0}'],
    ])
    await patient.close()
  })

  it('serves clients in turn, and only so many', async () => {
    const reader = new BodyReader({ queue: 4 })
    const done: string[] = []
    const read = async (client: string, number: number) => {
      await reader.read('facts', facts('x'), '', client)
      done.push(`${client}${number}`)
    }
    const all = [read('a', 1), read('a', 2), read('a', 3), read('b', 1)]
    await expect(reader.read('facts', facts('x'), '', 'c')).rejects.toMatchObject({ status: 503 })
    await Promise.all(all)
    expect(done).toEqual(['a1', 'b1', 'a2', 'a3'])
    await reader.close()
  })

  it('leaves room to others, however much one client sends', async () => {
    const reader = new BodyReader({ queue: 8, queueOfOne: 2 })
    const all = ['a', 'a', 'b'].map((client) => reader.read('facts', facts('x'), '', client))
    await expect(reader.read('facts', facts('x'), '', 'a')).rejects.toMatchObject({ status: 429 })
    await Promise.all(all)
    await expect(reader.read('facts', facts('x'), '', 'a')).resolves.toMatchObject({ value: { name: 'x' } })
    await reader.close()
  })
})
