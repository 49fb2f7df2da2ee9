import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { noPipes, startChildProcess } from '../../base/program/child-process.ts'
import { type SyslogFacility, syslogFacilities } from '../../base/syslog-facilities.ts'
import { localCommands } from './commands.ts'

const issues = defineIssues({
  NO_LOGGER: { text: () => 'Could not find the program logger (of the package bsdutils or util-linux)' },
})

/** Level names; the index of each level is its syslog severity. */
const levels = ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug'] as const

/** Maximum number of bytes that are buffered while syslog does not read; further lines are lost. */
const mostWaitingBytes = 16 * 1024 * 1024
/** Maximum length of a message in bytes that syslog daemons usually accept; `logger` splits longer messages. */
const messageBytes = 8192
/** Milliseconds to wait after `logger` exited by itself, because syslog is missing or restarting. */
const restartMs = 60_000
const closeTimeoutMs = 5000

/** Tag, facility and loss callback of a program's log. */
export interface SyslogOptions {
  /** The program's name in each line. */
  readonly tag: string
  readonly facility: SyslogFacility
  /** Called when lines are lost. */
  lost(why: string): void
}

/** Opens the system log. Throws NO_LOGGER. */
export async function openSyslog(options: SyslogOptions): Promise<Syslog> {
  return new Syslog((await localCommands.find('logger')) ?? throwIssue(issues.NO_LOGGER, {}), options)
}

/**
 * Writes to the system log through a `logger` process, which is started with the first line and
 * restarted after it exits.
 */
export class Syslog {
  readonly #program: string
  readonly #options: SyslogOptions
  #logger: Logger | undefined
  #endedAt = Number.NEGATIVE_INFINITY

  constructor(program: string, options: SyslogOptions) {
    this.#program = program
    this.#options = options
  }

  write(level: (typeof levels)[number], line: string): void {
    if (!this.#logger && performance.now() - this.#endedAt < restartMs) return
    this.#logger ??= this.#start()
    const priority = syslogFacilities[this.#options.facility] * 8 + levels.indexOf(level)
    this.#logger.write(`<${priority}>${line}\n`)
  }

  /** Waits until all lines are written. */
  async close(): Promise<void> {
    await this.#logger?.close()
  }

  #start(): Logger {
    const { tag, lost } = this.#options
    return startLogger(this.#program, tag, (why) => {
      this.#logger = undefined
      this.#endedAt = performance.now()
      if (why !== undefined) lost(why)
    })
  }
}

interface Logger {
  write(text: string): void
  close(): Promise<void>
}

/** Starts `logger`. `ended` is called when it exits, with the reason if lines were lost. */
function startLogger(program: string, tag: string, ended: (why: string | undefined) => void): Logger {
  const size = ['--size', String(messageBytes)]
  const words = ['--prio-prefix', '--socket-errors=on', '--tag', tag, `--id=${process.pid}`, ...size]
  // Use a separate process group, so that signals from a terminal do not end `logger` before the
  // last line.
  const stdio = ['pipe', 'ignore', 'pipe'] as const
  const child: ChildProcess = startChildProcess(() => spawn(program, words, { stdio: [...stdio], detached: true }))
  const { stdin, stderr } = child
  let said = stdin && stderr ? '' : noPipes
  stderr?.on('data', (data: Buffer) => {
    if (said.length < 1000) said += data.toString()
  })
  stdin?.on('error', () => {}) // the exit of the process gives the reason
  const over = new Promise<string | undefined>((done) => {
    child.once('close', (status) => done(status === 0 ? undefined : said.trim() || `logger exited with ${status}`))
    child.once('error', ({ message }) => done(message))
  }).then(ended)
  return {
    write(text) {
      if (stdin && stdin.writableLength > mostWaitingBytes) {
        said = 'logger does not read its input'
        child.kill('SIGKILL')
      } else stdin?.write(text)
    },
    async close() {
      stdin?.end()
      const isOver = await Promise.race([over.then(() => true), sleep(closeTimeoutMs, false, { ref: false })])
      if (!isOver) child.kill('SIGKILL')
    },
  }
}
