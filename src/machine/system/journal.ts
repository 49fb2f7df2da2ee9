import { connect, type Socket } from 'node:net'

/** The socket on which systemd's journal receives lines from programs, as used by `systemd-cat`. */
const journalSocket = '/run/systemd/journal/stdout'

/** Level names; the index of each level is its syslog severity. */
const levels = ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug'] as const

/** Maximum number of bytes that are buffered while the journal does not read; further lines are lost. */
const mostWaitingBytes = 16 * 1024 * 1024
const closeTimeoutMs = 5000

/** The identifier for lines in the journal, and a callback that is called when lines are lost. */
export interface JournalOptions {
  readonly tag: string
  lost(why: string): void
  readonly path?: string
}

/** Connects to systemd's journal. Throws the system's error if there is no journal. */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const journal = new Journal(options)
  await journal.connected()
  return journal
}

/**
 * A connection to systemd's journal. If the connection ends, for example because the journal
 * restarts, it is opened again for the next line.
 */
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

  write(level: (typeof levels)[number], line: string): void {
    const socket = this.#socket ?? this.#connect()
    if (socket.writableLength > mostWaitingBytes) socket.destroy(new Error('the journal socket is full'))
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
    // Identifier, unit, default level, `1` to enable level prefixes, and zeros to disable copies to
    // other logs.
    socket.write(`${tag}\n\n6\n1\n0\n0\n0\n`)
    return socket
  }
}
