import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUnauthenticatedClient } from '../../src/server/http/client.ts'
import { AccessLog, formatCombinedLine, formatJsonLine } from '../../src/server/telemetry/access-log.ts'
import { getRequestId } from '../../src/server/telemetry/request-id.ts'
import type { EndedRequest } from '../../src/server/telemetry/request-observer.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'

let repository: ControlRepository
let serving: Serving
let file: string

beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': "warning('said by code')\n" })
  file = join(scratchFolder('access'), 'logs/access.log')
  serving = await serve({ code_repo: repository.bare, access_log: file })
})
afterAll(async () => {
  await serving?.stop()
})

const lines = () => readFileSync(file, 'utf8').split('\n').slice(0, -1)
/** The line of a request, when it is written. */
async function lineOf(id: string): Promise<string> {
  await expect.poll(() => lines().filter((line) => line.endsWith(` ${id}`))).toHaveLength(1)
  return lines().find((line) => line.endsWith(` ${id}`))!
}
const request: EndedRequest = {
  ...{
    id: 'id-1',
    method: 'GET',
    path: '/puppet/v3/x',
    route: '/puppet/v3/x',
    httpVersion: '1.1',
    status: 200,
    ms: 4.6,
  },
  ...{ client: createUnauthenticatedClient('192.0.2.1'), userAgent: 'Puppet/7.23', received: 12, sent: 34 },
}

