import type { ChildProcess } from 'node:child_process'
import { createServer, type Server } from 'node:net'
import { forkOwn } from '../../base/threads/own-process.ts'

/** The handle below a listening server; Node sends a handle to another process, which listens on it. */
interface Handle {
  close(): void
}

/**
 * Further handles of the socket on which a server listens. In a round of the event loop libuv (since 1.45) takes one
 * connection from each handle: while requests keep the rounds long, thousands who connect and say nothing would have an
 * honest client wait behind them for seconds. A process copies a handle by sending it to another one and back. That one is
 * ended from outside, never let go of: Node throws where a handle arrives on a channel that was closed on this side.
 */
export class MoreListeners {
  readonly #server: Server
  readonly #listeners = new Set<Server>()
  #child: ChildProcess | undefined
  #closed = false

  constructor(server: Server) {
    this.#server = server
  }

  /** Adds so many, or as many as can be had. Resolves when they are there. */
  add(count: number): Promise<void> {
    return new Promise((done) => {
      try {
        this.#copy(count, done)
      } catch {
        done()
      }
    })
  }

  /** Takes in no more; resolves when the connections that were taken in have ended. */
  async close(): Promise<void> {
    this.#closed = true
    this.#child?.kill('SIGKILL')
    await Promise.all([...this.#listeners].map((each) => new Promise((done) => each.close(done))))
  }

  #copy(count: number, done: () => void): void {
    const child = forkOwn(new URL('./handle-copier.js', import.meta.url))
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
