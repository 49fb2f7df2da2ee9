import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { plumb, type RunningServer, startServer } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

let repository: ControlRepository
let server: RunningServer
const watched = join(scratchFolder('watched'), 'watch.json')

beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': 'notify { "${facts.length}": }\n' })
  const watch = new URL('../support/watch-process.js', import.meta.url).href
  server = await startServer({
    repository: repository.bare,
    env: { NODE_OPTIONS: `--import ${watch}`, PLUMB_WATCH: watched },
  })
  for (const name of ['a.test', 'b.test'])
    await plumb(['ca', 'generate', ...server.places, '--certname', name, '--key_type', 'ec'])
  await send('b.test', { method: 'GET', path: 'node/b.test' })
})
afterAll(async () => {
  await server?.stop()
})
beforeEach(() => watch())

interface Sent {
  readonly method: string
  readonly path: string
  readonly type?: string
  readonly body?: string | Buffer
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

function send(name: string, { method, path, type = 'application/json', body }: Sent): Promise<Answer> {
  const file = (path: string) => readFileSync(join(server.confdir, 'ssl', path))
  return new Promise((done, failed) => {
    const asked = request(
      {
        method,
        host: 'localhost',
        port: server.port,
        path: `/puppet/v3/${path}?environment=production`,
        headers: { accept: 'application/json, application/octet-stream', 'content-type': type },
        ca: file('certs/ca.pem'),
        cert: file(`certs/${name}.pem`),
        key: file(`private_keys/${name}.pem`),
        agent: false,
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', failed)
        answer.on('end', () =>
          done({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString() }),
        )
      },
    )
    asked.on('error', failed)
    asked.end(body)
  })
}

/** Begins to watch anew. */
async function watch(): Promise<void> {
  rmSync(watched, { force: true })
  await expect.poll(() => existsSync(watched)).toBe(true)
}

interface Figures {
  readonly milliseconds: number
  readonly bytes: number
  readonly looks: number
}
const figures = (): Figures => JSON.parse(readFileSync(watched, 'utf8'))

/** The longest that the server's event loop stood still, and the most memory that it took, since then. */
async function seen(): Promise<Figures> {
  const { looks } = figures()
  // The second look from now began after all that was done before.
  await expect.poll(() => figures().looks).toBeGreaterThan(looks + 1)
  return figures()
}

const MB = 1024 * 1024
const form = 'application/x-www-form-urlencoded'
const factsOf = (values: string) => `{"name":"a.test","values":${values}}`
const formOf = (facts: string) =>
  `environment=production&facts_format=application%2Fjson&facts=${encodeURIComponent(encodeURIComponent(facts))}`
const many = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => item(at)).join()
const putFacts = (values: () => string): (() => Sent) => {
  return () => ({ method: 'PUT', path: 'facts/a.test', body: factsOf(values()) })
}
const postForm = (body: () => string): (() => Sent) => {
  return () => ({ method: 'POST', path: 'catalog/a.test', type: form, body: body() })
}

