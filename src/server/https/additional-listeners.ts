import type { ChildProcess } from 'node:child_process'
import { createServer, type Server } from 'node:net'
import { budgets } from '../../base/budgets/budgets.ts'
import { forkScript } from '../../base/program/script-process.ts'

/**
 * Additional listeners on the socket of a listening server. In each round of the event loop libuv (since 1.45) accepts
 * one connection per listener. If requests make the rounds long, thousands of silent connections would delay an honest
 * client for seconds. Sockets that share the port with `reusePort` would let a second server listen on it, too. Node
 * copies a socket only between processes, so a child process receives the server and sends it back. The child is
 * killed, not disconnected: Node throws if a socket arrives on a channel closed on this side.
 */
export class AdditionalListeners {
  readonly #server: Server
  readonly #listeners = new Set<Server>()
  #child: ChildProcess | undefined
  #isClosed = false

  constructor(server: Server) {
    this.#server = server
  }

  /** Adds up to `count` listeners. Resolves when they are listening, even if there are fewer. */
  add(count: number): Promise<void> {
    return new Promise((done) => {
      try {
        this.#copy(count, done)
      } catch {
        done()
      }
    })
  }

  /** Stops accepting connections; resolves when the accepted connections have ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#child?.kill('SIGKILL')
    await Promise.all([...this.#listeners].map((each) => new Promise((done) => each.close(done))))
  }

  #copy(count: number, done: () => void): void {
    const child = forkScript(new URL('./listener-copier.js', import.meta.url))
    this.#child = child
    child.on('error', done)
    child.on('close', done)
    child.on('message', (_, copy) => {
      this.#listen(copy as Server)
      if (this.#listeners.size >= count) child.kill('SIGKILL')
    })
    child.send(count, this.#server)
  }

  /**
   * Listens on a copy of the socket. The copy arrives with Node's default backlog, and the last
   * call to `listen` sets the backlog of the shared socket.
   */
  #listen(copy: Server): void {
    if (this.#isClosed) {
      copy.close()
      return
    }
    const listener = createServer({ noDelay: true }, (socket) => this.#server.emit('connection', socket))
    listener.on('error', (error) => this.#server.emit('error', error))
    this.#listeners.add(listener)
    listener.listen(copy, budgets.connection.unaccepted.bound)
  }
}
