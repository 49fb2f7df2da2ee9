import { defineIssues, PuppetError, throwIssue } from '../../../base/issue.ts'
import { puppetVersion } from '../../../base/puppet-version.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import { FileLock } from '../../../machine/system/file-lock.ts'
import { puppetNameHolder } from '../../../machine/system/lock-holder.ts'
import type { Log } from '../log.ts'
import { Wakeable } from './pause.ts'

/** Settings of the daemon process; its runs use all other settings. */
export type DaemonSettings = Pick<Settings, 'pidfile' | 'runinterval' | 'splay' | 'splaylimit' | 'runtimeout'>

/** The result of a run in a child process. */
export interface RunResult {
  /** True if the run took the lock and started its work. */
  readonly begun: boolean
  /** Exit status; undefined if a signal ended the process. */
  readonly status: number | undefined
  /** Transaction UUID of the report. */
  readonly report?: string | undefined
  /** Commit of the applied catalog. */
  readonly codeId?: string | undefined
}

/** A run that a person ordered. */
export interface OrderedRun {
  /** Additional arguments of the run. */
  readonly words: readonly string[]
  /** Text for the log. */
  readonly description: string
  /** Called when the run has started its work. */
  begun(): void
  ended(result: RunResult): void
}

/** A run in a child process. */
export interface RunProcess {
  readonly ended: Promise<RunResult>
  /**
   * Ends the run. The first call prevents the start of further resources; the second call ends the
   * process at once.
   */
  tellToEnd(signal: 'SIGINT' | 'SIGTERM'): void
}

/** Settings, signals and log of a daemon, and the function that starts its runs. */
export interface DaemonOptions {
  /** Reads the settings again. */
  load(): DaemonSettings
  readonly log: Log
  /** Starts a run, with the additional arguments of an ordered run. */
  startRun(settings: DaemonSettings, ordered?: OrderedRun): RunProcess
  /**
   * Waits for orders until `stop` is aborted; undefined if the agent does not accept orders. `start` starts a run, and
   * returns false if the daemon already runs.
   */
  obeyOrders?: ((start: (run: OrderedRun) => boolean, stop: AbortSignal) => Promise<void>) | undefined
  /** Called after the PID file is written, to report that the service is ready. */
  started(): Promise<void>
  readonly signals: DaemonSignals
}

/** A listener for the signals that end a process. */
export type EndListener = (signal: 'SIGINT' | 'SIGTERM') => void

/** Registers listeners for the signals of a daemon. */
export interface DaemonSignals {
  /** Registers a listener for SIGINT and SIGTERM. */
  onEnd(listener: EndListener): void
  on(signal: 'SIGUSR1' | 'SIGHUP' | 'SIGUSR2', listener: () => void): void
}

const issues = defineIssues({
  NO_PID_FILE: {
    text: (a: { file: string }) => `Could not create PID file: ${a.file}`,
    hint: () => 'Another agent in the background uses this file.',
  },
})

/**
 * Runs the daemon until it receives a signal to end. It starts a run every `runinterval` seconds or
 * on SIGUSR1. Each run is a child process, so that the daemon itself needs little memory. Returns
 * `restart` if the caller must start the daemon again. Throws NO_PID_FILE.
 */
export async function runDaemon(options: DaemonOptions): Promise<'ended' | 'restart'> {
  const { log } = options
  const { pidfile } = options.load()
  const lock = new FileLock(pidfile, puppetNameHolder)
  if (!(await lock.tryAcquire())) throwIssue(issues.NO_PID_FILE, { file: pidfile })
  try {
    log.notice(`Starting Puppet client version ${puppetVersion}`)
    await options.started()
    return await new Daemon(options).run()
  } finally {
    await lock.release()
  }
}

/** Signals handled after the current run. Puppet: daemon.rb, `set_signal_traps` */
const stored = { SIGHUP: 'restart', SIGUSR1: 'reload', SIGUSR2: 'reopen_logs' } as const

