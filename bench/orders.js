// Nodes that wait for orders: the memory and the processor time of a server with so many idle connections, and the time
// from an order to the start of the run on each node. The nodes are simulated: each has its own certificate and its own
// connection with TLS, and starts at once.
//   npm run bench:orders [-- --nodes N] [--idle SECONDS] [--rounds N] [--store sqlite|none] [--check]
// With --check the exit status is 1 if a node started later than 5 s (p99), or if the idle server uses more than 1.5 GiB
// or 5 % of a core. Certificates are kept in a folder for the next time.
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { WebSocket } from 'ws'
import { mapConcurrently } from '#built/base/threads/concurrent-map.js'
import { getControlPath, requestRun } from '#built/deploy/control/control-socket.js'
import { loadSettings } from '#built/machine/settings/settings.js'
import { certnames, fleetCertificates } from './fleet/certificates.js'
import { fleetRepository } from './fleet/site.js'
import { freePort } from './free-port.js'
import { startPlumbline } from './server/plumbline.js'
import { memoryOf, processorTime } from './server/process.js'

/** @returns {{ type: 'string', default: string }} */
const text = (value) => ({ type: 'string', default: String(value) })
const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    nodes: text(2000),
    idle: text(60),
    rounds: text(5),
    store: text('sqlite'),
    folder: text(join(tmpdir(), 'plumb-orders')),
  },
})
const [nodes, idle, rounds] = [options.nodes, options.idle, options.rounds].map(Number)
const { folder } = options
const MiB = 1024 * 1024
const bounds = { startMs: 5000, bytes: 1536 * MiB, share: 0.05 }
/** Connections that are opened at the same time. */
const opening = 50

console.log(`${cpus()[0].model}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)} at the start`)
const names = certnames(nodes, 1)
const { ca, identity } = await fleetCertificates(folder, names)
const most = String(Math.ceil(nodes * 1.5))
const server = await startPlumbline(folder, {
  repository: fleetRepository(folder, 1),
  port: await freePort(),
  settings: ['--store', options.store, '--max_connections', most, '--max_connections_per_address', most],
})
/** @type {Set<import('ws').WebSocket>} */
const sockets = new Set()
/** @type {number[]} */
let starts = []
let asked = 0
try {
  await delay(5000)
  const empty = memoryOf(server.pid).now
  const began = performance.now()
  await mapConcurrently(names, opening, connect)
  console.log(`${nodes} nodes are connected after ${((performance.now() - began) / 1000).toFixed(1)} s`)
  const figures = await watchIdle(empty)
  const slowest = []
  for (let round = 1; round <= rounds; round++) slowest.push(await orderRuns(round))
  const isTooLate = slowest.some((ms) => ms > bounds.startMs)
  if (options.check && (isTooLate || figures.bytes > bounds.bytes || figures.share > bounds.share)) process.exitCode = 1
} finally {
  for (const socket of sockets) socket.terminate()
  await server.stop()
}

/** Opens the connection of a node. */
async function connect(name) {
  const { key, cert } = identity(name)
  const socket = new WebSocket(`wss://localhost:${server.port}/plumb/v1/orders`, {
    ...{ key, cert, ca, perMessageDeflate: false },
  })
  await new Promise((done, failed) => {
    socket.once('open', done)
    socket.once('error', failed)
    socket.once('unexpected-response', (_request, { statusCode }) => failed(new Error(`${name}: ${statusCode}`)))
  })
  sockets.add(socket)
  socket.on('message', (data) => obey(socket, JSON.parse(String(data))))
  socket.once('close', (code) => {
    if (process.exitCode === undefined && sockets.delete(socket)) console.log(`${name}: closed with ${code}`)
  })
}

/** Starts a run at once, and ends it when the server has stored its start. */
function obey(socket, { type, signed, order }) {
  if (type !== 'order') return
  starts.push(performance.now() - asked)
  const { id } = JSON.parse(signed ? Buffer.from(signed.split('.')[1], 'base64url').toString() : order)
  socket.send(JSON.stringify({ type: 'started', id }))
  socket.send(JSON.stringify({ type: 'finished', id, status: 0 }))
}

/** Measures the server while nothing happens. */
async function watchIdle(empty) {
  await delay(10_000)
  const before = processorTime(server.pid)
  await delay(idle * 1000)
  const share = (processorTime(server.pid) - before) / (idle * 1000)
  const bytes = memoryOf(server.pid).now
  const each = (bytes - empty) / nodes / 1024
  console.log(
    `idle: ${(bytes / MiB).toFixed(0)} MiB, ${(empty / MiB).toFixed(0)} MiB of it without nodes (${each.toFixed(0)} KiB a node), ` +
      `${(100 * share).toFixed(1)} % of a core`,
  )
  return { bytes, share }
}

/** Orders all nodes to run. Returns the time to the start of all but one percent of them, in milliseconds. */
async function orderRuns(round) {
  const settings = loadSettings({
    given: { confdir: join(folder, 'plumbline/etc'), vardir: join(folder, 'plumbline/var') },
    runMode: 'server',
    env: {},
  })
  const path = getControlPath(settings)
  starts = []
  asked = performance.now()
  const query = { nodes: names, noop: true, tags: [] }
  const { id } = await requestRun(path, { action: 'start', person: 'bench', request: query })
  for (;;) {
    const { states } = await requestRun(path, { action: 'read', id, since: Date.now() + 60_000 })
    if (states.finished === nodes) break
    if (performance.now() - asked > 60_000) throw new Error(`The runs do not end: ${JSON.stringify(states)}`)
    await delay(100)
  }
  const ended = performance.now() - asked
  starts.sort((a, b) => a - b)
  const at = (share) => starts[Math.min(starts.length - 1, Math.floor(share * starts.length))]
  const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`
  console.log(
    `round ${round}: started after ${seconds(at(0.5))} (p50), ${seconds(at(0.99))} (p99), ${seconds(at(1))} (last); ` +
      `all results stored after ${seconds(ended)}; load ${loadavg()[0].toFixed(1)}`,
  )
  return at(0.99)
}
