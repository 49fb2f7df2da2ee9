import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { parseAuthConf } from '../../../src/server/auth/auth-conf.ts'
import { createUnauthenticatedClient } from '../../../src/server/http/client.ts'
import { createHttpServer } from '../../../src/server/https/http.ts'
import { createServerCloser } from '../../../src/server/https/server-shutdown.ts'
import { controlRepository } from '../../support/control-repository.ts'
import { startServer } from '../../support/plumb.ts'

const clients: Socket[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
})

/** A server with one route, which answers when the test lets it. */
async function serve(patience?: number) {
  const { rules } = parseAuthConf({
    file: 'auth.conf',
    text: 'authorization: { version: 1, rules: [{ match-request: { path: "/", type: path }, allow-unauthenticated: true, sort-order: 1, name: all }] }',
  })
  const http = createHttpServer({
    log: pino({ level: 'silent' }),
    puppetVersion: '8',
    rules: () => rules,
    identify: ({ ip }) => createUnauthenticatedClient(ip),
  })
  let asked = () => {}
  let answer = () => {}
  const isAsked = new Promise<void>((done) => (asked = done))
  const mayAnswer = new Promise<void>((done) => (answer = done))
  http.get('/slow', async () => {
    asked()
    await mayAnswer
    return 'answered'
  })
  http.post('/slow', async () => 'answered')
  const close = createServerCloser(http, patience)
  await http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = http.server.address() as AddressInfo
  return { close, isAsked, answer, send: (text: string) => send(port, text) }
}

/** A connection on which a text was said; the server has it, for it has answered another since. */
async function send(port: number, text: string): Promise<Socket> {
  const client = connect(port, '127.0.0.1').on('error', () => {})
  clients.push(client)
  await once(client, 'connect')
  client.write(text)
  await fetch(`http://127.0.0.1:${port}/none`, { headers: { connection: 'close' } }).then((answer) => answer.text())
  return client
}

describe('a server that closes', () => {
  it('answers the requests under way, and cuts off who only listens', async () => {
    const { close, isAsked, answer, send } = await serve()
    const silent = await send('')
    const half = await send('GET /slow HTTP/1.1\r\nHost: x\r\n')
    const under = await send('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    const said: string[] = []
    under.on('data', (data) => said.push(data.toString()))
    await isAsked
    const closed = close()
    answer()
    await closed
    await Promise.all(
      [silent, half, under].map((client) => client.closed || new Promise((done) => client.once('close', done))),
    )
    expect(said.join('')).toMatch(/^HTTP\/1\.1 200 OK\r\n.*answered$/s)
  })

  it('waits no longer than it may for a request that does not come to its end', async () => {
    const { close, send } = await serve(50)
    const late = await send('POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf')
    const said: string[] = []
    late.on('data', (data) => said.push(data.toString()))
    expect(late.destroyed).toBe(false)
    const cut = once(late, 'close')
    await close()
    await cut
    expect(said).toEqual([])
  })

  it.each(['', 'GET /status/v1/simple HTTP/1.1\r\n'])('ends plumb server although a client stays: %j', async (text) => {
    const repository = controlRepository({ 'manifests/site.pp': '' })
    const server = await startServer({ repository: repository.bare })
    const client = connectSecurely({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false })
    clients.push(client.on('error', () => {}))
    await once(client, 'secureConnect')
    client.write(text)
    expect(await server.stop()).toBe(0)
  })
})
