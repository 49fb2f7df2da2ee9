import { connect, type Socket } from 'node:net'

/** The socket to which systemd's journal has programs write lines, as `systemd-cat` does. */
const journalSocket = '/run/systemd/journal/stdout'

/** Levels, each at the place of its number. */
const levels = ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug'] as const

/** The bound on bytes that wait for a journal that does not read; more is lost. */
const mostWaitingBytes = 16 * 1024 * 1024
const closeTimeoutMs = 5000

/** The name under which lines stand in the journal, and who is told of lost ones. */
export interface JournalOptions {
  readonly tag: string
  lost(why: string): void
  readonly path?: string
}

/** Connects to systemd's journal. Throws what the system says where there is none. */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const journal = new Journal(options)
  await journal.connected()
  return journal
}

/** systemd's journal; a connection that ended, as when the journal began anew, is made again with the next line. */
class Journal {
  readonly #options: JournalOptions
  #socket: Socket | undefined

  constructor(options: JournalOptions) {
    this.#options = options
  }

  /** Waits for the first connection. */
  connected(): Promise<void> {
    const socket = this.#connect()
    return new Promise((done, failed) => {
      socket.once('connect', done)
      socket.once('error', failed)
    })
  }

  /** Writes one line. */
  write(level: (typeof levels)[number], line: string): void {
    const socket = this.#socket ?? this.#connect()
    if (socket.writableLength > mostWaitingBytes) socket.destroy(new Error('it does not read'))
    else socket.write(`<${levels.indexOf(level)}>${line}\n`)
  }

  /** Waits until all lines are written. */
  async close(): Promise<void> {
    const socket = this.#socket
    if (!socket) return
    socket.ref()
    await new Promise<void>((done) => {
      const late = setTimeout(() => socket.destroy(), closeTimeoutMs)
      socket.once('close', () => {
        clearTimeout(late)
        done()
      })
      socket.end()
    })
  }

  #connect(): Socket {
    const { path = journalSocket, tag, lost } = this.#options
    const socket = connect(path)
    this.#socket = socket
    let why: string | undefined
    socket.on('error', ({ message }) => {
      why = message
    })
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = undefined
      if (why !== undefined) lost(why)
    })
    socket.resume()
    socket.once('connect', () => socket.unref())
    // Name, unit, level of lines without one; that lines begin with theirs; and no copies to other logs.
    socket.write(`${tag}\n\n6\n1\n0\n0\n0\n`)
    return socket
  }
}
