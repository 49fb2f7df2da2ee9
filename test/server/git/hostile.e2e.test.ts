// Own process: it measures the memory of its process.
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { budgets } from '../../../src/base/budgets/budgets.ts'
import { encodePktLine, flushPkt } from '../../../src/code/git/pkt-line.ts'
import { createPushTurns } from '../../../src/server/git/concurrency-limits.ts'
import { limitRequestTime } from '../../../src/server/http/request-time.ts'
import { answerMalformedRequest } from '../../../src/server/https/malformed-request.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { type Answer, type Serving, serve } from '../serving.ts'
import { GitClients } from './git-clients.ts'

let repository: ControlRepository
let serving: Serving
let reading: string
let pushing: string
let head: string
let older: string

beforeAll(async () => {
  repository = controlRepository()
  older = repository.push({ 'manifests/site.pp': "notify { 'one': }\n" })
  head = repository.push({ 'manifests/site.pp': "notify { 'two': }\n" })
  serving = await serve({ code_repo: repository.bare, max_push_bytes: '2000000' })
  const clients = new GitClients(serving)
  reading = await clients.token('reader', 'code-read')
  pushing = await clients.token('pusher', 'code-push')
})
afterAll(() => serving?.stop())

const none = '0'.repeat(40)
const capabilities = 'report-status side-band-64k'
const packHead = Buffer.from('5041434b0000000200000000', 'hex')
/** A pack without objects. */
const emptyPack = Buffer.concat([packHead, createHash('sha1').update(packHead).digest()])
const command = (before: string, after: string, ref: string, more = capabilities) =>
  encodePktLine(`${before} ${after} ${ref}\0 ${more}`)

function ask(
  service: 'upload-pack' | 'receive-pack',
  body: Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return serving.call('POST', `/git/code.git/git-${service}`, {
    headers: { 'content-type': `application/x-git-${service}-request`, 'x-authentication': pushing, ...headers },
    body,
  })
}
/** Nothing of a push is left, and the ref is where it was. */
function expectUntouched(): void {
  expect(repository.gitBare('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads', 'refs/tags')).toBe(
    `refs/heads/production ${head}`,
  )
  expect(readdirSync(join(repository.bare, 'objects')).filter((name) => name.includes('incoming'))).toEqual([])
}

describe('a path', () => {
  it.each<[string, number]>([
    ['/git/../status/v1/services', 400],
    ['/git/%2e%2e/%2e%2e/etc/passwd', 400],
    ['/git/code.git/../../../etc/passwd', 400],
    ['/git/..%2fcode.git/info/refs?service=git-upload-pack', 400],
    ['/git/code.git%00/info/refs?service=git-upload-pack', 400],
    ['/git/code.git/info%0d%0arefs?service=git-upload-pack', 400],
    ['/git/%2fsrv%2fcode.git/info/refs?service=git-upload-pack', 404],
    ['/git/--upload-pack=x.git/info/refs?service=git-upload-pack', 404],
    ['/git/code.git.git/info/refs?service=git-upload-pack', 404],
    ['/git/CODE.git/info/refs?service=git-upload-pack', 404],
    ['/git/__proto__.git/info/refs?service=git-upload-pack', 404],
    ['/git/.git/info/refs?service=git-upload-pack', 404],
    ['/git/code.git/info/refs/?service=git-upload-pack', 404],
    ['/git/code.git/info/refs?service=git-upload-pack%00', 403],
    ['/git/code.git/refs/heads/production', 404],
    ['/git/code.git/objects/../config', 400],
  ])('leads nowhere else: %s', async (path, status) => {
    const answer = await serving.call('GET', path, { as: 'admin.test' })
    expect([path, answer.status]).toEqual([path, status])
    expect(answer.text).not.toContain('root:')
  })

  it('is the same for the rules and for git, however it is written', async () => {
    const body = Buffer.concat([command(head, older, 'refs/heads/production'), flushPkt, emptyPack])
    const headers = { 'content-type': 'application/x-git-receive-pack-request', 'x-authentication': reading }
    for (const path of [
      '/git/code.git/git-receive-pack',
      '/git/code.git%2fgit-receive-pack',
      '//git//code.git//git-receive-pack',
      '/%67it/code.git/git-receive%2dpack',
      '/git/code.git/git-receive-pack?service=git-upload-pack',
      '/git/code.git/git-receive-pack/',
      '/git/code.git/git-receive-pack%20',
    ]) {
      const { status } = await serving.call('POST', path, { headers, body })
      expect([path, status >= 400]).toEqual([path, true])
    }
    expectUntouched()
  })
})