describe('a large body of one node', () => {
  it.each<[string, () => Sent, number, RegExp]>([
    ['a form of a million fields', postForm(() => 'a=1&'.repeat(1e6)), 413, /More than 1000 parameters/],
    ['a form of 47 MB of ampersands', postForm(() => '&'.repeat(47 * MB)), 200, /resources/],
    ['a form of percent signs', postForm(() => `facts=${'%'.repeat(40 * MB)}`), 500, /no fact format/],
    ['a form of escapes', postForm(() => `facts_format=pson&facts=${'%25'.repeat(15 * MB)}`), 500, /malformed/],
    ['1.5 million facts', putFacts(() => `{${many(1.5e6, (at) => `"${at}f":1`)}}`), 413, /characters|values/],
    ['300,000 facts', putFacts(() => `{${many(3e5, (at) => `"f${at}":1`)}}`), 413, /exceeds 250000 values/],
    ['300,000 facts in a form', postForm(() => formOf(factsOf(`{${many(3e5, (at) => `"f${at}":1`)}}`))), 413, /values/],
    ['47 MB of brackets', putFacts(() => `{"a":${'['.repeat(47 * MB)}`), 413, /characters/],
    ['15 MB of brackets', putFacts(() => `{"a":${'['.repeat(15 * MB)}`), 400, /nesting of 101 is too deep/],
    ['15 MB of empty lists', putFacts(() => `{"a":[${'[],'.repeat(5 * MB)}[]]}`), 413, /values/],
    ['a string of 47 MB', putFacts(() => `{"a":"${'x'.repeat(47 * MB)}"}`), 413, /characters/],
    ['a number of 15 MB', putFacts(() => `{"a":${'7'.repeat(15 * MB)}}`), 413, /number of more than 1000/],
    ['a number beyond all Floats', putFacts(() => '{"a":1e400}'), 413, /the number 1e400 is too large/],
    ['no JSON', putFacts(() => `${'\\'.repeat(15 * MB)}"`), 400, /Could not intern from json/],
    ['a string of 15 MB', putFacts(() => `{"a":"${'x'.repeat(15 * MB)}"}`), 200, /^0$/],
    ['240,000 facts', putFacts(() => `{${many(240_000, (at) => `"f${at}":1`)}}`), 200, /^0$/],
    ['240,000 Floats', putFacts(() => `{"a":[${many(240_000, () => '1.0')}]}`), 200, /^0$/],
    ['240,000 numbers of 17 digits', putFacts(() => `{"a":[${many(240_000, () => '12345678901234567')}]}`), 200, /^0$/],
    [
      'one key 240,000 times',
      putFacts(() => `{${many(240_000, () => '"__proto__":{}').slice(0, 15 * MB)}}`),
      413,
      /values/,
    ],
    ['one key 100,000 times', putFacts(() => `{${many(100_000, () => '"__proto__":{}')}}`), 200, /^0$/],
    ['numbers as keys', putFacts(() => `{"a":{${many(120_000, (at) => `"${at * 65536}":1.0`)}}}`), 200, /^0$/],
    [
      'a report of a million values in its lines',
      () => ({
        method: 'PUT',
        path: 'report/a.test',
        body: `{"host":"a.test","time":"2026-01-01T00:00:00Z","status":"changed","metrics":{},"resource_statuses":{},"logs":[${many(300_000, (at) => `{"level":"info","message":"${at}"}`)}]}`,
      }),
      200,
      /store/,
    ],
    [
      'a report of too many values',
      () => ({ method: 'PUT', path: 'report/a.test', body: `{"logs":[${many(2.1e6, () => '1')}]}` }),
      413,
      /exceeds 2000000 values/,
    ],
  ])('holds up nobody: %s', async (_, sent, status, words) => {
    const body = sent()
    await watch()
    const large = send('a.test', body)
    const other = send('b.test', { method: 'GET', path: 'node/b.test' })
    const answer = await large
    expect([answer.status, (await other).status]).toEqual([status, 200])
    expect(answer.text).toMatch(words)
    const { milliseconds } = await seen()
    expect(milliseconds).toBeLessThan(stillMs)
  })

  it('holds up nobody when its facts are compiled, saved, found and sent back', async () => {
    const values = `{${many(200_000, (at) => `"f${at}":"${'x'.repeat(40)}"`)}}`
    await watch()
    const catalog = await send('a.test', {
      method: 'POST',
      path: 'catalog/a.test',
      type: form,
      body: formOf(factsOf(values)),
    })
    expect([catalog.status, catalog.text.includes('"title":"200000"')]).toEqual([200, true])
    const node = await send('a.test', { method: 'GET', path: 'node/a.test' })
    expect(JSON.parse(node.text).parameters.f199999).toBe('x'.repeat(40))
    const again = await send('a.test', {
      method: 'POST',
      path: 'catalog/a.test',
      type: form,
      body: 'environment=production',
    })
    expect([again.status, again.text.includes('"title":"200000"')]).toEqual([200, true])
    const { milliseconds } = await seen()
    expect(milliseconds).toBeLessThan(stillMs)
  })
})

/** Far below what any of them took on the event loop; far above what it stands still on a busy machine. */
const stillMs = 300

describe('six uploads of 100 MB at once', () => {
  it('go to disk as they come', { timeout: 240_000 }, async () => {
    const before = (await seen()).bytes
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        send('a.test', {
          method: 'PUT',
          path: `file_bucket_file/sha256/${'0'.repeat(64)}/srv/${at}`,
          type: 'application/octet-stream',
          body: Buffer.alloc(100 * MB, at),
        }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    const { bytes } = await seen()
    expect(bytes - before).toBeLessThan(200 * MB)
    expect(readdirSync(join(server.vardir, 'bucket/.uploads'))).toEqual([])
  })
})
