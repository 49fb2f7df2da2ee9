import { isCatalogIssue } from '../../base/issue.ts'
import { puppetVersion } from '../../base/puppet-version.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { FileLock } from '../../machine/system/file-lock.ts'
import { puppetNameHolder } from '../../machine/system/lock-holder.ts'
import type { System } from '../../machine/system/system.ts'
import { createSession } from '../../network/client/session.ts'
import type { TlsContext } from '../../network/client/tls.ts'
import type { DeviceOfRun } from '../../ruby/node/node-machine.ts'
import { formatErrorWithHint } from './error-hints.ts'
import { withFileAccess } from './file-access.ts'
import type { Log } from './log.ts'
import { readDisabledReason } from './process/disabled-lockfile.ts'
import { pause } from './process/pause.ts'
import { createProductionEnvironment, preparationIssues } from './process/production-environment.ts'
import { notifyRunStarted } from './process/run-process.ts'
import { withRunTimeout } from './process/run-timeout.ts'
import { runOnce } from './run.ts'
import type { RunPreparation } from './run-preparation.ts'
import { ensureClientCertificate, StoppedError } from './ssl/bootstrap.ts'
import type { ServerPaths } from './ssl/server-certificate.ts'
import type { SslContext } from './ssl/ssl-context.ts'

/** Settings, system and output of an agent run. */
export interface AgentOptions {
  readonly settings: Settings
  readonly system: System
  readonly log: Log
  /** Returns the paths of the code server's key and certificate, which are copied if this host has none. */
  readonly server?: (() => ServerPaths) | undefined
  readonly environmentGiven: boolean
  /** The environment set on the command line or in puppet.conf. */
  readonly specifiedEnvironment?: string | undefined
  /** Job ID for the catalog request and the report. */
  readonly jobId?: string | undefined
  /** The device to configure, instead of this machine. */
  readonly device?: DeviceOfRun | undefined
  /** Prints a message to the terminal, independent of the log level. */
  say(text: string): void
  /** Aborts waits, and prevents the start of further resources. */
  readonly stop: AbortSignal
  /** True to exit, instead of waiting for a signed certificate or retrying after an error. */
  readonly once: boolean
  /** Facts and Ruby threads started while the code of the run was loaded. */
  readonly ahead?: RunPreparation | undefined
}

/** Folders that a run writes to; only the owner and the group can read them. */
const ownFolders = ['statedir', 'client_datadir', 'clientbucketdir', 'rundir', 'logdir'] as const
/** Folders that every user can read: for monitoring, and for facts collected by other users. */
const readableFolders = ['publicdir', 'libdir'] as const

/**
 * Performs one run under the lock. Returns its exit status: 1 if no run took place, and `abandoned`
 * after a timeout.
 */
export async function runAgent(options: AgentOptions): Promise<number | 'abandoned'> {
  try {
    return await withFileAccess(() => runUnlessDisabled(options))
  } catch (error) {
    if (error instanceof StoppedError) return 1
    const prefix = isCatalogIssue(error, preparationIssues) ? '' : 'Could not run Puppet configuration client: '
    options.log.err(`${prefix}${formatErrorWithHint(error)}`)
    return 1
  }
}

async function runUnlessDisabled(options: AgentOptions): Promise<number | 'abandoned'> {
  const { settings, system, stop, log } = options
  await createProductionEnvironment(settings, system.files, log)
  if (await isRunDisabled(options)) return 1
  if (options.once && settings.splay) {
    const seconds = Math.floor(Math.random() * (settings.splaylimit + 1))
    log.info(`Sleeping for ${seconds} seconds (splay is enabled)`)
    if ((await pause(seconds, stop)) || (await isRunDisabled(options))) return 1
  }
  for (const name of ownFolders) await system.files.makeDirectory(settings[name], 0o750)
  for (const name of readableFolders) await system.files.makeDirectory(settings[name], 0o755)
  if (settings.agent_root !== '') await system.files.makeDirectory(settings.agent_root)
  const { tls } = await obtainCertificate(options)
  const lock = new FileLock(settings.agent_catalog_run_lockfile, puppetNameHolder)
  if (!(await acquireRunLock(lock, options))) return 1
  try {
    return (await isRunDisabled(options)) ? 1 : await runInSession(options, tls)
  } finally {
    await lock.release()
  }
}

async function isRunDisabled({ settings, system, log }: AgentOptions): Promise<boolean> {
  const reason = await readDisabledReason(system.files, settings.agent_disabled_lockfile)
  if (reason === undefined) return false
  const message = `Skipping run of Puppet configuration client; administratively disabled (Reason: '${reason}');\nUse 'plumb agent --enable' to re-enable.`
  log.notice(message)
  return true
}

function obtainCertificate({ settings, server, system, log, say, once, stop }: AgentOptions): Promise<SslContext> {
  return ensureClientCertificate({
    settings,
    server,
    system,
    puppetVersion,
    say,
    onetime: once,
    stop,
    log: (level, message) => log[level](message),
  })
}

async function acquireRunLock(lock: FileLock, { settings, log, system, stop }: AgentOptions): Promise<boolean> {
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
    const wait = 'waiting for running instance to finish.'
    log.info(`Another puppet instance is already running; --waitforlock flag used, ${wait}`)
    log.info(`Will try again in ${settings.waitforlock} seconds.`)
    if (await pause(settings.waitforlock, stop)) return false
  }
}

async function runInSession(options: AgentOptions, tls: TlsContext): Promise<number | 'abandoned'> {
  const { settings, log } = options
  const warn = (message: string) => log.warning(message)
  const session = createSession({ settings, tls, puppetVersion, warn })
  notifyRunStarted()
  return withRunTimeout(options, async (limits) => {
    try {
      return await runOnce({ ...options, ...limits, session })
    } finally {
      await session.close()
    }
  })
}
