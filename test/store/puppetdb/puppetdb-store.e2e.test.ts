import type { ServerResponse } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../bench/free-port.js'
import { HttpClient } from '../../../src/network/client/http-client.ts'
import type { TlsContext } from '../../../src/network/client/tls.ts'
import type { NodeStore, SubmittedCommand } from '../../../src/store/node-store.ts'
import { parsePuppetDbConfig } from '../../../src/store/puppetdb/config.ts'
import { PuppetDbStore } from '../../../src/store/puppetdb/puppetdb-store.ts'
import { type Answer, type HttpsServer, httpsServer, identities } from './https-server.ts'

const uuid = '11111111-2222-4333-8444-555555555555'
const command: SubmittedCommand = {
  name: 'replace facts',
  version: 5,
  certname: 'a.test',
  producerTimestamp: '2026-11-20T06:00:00.000Z',
  payload: Buffer.from('{"certname":"a.test","values":{}}'),
}
const json =
  (body: string, status = 200) =>
  (response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(body)
const text = (status: number, body: string) => (response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'text/plain' }).end(body)
const good: Answer = (response, { method }) => json(method === 'POST' ? `{"uuid":"${uuid}"}` : '[{"a":1}]')(response)
const never: Answer = () => {}
const dropped: Answer = (response) => void response.socket?.destroy()

let client: TlsContext
let one: HttpsServer
let two: HttpsServer
let away: string
let warnings: string[] = []
const stores: NodeStore[] = []

beforeAll(async () => {
  const tls = await identities()
  client = tls.client
  one = await httpsServer(tls.server, good)
  two = await httpsServer(tls.server, good)
  away = `https://localhost:${await freePort()}`
})
afterEach(async () => {
  for (const server of [one, two]) {
    server.answer = good
    server.seen.length = 0
  }
  warnings = []
  await Promise.all(stores.splice(0).map((store) => store.close()))
})
afterAll(() => Promise.all([one?.stop(), two?.stop()]))

/** Who is to be slow for it gives the store one second; a machine that is busy makes nobody else slow. */
async function open(conf: string, { tls = client, timeout = 60 } = {}): Promise<NodeStore> {
  const text = `[main]\nserver_url_timeout = ${timeout}\n${conf}`
  const config = parsePuppetDbConfig({ file: 'puppetdb.conf', text }, () => {})
  const store = await PuppetDbStore.open({
    config,
    client: async () => new HttpClient({ tls, readTimeout: config.serverUrlTimeout }),
    warn: (message) => warnings.push(message),
  })
  stores.push(store)
  return store
}

const both = () => `server_urls = ${one.url}, ${two.url}\n`

async function asked(store: NodeStore, path = '', body = '{"query":"nodes{}"}'): Promise<unknown> {
  const answer = await store.ask({ method: 'POST', path, search: '', body })
  if (!answer) return undefined
  let whole = ''
  for await (const piece of answer.pieces) whole += piece
  return [answer.status, answer.total, whole]
}

