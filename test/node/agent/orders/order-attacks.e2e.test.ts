import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { parseCertificate } from '../../../../src/ca/x509/certificate.ts'
import type { StatementSigner } from '../../../../src/ca/x509/json-web-signature.ts'
import { parsePrivateKey } from '../../../../src/ca/x509/keys.ts'
import type { Order } from '../../../../src/model/orders/order.ts'
import type { NodeMessage, ServerMessage } from '../../../../src/model/orders/order-messages.ts'
import { createOrderWriter } from '../../../../src/model/orders/order-signature.ts'
import { controlRepository } from '../../../support/control-repository.ts'
import { plumb, plumbMain, type RunningServer, startServer } from '../../../support/plumb.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

// A server with the right certificate that sends what an attacker could send; the agent is the real one.

const home = scratchFolder('attacked')
const heard: NodeMessage[] = []
const children: ChildProcess[] = []
let authority: RunningServer
let attacker: Server
let socket: WebSocket
let signer: StatementSigner
let logged = ''

beforeAll(async () => {
  const repository = controlRepository({ 'manifests/site.pp': `notify { 'applied': }\n` })
  authority = await startServer({ repository: repository.bare, settings: { autosign: 'true' } })
  const places = ['--confdir', join(home, 'etc'), '--vardir', join(home, 'var'), '--rundir', join(home, 'run')]
  const words = ['agent', ...places, '--server', 'localhost', '--certname', 'a.test', '--key_type', 'ec']
  await plumb([...words, '--serverport', String(authority.port), '--test'])
  const file = (name: string) => readFileSync(join(authority.confdir, 'ssl', name), 'utf8')
  const pem = file('catalog_signer.pem')
  signer = { key: parsePrivateKey(pem), certificate: parseCertificate(pem) }
  const tls = { key: file('private_keys/localhost.pem'), cert: file('certs/localhost.pem'), ca: file('certs/ca.pem') }
  attacker = createServer({ ...tls, requestCert: true }, (_request, response) => response.writeHead(404).end())
  const connected = new Promise<WebSocket>((done) => new WebSocketServer({ server: attacker }).once('connection', done))
  await new Promise<void>((done) => attacker.listen(0, '127.0.0.1', done))
  const { port } = attacker.address() as AddressInfo
  const more = ['--runinterval', '1h', '--catalog_signature', 'require', '--no-daemonize', '--verbose']
  const child = spawn(process.execPath, [
    plumbMain,
    ...words,
    '--serverport',
    String(port),
    '--color',
    'false',
    ...more,
  ])
  children.push(child)
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (logged += data.toString()))
  socket = await connected
  socket.on('message', (data) => void heard.push(JSON.parse(String(data)) as NodeMessage))
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  attacker?.close()
  attacker?.closeAllConnections()
  await authority?.stop()
})

const saying = (text: string) => expect.poll(() => logged, { timeout: 20_000 }).toContain(text)

function orderOf(change: Partial<Order> = {}): Order {
  const now = Date.now()
  const order = { id: randomUUID(), kind: 'run', node: 'a.test', person: 'mallory' } as const
  return { ...order, issued: now, expires: now + 60_000, noop: false, tags: [], ...change }
}

const sign = (order: Order) => createOrderWriter(signer)(order) as { readonly type: 'order'; readonly signed: string }
const send = (message: ServerMessage | string) =>
  socket.send(typeof message === 'string' ? message : JSON.stringify(message))
const about = (id: string) => heard.filter((message) => message.id === id).map(({ type }) => type)

describe('an agent', () => {
  it('executes a signed order once, even if it is sent again', async () => {
    // The first run of the agent fails, because this server has no catalogs.
    await saying('Could not send report')
    await expect.poll(() => existsSync(join(home, 'var/state/agent_catalog_run.lock'))).toBe(false)
    const order = orderOf({ noop: true })
    const message = sign(order)
    send(message)
    await expect.poll(() => about(order.id), { timeout: 20_000 }).toEqual(['started', 'finished'])
    const runs = logged.split('Run ordered by').length
    send(message)
    await expect.poll(() => about(order.id)).toEqual(['started', 'finished', 'finished'])
    expect(logged.split('Run ordered by').length).toBe(runs)
    await saying(`Order ${order.id} was already received; it is not executed again`)
  })

  it('rejects and logs an order that was edited, or is not signed', async () => {
    const runs = logged.split('Run ordered by').length
    const [header = '', , signature = ''] = sign(orderOf()).signed.split('.')
    const content = Buffer.from(JSON.stringify(orderOf())).toString('base64url')
    send({ type: 'order', signed: `${header}.${content}.${signature}` })
    await saying('Rejected an order: Could not read the order: The signature was not made with the key')
    send(createOrderWriter(undefined)(orderOf()))
    await saying('Rejected an order: The order is not signed')
    expect(logged.split('Run ordered by').length).toBe(runs)
  })

  it.each([
    ['for another node', () => orderOf({ node: 'b.test' }), "The order is for another node, 'b.test'"],
    ['that has expired', () => orderOf({ expires: Date.now() - 1 }), 'The order expired at'],
    [
      'of the future',
      () => orderOf({ issued: Date.now() + 1e7, expires: Date.now() + 1e7 + 1 }),
      'The order was issued in the future',
    ],
  ])('refuses and logs an order %s', async (_, create, why) => {
    const order = create()
    send(sign(order))
    await saying(`Refused the order ${order.id} of mallory: ${why}`)
    expect(logged).toContain(why)
    expect(about(order.id)).toEqual(['refused'])
  })

  it('ignores messages that are no orders, and keeps its connection', async () => {
    for (const text of ['', '{', '{"type":"order"}', '{"type":"task"}', '[]']) send(text)
    await saying('Ignoring an invalid message of localhost')
    const order = orderOf({ noop: true })
    send(sign(order))
    await expect.poll(() => about(order.id), { timeout: 20_000 }).toEqual(['started', 'finished'])
  })
})
