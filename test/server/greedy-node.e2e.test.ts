import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { type Serving, serve } from './serving.ts'

const megabyte = 1024 * 1024
const accept = { accept: '*/*' }
let repository: ControlRepository
let serving: Serving
const sockets: TLSSocket[] = []

beforeAll(async () => {
  repository = controlRepository({
    'manifests/site.pp': "notify { 'x': }\n",
    'modules/m/files/large': randomBytes(24 * megabyte),
    'modules/m/files/other': randomBytes(2 * megabyte),
  })
  serving = await serve({ code_repo: repository.bare })
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await serving?.stop()
})

async function connection(name: string): Promise<TLSSocket> {
  const port = Number(new URL(serving.server.url).port)
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...(await serving.credentials(name)) })
  sockets.push(socket.on('error', () => {}))
  await new Promise((done) => socket.once('secureConnect', done))
  return socket
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n`

describe('one node that asks for too much', () => {
  it('has nothing under way after its connections were cut, however many requests were queued on them', async () => {
    for (let round = 0; round < 5; round++) {
      const socket = await connection('pipelining.test')
      const closed = new Promise((done) => socket.once('close', done))
      socket.resume().write(get('/puppet/v3/environments').repeat(17))
      await closed
    }
    const ask = () => serving.call('GET', '/puppet/v3/environments', { as: 'pipelining.test', headers: accept })
    await expect.poll(async () => (await ask()).status).toBe(200)
  })

  it('leaves large files to others, however slowly it reads', async () => {
    const begun: Promise<unknown>[] = []
    for (let reader = 0; reader < 40; reader++) {
      const socket = await connection('slow.test')
      begun.push(once(socket, 'data').then(() => socket.pause()))
      socket.write(get('/puppet/v3/file_content/modules/m/large?environment=production'))
    }
    await Promise.all(begun)
    const path = '/puppet/v3/file_content/modules/m/other?environment=production'
    const { status, bytes } = await serving.call('GET', path, { as: 'honest.test', headers: accept })
    expect([status, bytes.length]).toEqual([200, 2 * megabyte])
  })

  it('leaves no process behind for answers that were queued on a connection that is cut', async () => {
    const path = '/puppet/v3/file_content/modules/m/large?environment=production'
    for (let node = 0; node < 10; node++) {
      const socket = await connection(`cut${node}.test`)
      socket.write(get(path).repeat(5))
      await once(socket, 'data')
      socket.destroy()
    }
    const other = '/puppet/v3/file_content/modules/m/other?environment=production'
    const { status } = await serving.call('GET', other, { as: 'honest.test', headers: accept })
    expect(status).toBe(200)
  })

  it('searches only so many folders at once', async () => {
    const path = '/puppet/v3/file_metadatas/modules/m?environment=production&recurse=true&checksum_type=none'
    const ask = () => serving.call('GET', path, { as: 'searching.test', headers: { accept: 'application/json' } })
    const statuses = (await Promise.all(Array.from({ length: 60 }, ask))).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    expect((await ask()).status).toBe(200)
  })
})
