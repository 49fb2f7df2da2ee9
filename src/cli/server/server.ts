import { setTimeout as sleep } from 'node:timers/promises'
import { limitHeapGrowth } from '../../base/threads/heap-growth.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { listServerConfWarnings, loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { ProgramStarter } from '../../machine/system/program-starter.ts'
import { feedWatchdog, getReloadingState, notifyServiceManager } from '../../machine/system/service-manager.ts'
import { createProductionEnvironment } from '../../node/agent/process/production-environment.ts'
import { type CodeServer, startCodeServer } from '../../server/code-server.ts'
import { checkPortAvailable } from '../../server/https/listen.ts'
import { createServerLogger, type ServerLog } from '../../server/logger.ts'
import { formatNothingServed } from '../code/status.ts'
import { defineCommand } from '../command/command.ts'
import { printDiagnostic } from '../command/messages.ts'
import { onTerminationSignal } from '../command/termination-signals.ts'
import { version } from '../command/version.ts'
import { serverAuth } from './auth.ts'
import { serverStatus } from './status.ts'

/** The command `plumb server`. */
export const serverCommand = defineCommand({
  name: 'server',
  summary: 'Run the code server, which serves catalogs, files and certificates from environments in Git.',
  description: `Runs in the foreground, and prints a line when it accepts requests. Logs go to standard error, or to the file of
--logdest. The first start creates a certificate authority and a certificate for this host.

  plumb server --repo /srv/code.git
  plumb server                        # code_repo, or the directories of environmentpath
  plumb server --code_sources /etc/puppetlabs/r10k/r10k.yaml   # remote repositories, fetched on an interval

SIGTERM and SIGINT stop the server when shutdown_delay is over and the requests in progress are complete; until then,
its status is "stopping". SIGHUP reloads settings, auth.conf, certificates and revocation lists and reopens the logs,
without dropping a request; if a file cannot be read, the server logs the error and keeps the previous content. SIGUSR2
reopens the logs, for logrotate. Exits with 0 after a signal, or with 1 if the server cannot start.`,
  commands: [serverAuth, serverStatus],
  options: [{ flags: '--repo <path>', doc: 'Bare Git repository to serve; overrides code_repo.' }],
  async run({ options, settings: settingsGiven, io }) {
    const given = options.repo !== undefined ? { ...settingsGiven, code_repo: options.repo } : settingsGiven
    const readSettings = () => loadSettings({ given, runMode: 'server' })
    const settings = readSettings()
    for (const remark of listServerConfWarnings({ given })) printDiagnostic(remark, io)
    await checkPortAvailable(settings)
    limitHeapGrowth()
    const told = new Promise<void>((done) => onTerminationSignal(() => done()))
    const logs = createServerLogger(settings)
    const { log } = logs
    // Node exits with status 1 and prints the stack on standard error, because the state is unknown. Log the error also.
    process.on('uncaughtExceptionMonitor', (error, origin) => log.fatal({ err: error }, `ended by an ${origin}`))
    const printProgress = (message: string) => io.err(`${message}\n`)
    // Installed before the start: without a listener, SIGHUP ends the process.
    const signals = listenForSignals(logs)
    const commands = new ProgramStarter()
    const system = { ...localSystem, commands }
    await createProductionFolder(settings, log)
    const running = await startCodeServer({
      settings,
      readSettings,
      given,
      system,
      log,
      version,
      progress: printProgress,
    })
    const { environments } = running
    const count = (await environments.list()).length
    const from = settings.code_repo === '' ? settings.environmentpath.join(':') : settings.code_repo
    const noun = count === 1 ? 'environment' : 'environments'
    const served = `serving ${count} ${noun} from ${from} on ${running.url}`
    io.out(`Plumbline ${version} ${served}\n`)
    if (count === 0 && environments.trouble === undefined && (await environments.status()).length === 0)
      printProgress(formatNothingServed(settings.code_repo || undefined, settings))
    await notifyServiceManager('--ready', `--status=${served}`)
    const watchdog = feedWatchdog(() => running.isListening())
    signals.started(running)
    await told
    watchdog.close()
    await notifyServiceManager('STOPPING=1')
    running.announceEnd()
    await sleep(settings.shutdown_delay * 1000)
    await running.close()
    commands.close()
    await new Promise<void>((done) => log.flush(() => done()))
    return 0
  },
})

/** Creates the directory of the environment production as Puppet Server does; an error does not prevent the start. */
async function createProductionFolder(settings: Settings, log: ServerLog['log']): Promise<void> {
  try {
    await createProductionEnvironment(settings, localSystem.files, { notice: (line) => log.info(line) })
  } catch (error) {
    log.warn(formatError(error))
  }
}

/** Handles SIGHUP and SIGUSR2. A SIGHUP during the start is handled after the start. */
function listenForSignals({ log, reopen }: ServerLog): { started(server: CodeServer): void } {
  let running: CodeServer | undefined
  let isToldToReload = false
  process.on('SIGUSR2', () => {
    reopen()
    running?.reopenLogs()
    log.info('reopened the logs')
  })
  const reloadServer = async (server: CodeServer) => {
    reopen()
    await notifyServiceManager(...getReloadingState())
    try {
      await server.reload()
      log.info('reloaded')
    } catch (error) {
      log.error(`could not reload; the previous configuration stays in effect: ${formatError(error)}`)
    }
    await notifyServiceManager('--ready')
  }
  process.on('SIGHUP', () => {
    if (running) void reloadServer(running)
    else isToldToReload = true
  })
  return {
    started(server) {
      running = server
      if (isToldToReload) void reloadServer(server)
    },
  }
}
