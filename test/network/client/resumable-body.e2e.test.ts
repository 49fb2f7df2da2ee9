import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { HttpClient } from '../../../src/network/client/http-client.ts'
import { streamWithResume } from '../../../src/network/client/resumable-body.ts'
import { type HttpsServer, httpsServer, identities } from '../../store/puppetdb/https-server.ts'

const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7 + (index >> 8)) % 256))
const sumOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

let server: HttpsServer
let http: HttpClient

beforeAll(async () => {
  const { server: tls, client } = await identities()
  server = await httpsServer(tls, () => {})
  http = new HttpClient({ tls: client })
})
beforeEach(() => void server.seen.splice(0))
afterAll(async () => {
  await http?.close()
  await server?.stop()
})

interface Manners {
  readonly etag?: string
  /** The validator of the second answer. */
  readonly later?: string
  readonly ranges?: string
  readonly encoding?: string
  /** Bytes after which each answer ends early. */
  readonly torn: number
  /** A wrong begin in the header of a part. */
  readonly shift?: number
  readonly ignoresRange?: boolean
}

function answer(response: ServerResponse, range: string | undefined, manners: Manners): void {
  const { etag, later = etag, ranges = 'bytes', encoding, torn, shift = 0, ignoresRange = false } = manners
  const start = ignoresRange ? 0 : Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
  const rest = bytes.subarray(start)
  const isPart = range !== undefined && !ignoresRange
  const said = range === undefined ? etag : later
  response.writeHead(isPart ? 206 : 200, {
    'content-length': rest.length,
    'accept-ranges': ranges,
    ...(said && { etag: said }),
    ...(encoding && { 'content-encoding': encoding }),
    ...(isPart && { 'content-range': `bytes ${start + shift}-${bytes.length - 1}/${bytes.length}` }),
  })
  if (rest.length <= torn) response.end(rest)
  else {
    if (torn === 0) response.flushHeaders()
    else response.write(rest.subarray(0, torn))
    response.socket?.destroySoon()
  }
}

async function download(manners: Manners): Promise<string> {
  server.answer = (response, { headers }) => answer(response, headers.range, manners)
  const ask = (headers: Readonly<Record<string, string>>) => http.stream(new URL('/file', server.url), { headers })
  const chunks: Uint8Array[] = []
  for await (const chunk of streamWithResume(await ask({}), ask)) chunks.push(chunk)
  return sumOf(Buffer.concat(chunks))
}

it.each<[string, Manners, number]>([
  ['is not torn', { etag: '"a"', torn: 300_000 }, 1],
  ['is torn once', { etag: '"a"', torn: 200_000 }, 2],
  ['is torn often', { etag: '"a"', torn: 50_000 }, 6],
])('a download that %s is whole', async (_, manners, requests) => {
  expect(await download(manners)).toBe(sumOf(bytes))
  expect(server.seen).toHaveLength(requests)
  for (const { headers } of server.seen.slice(1)) expect(headers['if-range']).toBe('"a"')
})

it.each<[string, Manners, number]>([
  ['without a validator', { torn: 200_000 }, 1],
  ['with a weak validator', { etag: 'W/"a"', torn: 200_000 }, 1],
  ['of a server that has no parts', { etag: '"a"', ranges: 'none', torn: 200_000 }, 1],
  ['of a file that is another one by now', { etag: '"a"', later: '"b"', torn: 200_000 }, 2],
  ['of a server that sends all again', { etag: '"a"', ignoresRange: true, torn: 200_000 }, 2],
  ['of a server that sends another part', { etag: '"a"', shift: 1, torn: 200_000 }, 2],
  ['of a server that sends nothing', { etag: '"a"', torn: 0 }, 3],
])('a torn download %s is an error', async (_, manners, requests) => {
  await expect(download(manners)).rejects.toThrow()
  expect(server.seen).toHaveLength(requests)
})
