import type { ChildProcess } from 'node:child_process'
import { createServer, type Server } from 'node:net'
import { forkScript } from '../../base/threads/script-process.ts'

/**
 * Internal handle of a listening server. Node can send a handle to another process, which then
 * listens on it.
 */
interface Handle {
  close(): void
}

/**
 * Additional handles of a listening socket. In each round of the event loop libuv (since 1.45) accepts one connection
 * per handle. If requests make the rounds long, thousands of silent connections would delay an honest client for
 * seconds. Node copies a handle only between processes, so a child process receives the handle and sends it back. The
 * child is killed, not disconnected: Node throws if a handle arrives on a channel closed on this side.
 */
export class AdditionalListeners {
  readonly #server: Server
  readonly #listeners = new Set<Server>()
  #child: ChildProcess | undefined
  #closed = false

  constructor(server: Server) {
    this.#server = server
  }

  /** Adds up to `count` handles. Resolves when they are listening, even if there are fewer. */
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
    this.#closed = true
    this.#child?.kill('SIGKILL')
    await Promise.all([...this.#listeners].map((each) => new Promise((done) => each.close(done))))
  }

  #copy(count: number, done: () => void): void {
    const child = forkScript(new URL('./handle-copier.js', import.meta.url))
    this.#child = child
    child.on('error', done)
    child.on('close', done)
    child.on('message', (_, handle) => {
      this.#listen(handle as unknown as Handle)
      if (this.#listeners.size >= count) child.kill('SIGKILL')
    })
    child.send(count, (this.#server as unknown as { readonly _handle: never })._handle)
  }

  #listen(handle: Handle): void {
    if (this.#closed) {
      handle.close()
      return
    }
    const listener = createServer({ noDelay: true }, (socket) => this.#server.emit('connection', socket))
    listener.on('error', (error) => this.#server.emit('error', error))
    this.#listeners.add(listener)
    listener.listen(handle)
  }
}
