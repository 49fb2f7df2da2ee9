import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, it } from 'vitest'
import { budgets } from '../../../src/base/budgets/budgets.ts'
import { AdditionalListeners } from '../../../src/server/https/additional-listeners.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

let server: Server
const taken = new Set<Socket>()
let more: AdditionalListeners

afterEach(async () => {
  for (const socket of taken) socket.destroy()
  taken.clear()
  await Promise.all([more.close(), new Promise((done) => server.close(done))])
})

async function listening(listeners: number): Promise<number> {
  server = createServer()
  server.on('connection', (socket) => taken.add(socket.on('error', () => {})))
  const options = { port: 0, host: '127.0.0.1', backlog: budgets.connection.unaccepted.bound }
  await new Promise<void>((done) => server.listen(options, done))
  more = new AdditionalListeners(server)
  await more.add(listeners)
  return (server.address() as AddressInfo).port
}

function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/** Rounds of the event loop until all are taken in who connected while it stood still: the system lets them connect. */
async function rounds(port: number, clients: number): Promise<number> {
  const connected = join(scratchFolder('listeners'), 'connected')
  const script = `const net = require('net'); let left = ${clients}
    const done = () => --left === 0 && require('fs').writeFileSync('${connected}', '')
    for (let n = 0; n < ${clients}; n++) net.connect(${port}, '127.0.0.1', done)`
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' })
  await new Promise((done) => child.once('spawn', done))
  for (let waited = 0; !existsSync(connected) && waited < 120_000; waited += 50) standStill(50)
  let count = 0
  while (taken.size < clients) {
    await new Promise(setImmediate)
    count++
  }
  child.kill()
  return count
}

it('take in several connections in a round of the event loop', async () => {
  const port = await listening(7)
  expect(await rounds(port, 160)).toBeLessThan(40)
})

it.each([{}, { reusePort: true }])('leave a port in use to the program that has it: %o', async (options) => {
  const port = await listening(7)
  const other = createServer()
  const [error] = await Promise.all([once(other, 'error'), other.listen({ port, host: '127.0.0.1', ...options })])
  expect(error).toMatchObject([{ code: 'EADDRINUSE' }])
})

it('share one queue of connections, as long as the budget says or the kernel allows', async () => {
  const port = await listening(7)
  const { stdout } = await promisify(execFile)('ss', ['-Hltn', `sport = :${port}`])
  const lines = stdout.trim().split('\n')
  expect(lines).toHaveLength(1)
  const most = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))
  expect(Number(lines[0]!.split(/\s+/)[2])).toBe(Math.min(most, budgets.connection.unaccepted.bound))
})

it('end with the server, after the connections that they took in', async () => {
  const port = await listening(7)
  const clients = Array.from({ length: 20 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  await expect.poll(() => taken.size).toBe(20)
  let closed = false
  const closing = Promise.all([more.close(), new Promise((done) => server.close(done))]).then(() => (closed = true))
  const late = connect(port, '127.0.0.1')
  await new Promise((done) => late.once('error', done))
  expect(closed).toBe(false)
  for (const client of clients) client.destroy()
  await closing
})

it('may end while their first copy is on its way', async () => {
  await listening(1)
  const beginning = new AdditionalListeners(server)
  const adding = beginning.add(7)
  const closing = beginning.close()
  standStill(300)
  await expect(Promise.all([adding, closing])).resolves.toHaveLength(2)
})