class Daemon {
  readonly #options: DaemonOptions
  readonly #stop = new AbortController()
  readonly #wakeable = new Wakeable()
  readonly #waiting: (keyof typeof stored)[] = []
  #settings: DaemonSettings
  #run: RunProcess | undefined
  #ordered: OrderedRun | undefined

  constructor(options: DaemonOptions) {
    this.#options = options
    this.#settings = options.load()
    const { log, signals } = options
    signals.onEnd((signal) => {
      if (this.#stop.signal.aborted) return this.#run?.tellToEnd(signal)
      log.notice(`Caught ${signal.slice(3)}; exiting`)
      this.#run?.tellToEnd(signal)
      this.#stop.abort()
    })
    for (const signal of Object.keys(stored) as (keyof typeof stored)[])
      signals.on(signal, () => {
        log.notice(`Caught ${signal.slice(3)}; storing ${stored[signal]}`)
        this.#waiting.push(signal)
        this.#wakeable.wake()
      })
  }

  /** Runs until the end or a restart. Orders are accepted meanwhile. */
  async run(): Promise<'ended' | 'restart'> {
    const { obeyOrders, log } = this.#options
    const leave = new AbortController()
    const stop = AbortSignal.any([this.#stop.signal, leave.signal])
    const obeying = obeyOrders?.((run) => this.#accept(run), stop).catch((error: Error) =>
      log.err(`Orders of the server are not accepted: ${error.message}`),
    )
    try {
      return await this.#runRepeatedly()
    } finally {
      this.#ordered?.ended({ begun: false, status: undefined })
      leave.abort()
      await obeying
    }
  }

  /** Starts an ordered run before the next scheduled run. */
  #accept(run: OrderedRun): boolean {
    if (this.#run || this.#ordered || this.#stop.signal.aborted) return false
    this.#ordered = run
    this.#wakeable.wake()
    return true
  }

  async #runRepeatedly(): Promise<'ended' | 'restart'> {
    const stop = this.#stop.signal
    let next = performance.now()
    if (this.#settings.splay) next += Math.floor(Math.random() * (this.#settings.splaylimit + 1)) * 1000
    for (;;) {
      await this.#wakeable.pause(Math.max(0, next - performance.now()) / 1000, stop)
      if (stop.aborted) return 'ended'
      const isTold = this.#processed()
      if (isTold === 'restart') return 'restart'
      const ordered = this.#ordered
      if (!isTold && !ordered && performance.now() < next) continue
      const started = performance.now()
      await this.#runOnce(ordered)
      // A run requested by a signal or an order does not change the times of the scheduled runs.
      if (started >= next) next = started + this.#settings.runinterval * 1000
    }
  }

  /** Handles the stored signals. Returns true if a signal requests a run. */
  #processed(): boolean | 'restart' {
    const { log } = this.#options
    let isTold = false
    for (const signal of this.#waiting.splice(0)) {
      log.notice(`Processing ${stored[signal]}`)
      if (signal === 'SIGHUP' && this.#canLoad()) return 'restart'
      // SIGUSR2 needs no action: a log file is opened for each line, and the syslog daemon owns its
      // own files.
      if (signal === 'SIGUSR1') isTold = true
    }
    return isTold
  }

  /** Reads the settings again. Invalid settings are logged, and the present settings remain. */
  #canLoad(): boolean {
    try {
      this.#settings = this.#options.load()
      return true
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error
      this.#options.log.err(error.message)
      return false
    }
  }

  async #runOnce(ordered: OrderedRun | undefined): Promise<void> {
    this.#canLoad()
    if (ordered) this.#options.log.notice(ordered.description)
    this.#run = this.#options.startRun(this.#settings, ordered)
    const result = await this.#run.ended
    this.#run = undefined
    this.#ordered = undefined
    ordered?.ended(result)
  }
}