describe('a push that is none', () => {
  it.each<[string, () => Buffer, number, string]>([
    ['no length', () => Buffer.from('zzzz'), 400, 'a line has no length'],
    ['a length of 3', () => Buffer.from('0003'), 400, 'a line has length 3'],
    ['a length that is too long', () => Buffer.from(`fff1${'x'.repeat(0xfff1)}`), 400, 'a line is too long'],
    ['half a line', () => Buffer.from('0100abc'), 400, 'a line is truncated'],
    ['no end', () => command(head, older, 'refs/heads/production'), 400, 'the list of refs is incomplete'],
    [
      'a delimiter',
      () => Buffer.concat([command(head, older, 'refs/heads/production'), Buffer.from('0001')]),
      400,
      'the list of refs is incomplete',
    ],
    ['a line has no ref', () => Buffer.concat([encodePktLine('hello'), flushPkt]), 400, 'a line has no ref'],
    [
      'ids of two kinds',
      () => Buffer.concat([encodePktLine(`${head} ${'0'.repeat(64)} refs/heads/x\0`), flushPkt]),
      400,
      'a line has no ref',
    ],
    [
      'a ref that is a path',
      () => Buffer.concat([command(none, head, 'refs/heads/../../config'), flushPkt]),
      400,
      'a ref name is invalid',
    ],
    [
      'a ref that is an option',
      () => Buffer.concat([command(none, head, '--force'), flushPkt]),
      400,
      'a ref name is invalid',
    ],
    ['HEAD', () => Buffer.concat([command(head, older, 'HEAD'), flushPkt]), 400, 'a ref name is invalid'],
    [
      'a ref of two lines',
      () => Buffer.concat([command(none, head, 'refs/heads/a\nb'), flushPkt]),
      400,
      'a ref name is invalid',
    ],
    [
      'a ref is not UTF-8',
      () => Buffer.concat([encodePktLine(Buffer.from(`${none} ${head} refs/heads/\xff\0`, 'latin1')), flushPkt]),
      400,
      'a ref is not UTF-8',
    ],
    [
      'capabilities twice',
      () => Buffer.concat([command(none, head, 'refs/heads/a'), command(none, head, 'refs/heads/b'), flushPkt]),
      400,
      'the capabilities occur twice',
    ],
    [
      'a signed push',
      () =>
        Buffer.concat([
          encodePktLine(`push-cert\0 ${capabilities}`),
          encodePktLine('certificate version 0.1\n'),
          flushPkt,
        ]),
      400,
      'Signed pushes are not supported',
    ],
    [
      'too many refs',
      () =>
        Buffer.concat([
          command(none, head, 'refs/heads/a'),
          ...Array.from({ length: budgets.git.refs.bound }, (_, at) =>
            encodePktLine(`${none} ${head} refs/heads/b${at}`),
          ),
          flushPkt,
        ]),
      413,
      'A push can contain at most 1000 refs',
    ],
    [
      'too long a list',
      () =>
        Buffer.concat(
          Array.from({ length: 999 }, (_, at) => encodePktLine(`${none} ${head} refs/heads/${at}${'x'.repeat(2000)}`)),
        ),
      400,
      'too many lines',
    ],
    [
      'the push options are incomplete',
      () => Buffer.concat([command(none, head, 'refs/heads/a', 'push-options'), flushPkt, encodePktLine('x')]),
      400,
      'the push options are incomplete',
    ],
    [
      'too many options',
      () =>
        Buffer.concat([
          command(none, head, 'refs/heads/a', '\tpush-options=1'),
          flushPkt,
          ...Array.from({ length: 20 }, () => encodePktLine('x'.repeat(1000))),
          flushPkt,
        ]),
      413,
      'The push options can have at most 16384 bytes',
    ],
  ])('is refused before git gets anything: %s', async (_, body, status, why) => {
    const answer = await ask('receive-pack', body())
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(why)
    expectUntouched()
  })

  it('is answered as git answers: nothing to do, and a pack that is none', async () => {
    for (const body of [Buffer.alloc(0), flushPkt])
      expect(await ask('receive-pack', body)).toMatchObject({ status: 200, text: '' })
    for (const pack of [Buffer.alloc(0), Buffer.from('PACKxxxxxxxxxxxxxxxx'), packHead]) {
      const { status, text } = await ask(
        'receive-pack',
        Buffer.concat([command(none, head, 'refs/heads/x').subarray(0), flushPkt, pack]),
      )
      expect(status).toBe(200)
      expect(text).toMatch(
        /ng refs\/heads\/x unpacker error|unpack (?:unpack-objects|index-pack) abnormal exit|eof before pack header/,
      )
    }
    expectUntouched()
  })

  it.each<[string, () => [string, string, string]]>([
    ['a branch that is there is new', () => [none, older, 'refs/heads/production']],
    ['a branch is elsewhere', () => [older, older, 'refs/heads/production']],
    ['a commit is there that is not', () => [head, 'a'.repeat(40), 'refs/heads/production']],
    ['a blob is a commit', () => [none, repository.git('rev-parse', 'HEAD:manifests/site.pp'), 'refs/heads/blob']],
  ])('gets nowhere by saying that %s', async (_, words) => {
    const [before, after, ref] = words()
    const { status, text } = await ask(
      'receive-pack',
      Buffer.concat([command(before, after, ref), flushPkt, emptyPack]),
    )
    expect(status).toBe(200)
    expect(text).toMatch(new RegExp(`ng ${ref} |unpack .*error`))
    expectUntouched()
  })

  it.each(['application/json', 'application/x-git-upload-pack-request', 'application/x-www-form-urlencoded', ''])(
    'is not of another type: %s',
    async (type) => {
      expect((await ask('receive-pack', flushPkt, { 'content-type': type })).status).toBe(415)
    },
  )
})

