import { type AddressInfo, createServer, type Server } from 'node:net'
import { budgets } from '../../base/budgets/budgets.ts'

/**
 * True if the system may let several sockets listen on one port. Node 20 ignores `reusePort`, and Node on other systems
 * than Linux may reject it.
 */
export const reusePort = process.platform === 'linux'

/**
 * Additional sockets that listen on the port of a server. In each round of the event loop libuv (since 1.45) accepts one
 * connection per listening socket. If requests make the rounds long, thousands of silent connections would delay an
 * honest client for seconds. The server itself must listen with `reusePort`.
 */
export class AdditionalListeners {
  readonly #server: Server
  readonly #listeners = new Set<Server>()

  constructor(server: Server) {
    this.#server = server
  }

  /** Adds `count` sockets; none where Node cannot share a port, which is before version 22.12 and on other systems. */
  async add(count: number): Promise<void> {
    if (!reusePort) return
    const { address: host, port } = this.#server.address() as AddressInfo
    const options = { host, port, backlog: budgets.connection.unaccepted.bound, reusePort }
    for (let number = 0; number < count; number++) {
      const listener = createServer({ noDelay: true }, (socket) => this.#server.emit('connection', socket))
      const isListening = await new Promise((done) => {
        listener.once('error', () => done(false))
        listener.listen(options, () => done(true))
      })
      if (!isListening) return
      listener.on('error', (error) => this.#server.emit('error', error))
      this.#listeners.add(listener)
    }
  }

  /** Stops accepting connections; resolves when the accepted connections have ended. */
  async close(): Promise<void> {
    await Promise.all([...this.#listeners].map((each) => new Promise((done) => each.close(done))))
  }
}