describe('commands to PuppetDB', () => {
  it('go packed, with what PuppetDB wants to know in the query, under the name of this server', async () => {
    const store = await open(both())
    expect(await store.submit(command)).toBe(uuid)
    const [{ url, headers, body, client: name }] = one.seen as [(typeof one.seen)[0]]
    expect(url).toBe(
      '/pdb/cmd/v1?version=5&certname=a.test&command=replace_facts&producer-timestamp=2026-11-20T06%3A00%3A00.000Z',
    )
    expect(gunzipSync(body).toString()).toBe('{"certname":"a.test","values":{}}')
    expect(headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'application/json; charset=utf-8',
      'x-uncompressed-length': '33',
    })
    expect(name).toBe('server.test')
    expect(two.seen).toEqual([])
  })

  it.each<[string, Answer | undefined, RegExp]>([
    [
      'is away',
      undefined,
      /^Error connecting to localhost on \d+ at route https:.*\/pdb\/cmd\/v1\?version=5.*Connection refused.*Failing over to the next PuppetDB server_url in the 'server_urls' list$/,
    ],
    ['is slow', never, /^Request to localhost on \d+ at route .* timed out after 5 seconds\. Failing over/],
    ['hangs up', dropped, /^Error connecting to .* interrupted after .*Failing over/],
    ['fails', text(500, 'Server Error'), /error message received was 'Internal Server Error: Server Error'/],
    [
      'starts',
      text(503, 'PuppetDB is currently down. Try again later.'),
      /Service Unavailable: PuppetDB is currently down/,
    ],
    ['is another service', text(404, 'nothing here'), /error message received was 'Not Found: nothing here'/],
    ['answers garbage', text(200, '<html>\u001b[31m'), /The response is not from a PuppetDB: it is not a JSON object/],
    [
      'answers other JSON',
      json('{"uuid":"../../x"}'),
      /The response is not from a PuppetDB: it contains no UUID of the command/,
    ],
    ['is busy', (response) => void response.writeHead(503, { 'retry-after': '0' }).end('later'), /Error connecting/],
  ])('go to the next one where the first %s', async (_, answer, warning) => {
    const urls = answer ? both() : `server_urls = ${away}, ${two.url}`
    const store = await open(urls, answer === never ? { timeout: 5 } : {})
    if (answer) one.answer = answer
    expect(await store.submit(command)).toBe(uuid)
    expect(warnings).toEqual([expect.stringMatching(warning)])
    expect(two.seen).toHaveLength(1)
  })

  it('are not tried elsewhere where PuppetDB refuses them', async () => {
    one.answer = text(403, 'Permission\ndenied')
    await expect((await open(both())).submit(command)).rejects.toThrow('[403 Forbidden] Permission denied')
    expect(two.seen).toEqual([])
  })

  it('fail where no PuppetDB has them, or are given up softly', async () => {
    const urls = `server_urls = ${away}\n`
    await expect((await open(urls)).submit(command)).rejects.toThrow(
      `Failed to execute '/pdb/cmd/v1?version=5&certname=a.test&command=replace_facts&producer-timestamp=2026-11-20T06%3A00%3A00.000Z' on at least 1 of the following 'server_urls': ${away}`,
    )
    warnings = []
    expect(await (await open(`${urls}soft_write_failure = true`)).submit(command)).toBeUndefined()
    expect(warnings.at(-1)).toMatch(
      /^'replace_facts' command for a\.test failed during submission to PuppetDB: Failed to execute/,
    )
  })

  it('go to all with command_broadcast, and to as many as are wanted', async () => {
    const store = await open(`${both()}command_broadcast = true\nmin_successful_submissions = 2`)
    expect(await store.submit(command)).toBe(uuid)
    expect([one.seen.length, two.seen.length]).toEqual([1, 1])
    two.answer = text(500, '')
    await expect(store.submit(command)).rejects.toThrow(/on at least 2 of the following/)
  })

  it('go to servers that only take them, which are left alone after two timeouts and are never asked', async () => {
    const urls = `server_urls = ${one.url}\nsubmit_only_server_urls = ${two.url}\ncommand_broadcast = true`
    const store = await open(urls, { timeout: 5 })
    two.answer = never
    for (let times = 0; times < 3; times++) await store.submit(command)
    expect([one.seen.length, two.seen.length]).toEqual([3, 2])
    one.answer = text(500, '')
    await expect(asked(store)).rejects.toThrow(/Failed to execute '\/pdb\/query\/v4' on at least 1/)
    expect(two.seen).toHaveLength(2)
  })

  it('are waited for', async () => {
    const store = await open(both())
    one.answer = json(`{"uuid":"${uuid}","processed":true,"timed_out":false}`)
    expect(await store.submitAndWait(command, 2500)).toEqual({ uuid, processed: { problem: undefined } })
    expect(one.seen[0]!.url).toContain('secondsToWaitForCompletion=3')
    one.answer = json(`{"uuid":"${uuid}","processed":true,"timed_out":false,"error":"bad"}`)
    expect(await store.submitAndWait(command, 1000)).toEqual({ uuid, processed: { problem: 'bad' } })
    one.answer = json(`{"uuid":"${uuid}","processed":false,"timed_out":true}`, 503)
    expect(await store.submitAndWait(command, 1000)).toEqual({ uuid, processed: undefined })
  })
})