describe('a body that is packed', () => {
  const start = () => Buffer.concat([command(none, head, 'refs/heads/x'), flushPkt])

  it.each<[string, string, () => Buffer, number]>([
    ['no gzip', 'gzip', () => Buffer.from('hello'), 400],
    ['half a gzip', 'gzip', () => gzipSync(Buffer.concat([start(), emptyPack])).subarray(0, 60), 400],
    ['packed twice', 'gzip, gzip', () => gzipSync(gzipSync(start())), 415],
    ['another kind', 'deflate', start, 415],
    ['a word', 'x'.repeat(2000), start, 415],
  ])('is refused where it is %s', async (_, encoding, body, status) => {
    for (const service of ['receive-pack', 'upload-pack'] as const)
      expect((await ask(service, body(), { 'content-encoding': encoding })).status).toBe(status)
    expectUntouched()
  })

  it('does not swell beyond its bound', async () => {
    const before = process.memoryUsage().rss
    const zeros = Buffer.concat(Array(60).fill(gzipSync(Buffer.alloc(10_000_000))))
    const fetched = await ask('upload-pack', zeros, { 'content-encoding': 'gzip' })
    expect(fetched.status).toBe(413)
    // A pack with one blob that says that it is large, of which nothing but zeros come.
    const bomb = Buffer.concat([
      gzipSync(Buffer.concat([start(), Buffer.from('5041434b00000002000000ff', 'hex')])),
      zeros,
    ])
    const { status, text } = await ask('receive-pack', bomb, { 'content-encoding': 'gzip' })
    expect(status === 413 || /unpack .*(?:abnormal exit|error)/.test(text)).toBe(true)
    expectUntouched()
    expect(process.memoryUsage().rss - before).toBeLessThan(200e6)
  })
})

describe('who is nobody', () => {
  it('has no git started, whatever is sent', async () => {
    const lines = serving.log.length
    const body = Buffer.concat([command(head, older, 'refs/heads/production'), flushPkt, Buffer.alloc(1_000_000)])
    for (const service of ['receive-pack', 'upload-pack']) {
      const path = `/git/code.git/git-${service}`
      const answer = await serving.call('POST', path, {
        headers: { 'content-type': `application/x-git-${service}-request` },
        body,
      })
      expect(answer.status).toBe(401)
      expect((await serving.call('POST', path, { as: 'node.test', body })).status).toBe(403)
    }
    expect(serving.log.slice(lines).some((line) => line.includes('git receive-pack'))).toBe(false)
    expectUntouched()
  })

  it('does not learn which repositories there are', async () => {
    const answers = await Promise.all(
      ['code', 'other'].map((name) => serving.call('GET', `/git/${name}.git/info/refs?service=git-upload-pack`)),
    )
    expect(answers[0]).toMatchObject({ status: 401, text: answers[1]!.text })
  })
})

describe('turns', () => {
  it('are refused to a client with too many, while another client gets one', async () => {
    const { pushesOfOne, waiting } = budgets.git
    const turns = createPushTurns()
    const held = await Promise.all(Array.from({ length: pushesOfOne.bound }, () => turns.take('a')))
    const waits = Array.from({ length: waiting.bound / 2 }, () => turns.take('a'))
    await expect(turns.take('a')).rejects.toMatchObject({ status: 503, body: 'Too many pushes at once' })
    const other = await turns.take('b')
    other()
    for (const end of held) end()
    for (const wait of waits) (await wait)()
  })
})

describe('the time of a request', () => {
  it('is by its path, and ends in 408', async () => {
    const server = createServer((request, response) => request.resume().on('end', () => response.end('taken')))
    server.on('clientError', answerMalformedRequest)
    limitRequestTime(server, ({ url }) => (url === '/long' ? 60_000 : 200))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    const half = (path: string) => {
      const socket = connect(port, '127.0.0.1')
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\na`)
      return socket
    }
    const answerOf = async (socket: Socket) => (await text(socket)).split('\r\n')[0]
    const [long, short] = [half('/long'), half('/short')]
    expect(await answerOf(short)).toBe('HTTP/1.1 408 Request Timeout')
    long.write('b')
    expect(await answerOf(long)).toBe('HTTP/1.1 200 OK')
    const quick = await new Promise<number | undefined>((done) => {
      httpRequest({ port, host: '127.0.0.1', method: 'POST', path: '/short' }, (answer) => done(answer.statusCode)).end(
        'ab',
      )
    })
    expect(quick).toBe(200)
    server.close()
    server.closeAllConnections()
  })
})
