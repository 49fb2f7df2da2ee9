import { once } from 'node:events'
import { request } from 'node:https'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A balancer of TCP connections: it looks at the status of each server, and sends connections to those that say `running`. */
export interface Balancer {
  readonly port: number
  /** The ports of the servers; one that is not there is tried again at the next look. */
  ports: readonly number[]
  /** Ports of those that are sent connections now. */
  readonly live: readonly number[]
  /** Connections for which no server was there. */
  readonly refused: number
  close(): void
}

/** Milliseconds between two looks, as balancers have it by the second. */
const everyMs = 100

/** Starts one on the loopback interface. */
export async function openBalancer(): Promise<Balancer> {
  let live: readonly number[] = []
  let next = 0
  let refused = 0
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const port = live[next++ % live.length]
    if (port === undefined) {
      refused++
      client.destroy()
      return
    }
    const upstream = connect(port, '127.0.0.1')
    for (const each of [client, upstream]) {
      open.add(each)
      each.on('error', () => {})
      each.once('close', () => open.delete(each))
    }
    client.pipe(upstream).pipe(client)
    upstream.once('close', () => client.destroySoon())
    client.once('close', () => upstream.destroySoon())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  let ended = false
  // Each by itself: a slow one does not hide that another one stops.
  const look = async (port: number) => {
    const is = (await isRunning(port)) && balancer.ports.includes(port)
    if (live.includes(port) !== is) live = is ? [...live, port] : live.filter((each) => each !== port)
    looking.delete(port)
  }
  const looking = new Set<number>()
  const timer = setInterval(() => {
    for (const port of new Set([...balancer.ports, ...live]))
      if (!ended && !looking.has(port)) {
        looking.add(port)
        void look(port)
      }
  }, everyMs)
  const balancer = {
    port: (server.address() as AddressInfo).port,
    ports: [] as readonly number[],
    get live() {
      return live
    },
    get refused() {
      return refused
    },
    close() {
      ended = true
      clearInterval(timer)
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
  return balancer
}

function isRunning(port: number): Promise<boolean> {
  return new Promise((done) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: '/status/v1/simple',
      rejectUnauthorized: false,
      agent: false,
      timeout: 10_000,
    }
    const asking = request(options, (answer) => {
      answer.resume()
      answer.once('end', () => done(answer.statusCode === 200))
    })
    asking.on('timeout', () => asking.destroy())
    asking.on('error', () => done(false))
    asking.end()
  })
}