describe('questions to PuppetDB', () => {
  it('are asked as they came, and answered in pieces', async () => {
    const store = await open(both())
    one.answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'x-records': '7' })
      const bytes = Buffer.from('[{"a":"ä"}]')
      response.write(bytes.subarray(0, 8))
      // Wall clock: two writes at once may come as one piece, which proves less.
      setTimeout(() => response.end(bytes.subarray(8)), 50)
    }
    expect(await asked(store, '/nodes/')).toEqual([200, 7, '[{"a":"ä"}]'])
    expect(one.seen[0]).toMatchObject({ url: '/pdb/query/v4/nodes', method: 'POST' })
    expect(one.seen[0]!.body.toString()).toBe('{"query":"nodes{}"}')
    const get = await store.ask({ method: 'GET', path: '/resources/File/%2Fetc%2Fmotd', search: 'limit=1' })
    for await (const _ of get!.pieces);
    expect(one.seen[1]).toMatchObject({ url: '/pdb/query/v4/resources/File/%2Fetc%2Fmotd?limit=1', method: 'GET' })
  })

  it.each([
    '/../../cmd/v1',
    '/%2e%2e/%2e%2e/cmd/v1',
    '/nodes/..%2f..%2f..%2fcmd%2fv1',
    '/nodes/..%5c..',
    '/nodes/..;x=1/',
    '/nodes/..;/%2e',
    '/nothing',
    '/%',
  ])('have addresses of queries only: not %s', async (path) => {
    expect(await asked(await open(both()), path)).toBeUndefined()
    expect(one.seen).toEqual([])
  })

  it('are refused in the words of PuppetDB', async () => {
    const store = await open(both())
    one.answer = text(400, 'PQL parse error at line 1\n')
    await expect(asked(store)).rejects.toMatchObject({
      diagnostic: { code: 'INVALID_QUERY', message: 'PQL parse error at line 1\n' },
    })
    one.answer = text(403, 'Permission denied')
    await expect(asked(store)).rejects.toMatchObject({ diagnostic: { code: 'PUPPETDB_REFUSED' } })
  })

  it('are told of what nobody knows when all PuppetDBs say so', async () => {
    const none = json('{"error":"No information is known about node x"}', 404)
    const store = await open(both())
    one.answer = none
    two.answer = none
    expect(await asked(store, '/nodes/x')).toEqual([404, undefined, '{"error":"No information is known about node x"}'])
    expect(warnings).toEqual([])
    expect(two.seen).toHaveLength(1)
  })

  it.each([
    ['sticky', 'sticky_read_failover = true', [1, 3]],
    ['by default', '', [3, 3]],
  ])('stay with the server that answered, or try the first one each time: %s', async (_, setting, tries) => {
    const store = await open(both() + setting)
    one.answer = text(500, '')
    for (let times = 0; times < 3; times++) await asked(store)
    expect([one.seen.length, two.seen.length]).toEqual(tries)
  })

  it('end where an answer stops in the middle', async () => {
    const store = await open(both())
    one.answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('[{"a":1}')
    }
    await expect(asked(store)).rejects.toMatchObject({ diagnostic: { code: 'PUPPETDB_BROKEN' } })
  })

  it('trust only servers of the authority', async () => {
    const strangers = await identities()
    const store = await open(both(), { tls: { ...client, ca: strangers.client.ca!, crl: strangers.client.crl! } })
    await expect(asked(store)).rejects.toThrow(/Failed to execute/)
    expect(warnings[0]).toMatch(/certificate verify failed/)
    expect(one.seen).toEqual([])
  })
})