describe('the access log', () => {
  it('has a line for each request: who, when, what, how it ended, and its id', async () => {
    const answer = await serving.call('GET', '/puppet/v3/environments', {
      as: 'a.test',
      headers: { 'user-agent': 'curl/8' },
    })
    const id = String(answer.headers['x-request-id'])
    const form = new RegExp(
      `^127\\.0\\.0\\.1 - a\\.test \\[\\d\\d/[A-Z][a-z]{2}/\\d{4}:\\d\\d:\\d\\d:\\d\\d \\+0000\\] "GET /puppet/v3/environments HTTP/1\\.1" 200 ${answer.bytes.length} "-" "curl/8" \\d+ - ${id}$`,
    )
    expect(await lineOf(id)).toMatch(form)
  })

  it('has no query, which may hold facts', async () => {
    const answer = await serving.call('GET', '/puppet/v3/environments?facts=hunter2', { as: 'a.test' })
    expect(await lineOf(String(answer.headers['x-request-id']))).not.toContain('hunter2')
  })

  it('has those that were refused', async () => {
    const refused = await serving.call('GET', '/nowhere')
    expect(await lineOf(String(refused.headers['x-request-id']))).toMatch(/" 403 \d+ "-"/)
  })

  it.each<[string, Partial<EndedRequest>, string]>([
    ['a quote', { userAgent: 'a" 200 "b' }, '"a\\x22 200 \\x22b"'],
    ['a backslash', { path: '/a\\x22' }, '/a\\x5cx22'],
    ['an end of a line', { userAgent: 'a\nb' }, '"a\\x0ab"'],
    ['a control sequence', { path: '/\u009b31m' }, '/\\x9b31m'],
    ['a space in a name', { client: { ...createUnauthenticatedClient('192.0.2.1'), certname: 'a b' } }, '- a\\x20b ['],
    ['a path that is too long', { path: `/${'x'.repeat(5000)}` }, `GET /${'x'.repeat(1023)} HTTP`],
  ])('keeps to one line and to its fields, whatever a client sends: %s', (_, odd, expected) => {
    for (const line of [formatCombinedLine({ ...request, ...odd }), formatJsonLine({ ...request, ...odd })]) {
      expect(line.indexOf('\n')).toBe(line.length - 1)
      expect(line).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    }
    expect(formatCombinedLine({ ...request, ...odd })).toContain(expected)
  })

  it('is JSON where that is wanted', () => {
    expect(JSON.parse(formatJsonLine(request))).toEqual({
      ...{ time: expect.stringMatching(/^\d{4}-.*Z$/), request: 'id-1', address: '192.0.2.1', client: '192.0.2.1' },
      ...{ method: 'GET', path: '/puppet/v3/x', status: 200, ms: 5, received: 12, sent: 34, agent: 'Puppet/7.23' },
    })
  })

  it.each([
    ['a folder that cannot be made', '/dev/null/none/access.log'],
    ['a folder', '/tmp'],
  ])('fails no request where it cannot be written: %s', async (_, path) => {
    const warned: string[] = []
    const log = new AccessLog({ warn: (message) => warned.push(message), lost: () => {} })
    log.use({ access_log: path, access_log_format: 'combined' })
    for (let count = 0; count < 10; count++) log.ended(request)
    await expect.poll(() => warned.length).toBe(1)
    expect(warned[0]).toMatch(/^Could not write the access log: /)
    await log.close()
  })

  it('loses lines beyond its bound rather than memory, and says so', async () => {
    let lost = 0
    const warned: string[] = []
    const log = new AccessLog({ warn: (message) => warned.push(message), lost: () => lost++ })
    log.use({ access_log: join(scratchFolder('slow'), 'access.log'), access_log_format: 'combined' })
    // All in one turn: nothing can be written meanwhile.
    const long = { ...request, path: `/${'x'.repeat(1000)}` }
    for (let count = 0; count < 20_000; count++) log.ended(long)
    expect(lost).toBeGreaterThan(1000)
    expect(warned).toEqual(['The access log is too slow: lines are lost'])
    await log.close()
  })
})

describe('the id of a request', () => {
  it.each([
    ['one word of plain characters', 'abc-1.2_3', true],
    ['a UUID', '0f0e0d0c-0b0a-4908-8706-050403020100', true],
    ['64 characters', 'a'.repeat(64), true],
    ['65 characters', 'a'.repeat(65), false],
    ['a space', 'a b', false],
    ['a quote', 'a"b', false],
    ['an option', '-rf', false],
    ['two of them', 'a, b', false],
    ['nothing', '', false],
  ])('is taken from the client, or not: %s', (_, given, isTaken) => {
    const id = getRequestId({ headers: { 'x-request-id': given } })
    expect(id === given).toBe(isTaken)
    expect(id).toMatch(/^[\w.-]{1,64}$/)
  })

  it('stands in every answer, in the lines of the log, and in what code says while it is compiled', async () => {
    const headers = { accept: 'application/vnd.puppet.rich+json', 'x-request-id': 'of-mine' }
    const answer = await serving.call('GET', '/puppet/v3/catalog/a.test?environment=production', {
      as: 'a.test',
      headers,
    })
    expect([answer.status, answer.headers['x-request-id']]).toEqual([200, 'of-mine'])
    await expect.poll(() => serving.log.filter((line) => line.includes('"request":"of-mine"'))).toHaveLength(2)
    const said = serving.log.map((line) => JSON.parse(line)).filter(({ request }) => request === 'of-mine')
    expect(said.map(({ msg }) => msg)).toEqual(['said by code', 'request'])
  })

  it('is in the header of errors, too', async () => {
    const headers = { accept: 'application/json', 'x-request-id': 'failing' }
    const answer = await serving.call('GET', '/puppet/v3/catalog/a.test?environment=none', { as: 'a.test', headers })
    expect([answer.status, answer.headers['x-request-id']]).toEqual([500, 'failing'])
  })

  it('is another one for each request of a connection', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await serving.call('GET', '/status/v1/simple')).headers['x-request-id']),
    )
    expect(new Set(ids).size).toBe(3)
  })
})

it('has 499 as the status of a request whose client went away', async () => {
  const slow = controlRepository({
    'manifests/site.pp': 'Integer[1, 3000].each |$x| { Integer[1, 3000].each |$y| { $z = "${x}${y}" } }\n',
  })
  const log = join(scratchFolder('gone'), 'access.log')
  const own = await serve({ code_repo: slow.bare, access_log: log })
  try {
    const { key, cert } = await own.credentials('a.test')
    const socket = connect({
      port: Number(new URL(own.server.url).port),
      host: '127.0.0.1',
      key,
      cert,
      rejectUnauthorized: false,
    })
    await new Promise((done) => socket.once('secureConnect', done))
    const path = '/puppet/v3/catalog/a.test?environment=production'
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nX-Request-Id: gone-1\r\n\r\n`)
    const figures = () => own.call('GET', '/status/v1/services/jruby-metrics?level=debug', { as: 'admin.test' })
    await expect.poll(async () => (await figures()).text).toContain('"node":"a.test"')
    socket.destroy()
    const read = () => readFileSync(log, 'utf8')
    await expect.poll(read).toMatch(/HTTP\/1\.1" 499 .* gone-1\n/)
  } finally {
    await own.stop()
  }
})
