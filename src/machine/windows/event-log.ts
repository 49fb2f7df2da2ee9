import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { promisify } from 'node:util'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { getSystemProgram } from './system-programs.ts'

type Level = 'emerg' | 'alert' | 'crit' | 'err' | 'warning' | 'notice' | 'info' | 'debug'

/** Name of the source in the log `Application`. `eventcreate.exe` registers it; Puppet's own source is `Puppet`. */
const eventSource = 'Plumbline'

/** Maximum number of characters of an event. A command line has 32,767 characters, and each quote of the text takes two. */
const mostCharacters = 15_000
/** Text at the end of a line that is too long. Puppet: util/log/destinations.rb */
const truncation = '...Message exceeds character length limit, truncating.'
/** Maximum number of events that wait for `eventcreate.exe`; further lines are lost. */
const mostWaiting = 1000
const timeoutMs = 30_000

/** A callback for lost lines, and the function that runs a program and throws if the program fails. */
export interface EventLogOptions {
  lost(why: string): void
  readonly run?: (command: readonly string[]) => Promise<unknown>
}

/** Opens the event log of Windows. Throws the system's error if `eventcreate.exe` is missing. */
export async function openEventLog(options: EventLogOptions): Promise<EventLog> {
  if (options.run === undefined) await access(getSystemProgram('eventcreate.exe'))
  return new EventLog(options)
}

/** Type and ID of an event. Puppet: util/windows/eventlog.rb */
interface EventKind {
  readonly type: 'INFORMATION' | 'WARNING' | 'ERROR'
  readonly id: '1' | '2' | '3'
}

/** An event that waits. */
interface WaitingEvent extends EventKind {
  text: string
}

/** Writes events one after another. Lines of one level that arrive while a program runs become one event. */
class EventLog {
  readonly #options: EventLogOptions
  readonly #waiting: WaitingEvent[] = []
  #writing: Promise<void> | undefined
  #isLosing = false

  constructor(options: EventLogOptions) {
    this.#options = options
  }

  write(level: Level, line: string): void {
    const kind = getEventKind(level)
    const text = line.length > mostCharacters ? line.slice(0, mostCharacters - truncation.length) + truncation : line
    const last = this.#waiting.at(-1)
    if (last?.type === kind.type && last.text.length + text.length < mostCharacters) last.text += `\n${text}`
    else if (this.#waiting.length < mostWaiting) this.#waiting.push({ ...kind, text })
    else this.#lose('too many events are waiting')
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
    })
  }

  /** Waits until all events are written. */
  async close(): Promise<void> {
    while (this.#writing) await this.#writing
  }

  async #writeAll(): Promise<void> {
    const { run = runProgram } = this.#options
    // Lines of the same moment become one event.
    await new Promise(setImmediate)
    for (let event = this.#waiting.shift(); event; event = this.#waiting.shift()) {
      const { type, id, text } = event
      const words = ['/L', 'APPLICATION', '/SO', eventSource, '/T', type, '/ID', id, '/D', text]
      try {
        await run([getSystemProgram('eventcreate.exe'), ...words])
        this.#isLosing = false
      } catch (error) {
        this.#lose(formatError(error))
      }
    }
  }

  #lose(why: string): void {
    if (!this.#isLosing) this.#options.lost(why)
    this.#isLosing = true
  }
}

function getEventKind(level: Level): EventKind {
  if (level === 'debug' || level === 'info' || level === 'notice') return { type: 'INFORMATION', id: '1' }
  return level === 'warning' ? { type: 'WARNING', id: '2' } : { type: 'ERROR', id: '3' }
}

async function runProgram([program = '', ...words]: readonly string[]): Promise<void> {
  await promisify(execFile)(program, words, { timeout: timeoutMs, windowsHide: true })
}
