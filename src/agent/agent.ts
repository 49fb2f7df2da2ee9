import { setTimeout as sleep } from 'node:timers/promises'
import { puppetVersion } from '../base/puppet-version.ts'
import { createSession } from '../client/session.ts'
import type { Settings } from '../settings/settings.ts'
import { FileLock } from '../system/file-lock.ts'
import { asPuppetNamesIt } from '../system/lock-holder.ts'
import type { System } from '../system/system.ts'
import { asOwner } from './as-owner.ts'
import { disabledReason } from './disabled.ts'
import { explained } from './explain.ts'
import type { Log } from './log.ts'
import { runOnce } from './run.ts'
import { ensureClientCertificate } from './ssl/bootstrap.ts'

/** An agent's settings, machine and voices. */
export interface AgentOptions {
  readonly settings: Settings
  readonly system: System
  readonly log: Log
  readonly environmentGiven: boolean
  /** Said to a person, whatever the log level. */
  say(text: string): void
  readonly stopRequested: () => boolean
}

/** The folders that a run writes to. */
const folders = ['statedir', 'publicdir', 'libdir', 'client_datadir', 'clientbucketdir', 'rundir', 'logdir'] as const

/** One run under the lock; answers its exit status, 1 when there was none. */
export async function runAgent(options: AgentOptions): Promise<number> {
  try {
    return await asOwner(() => runUnlessForbidden(options))
  } catch (error) {
    options.log.err(`Could not run Puppet configuration client: ${explained(error)}`)
    return 1
  }
}

async function runUnlessForbidden(options: AgentOptions): Promise<number> {
  const { settings, system, log } = options
  const reason = await disabledReason(system.files, settings.agent_disabled_lockfile)
  if (reason !== undefined) {
    const message = `Skipping run of Puppet configuration client; administratively disabled (Reason: '${reason}');\nUse 'plumb agent --enable' to re-enable.`
    log.notice(message)
    return 1
  }
  for (const name of folders) await system.files.makeDirectory(settings[name], 0o750)
  if (settings.agent_root !== '') await system.files.makeDirectory(settings.agent_root)
  const lock = new FileLock(settings.agent_catalog_run_lockfile, asPuppetNamesIt)
  if (!(await acquire(lock, options))) return 1
  try {
    return await underLock(options)
  } finally {
    await lock.release()
  }
}

async function acquire(lock: FileLock, { settings, log, system }: AgentOptions): Promise<boolean> {
  const deadline = system.now() + settings.maxwaitforlock * 1000
  for (;;) {
    if (await lock.tryAcquire()) return true
    const path = settings.agent_catalog_run_lockfile
    if (settings.waitforlock === 0) {
      const message = `Run of Puppet configuration client already in progress; skipping  (${path} exists)`
      log.notice(message)
      return false
    }
    if (system.now() >= deadline) {
      log.notice('Exiting now because the maxwaitforlock timeout has been exceeded.')
      return false
    }
    log.info(`Will try again in ${settings.waitforlock} seconds.`)
    await sleep(settings.waitforlock * 1000)
  }
}

async function underLock(options: AgentOptions): Promise<number> {
  const { settings, system, log, say } = options
  const context = await ensureClientCertificate({
    settings,
    system,
    puppetVersion,
    say,
    onetime: settings.onetime,
    log: (level, message) => log[level](message),
  })
  const warn = (message: string) => log.warning(message)
  const session = createSession({ settings, tls: context.tls, puppetVersion, warn })
  try {
    return await runOnce({ ...options, session })
  } finally {
    await session.close()
  }
}

/** Wakes who sleeps between two runs. */
export class RunNow {
  #isWanted = false
  #wake = () => {}

  /** Ends the pause at once; while a run is under way, there is no pause after it. */
  ask(): void {
    this.#isWanted = true
    this.#wake()
  }

  /** Sleeps, unless or until it is told to stop or to run. */
  async pause(seconds: number, stop: AbortSignal): Promise<void> {
    const woken = new AbortController()
    this.#wake = () => woken.abort()
    const signal = AbortSignal.any([stop, woken.signal])
    if (!this.#isWanted) await sleep(seconds * 1000, undefined, { signal }).catch(() => {})
    this.#isWanted = false
  }
}

/** Runs again and again, `runinterval` apart or when it is told to, until it is asked to stop. */
export async function runForever(options: AgentOptions, stop: AbortSignal, now: RunNow = new RunNow()): Promise<void> {
  const { settings, log } = options
  if (settings.splay) {
    const seconds = Math.floor(Math.random() * settings.splaylimit)
    log.info(`Sleeping for ${seconds} seconds (splay is enabled)`)
    await now.pause(seconds, stop)
  }
  while (!stop.aborted) {
    const started = performance.now()
    await runAgent(options)
    await now.pause(Math.max(0, settings.runinterval - (performance.now() - started) / 1000), stop)
  }
}
