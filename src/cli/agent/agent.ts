import { resolve } from 'node:path'
import { programCommand } from '../../base/program/program-command.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { settingDefinitions } from '../../machine/settings/definitions/index.ts'
import { isSetting, loadSettings, type Settings, toCommandLineArguments } from '../../machine/settings/settings.ts'
import { getSpecifiedEnvironment } from '../../machine/settings/specified-environment.ts'
import { localFiles } from '../../machine/system/files.ts'
import { notifyServiceManager } from '../../machine/system/service-manager.ts'
import { isWindows } from '../../machine/windows/machine-path.ts'
import { type OpenLog, openLog, systemLogDestination } from '../../node/agent/log-destinations.ts'
import { type DaemonSignals, type EndListener, runDaemon } from '../../node/agent/process/daemon.ts'
import { disableRuns, enableRuns } from '../../node/agent/process/disabled-lockfile.ts'
import { isDaemonRun, startRunProcess } from '../../node/agent/process/run-process.ts'
import { requireTrustedFolders } from '../../node/agent/process/trusted-folders.ts'
import { notifyParentProcess, startInBackground } from '../command/background-process.ts'
import { type CommandInvocation, defineCommand } from '../command/command.ts'
import { getLogDestinations, logdestOption } from '../command/logdest.ts'
import { printMessage } from '../command/messages.ts'
import { type Option, runExitcodes } from '../command/options.ts'
import { onTerminationSignal } from '../command/termination-signals.ts'

/** Settings implied by `--test`. */
const test = { usecacheonfailure: 'false', splay: 'false', show_diff: 'true', daemonize: 'false', onetime: 'true' }

const agentRunOptions = [
  { flags: '-t, --test', doc: 'Run once in the foreground with verbose output and detailed exit codes.' },
  runExitcodes,
  { flags: '--disable [message]', doc: "Disable runs until 'plumb agent --enable'. The message is the reason." },
  { flags: '--enable', doc: 'Enable runs.' },
  { flags: '--fingerprint', doc: 'Print the fingerprint of the certificate or its request, and exit.' },
  { flags: '--digest <name>', doc: 'Digest for --fingerprint: MD5, SHA1, SHA256 or SHA512.', default: 'SHA256' },
  { flags: '--job-id <id>', doc: 'Job ID recorded in the catalog request and report of this run.' },
  { flags: '-f, --fqdn <name>', doc: 'Alias of --certname.' },
  { flags: '--configprint <names>', doc: 'Print settings (separated by commas, or all), and exit.' },
  { flags: '--genconfig', doc: 'Print all settings in the format of puppet.conf, and exit.' },
  logdestOption,
] as const satisfies readonly Option[]

/** The parsed command line of `plumb agent`. */
export type AgentInvocation = CommandInvocation<typeof agentRunOptions>

/** The command `plumb agent`. */
export const agentCommand = defineCommand({
  name: 'agent',
  summary: 'Fetch the catalog of this node and apply it.',
  description: `Requests a certificate if this host has none, downloads plug-ins and the catalog, applies the catalog and sends a
report. With --test or --onetime, runs once. Otherwise, a daemon starts a run every runinterval, in the background or
with --no-daemonize in the foreground. SIGUSR1 starts a run, SIGHUP restarts the daemon, SIGTERM stops it.

With --test or --detailed-exitcodes, exits with 0 for no changes, 2 for changes, 4 for failures, 6 for both, or 1 if the
run did not take place. -D, -o and -w SECONDS are short for --daemonize, --onetime and --waitforcert.`,
  options: agentRunOptions,
  letters: { '-D': 'daemonize', '-o': 'onetime', '-w': 'waitforcert' },
  async run(invocation) {
    const { options, io } = invocation
    const settings = loadAgentSettings(invocation)
    if (options.configprint !== undefined || options.genconfig) return printAgentSettings(settings, options, io)
    if (options.fingerprint) {
      const { readHostFingerprint } = await import('../connection/host-fingerprint.ts')
      io.out(`${await readHostFingerprint(settings, options.digest)}\n`)
      return 0
    }
    if (options.disable || options.enable) return setAgentDisabled(settings, options)
    requireTrustedFolders(settings)
    const isOfDaemon = isDaemonRun()
    if (settings.onetime || isOfDaemon) {
      // Imported for a run only, to keep the daemon process small.
      const { startRunPreparation } = await import('../../node/agent/run-preparation.ts')
      const ahead = await startRunPreparation(settings)
      const { runAgentOnce } = await import('./agent-run.ts')
      const log = await openAgentLog(settings, invocation)
      const run = {
        settings,
        server: () => loadSettings({ given: invocation.settings, runMode: 'server' }),
        log,
        once: !isOfDaemon,
        environmentGiven: invocation.settings.environment !== undefined,
        specifiedEnvironment: getSpecifiedEnvironment(settings, { given: invocation.settings, runMode: 'agent' }),
        jobId: options.jobId,
        ahead,
      }
      return runAgentOnce({ ...run, detailed: options.test === true || options.detailedExitcodes === true, io })
    }
    if (!settings.daemonize) return runAgentDaemon(invocation)
    const logdest = getLogDestinations(settings, options).logdest || systemLogDestination
    const command = [
      ...programCommand,
      'agent',
      '--no-daemonize',
      ...buildChildArguments(invocation),
      '--logdest',
      logdest,
    ]
    const trouble = await startInBackground(command)
    if (trouble !== undefined) printMessage('Error', `Could not start: ${trouble}`, io)
    return trouble === undefined ? 0 : 1
  },
})

/** Prints settings. Imports the printer on demand, because a run does not need it. */
async function printAgentSettings(
  settings: Settings,
  { configprint }: AgentInvocation['options'],
  io: AgentInvocation['io'],
): Promise<number> {
  const { printConfiguration, printSettings } = await import('../config/config.ts')
  return configprint === undefined
    ? printConfiguration(settings, 'agent', io)
    : printSettings(settings, configprint.split(','), io)
}

/** Loads the settings. Throws if a setting is invalid. */
function loadAgentSettings({ options, settings: given }: AgentInvocation): Settings {
  const name: Record<string, string> = options.fqdn === undefined ? {} : { certname: options.fqdn }
  return loadSettings({ given: { ...(options.test ? test : {}), ...given, ...name }, runMode: 'agent' })
}

function openAgentLog(settings: Settings, { options, io }: AgentInvocation): Promise<OpenLog> {
  const least = options.debug ? 'debug' : options.verbose || options.test ? 'info' : settings.log_level
  return openLog({ ...getLogDestinations(settings, options), least, name: 'puppet-agent', console: io })
}

/** The given settings and options as arguments for a child process, with absolute paths. */
function buildChildArguments({ options, settings }: AgentInvocation): string[] {
  const here = Object.entries(settings).map(([name, value]) => [name, resolveSettingPath(name, value)] as const)
  const given = toCommandLineArguments(Object.fromEntries(here))
  const flags = [options.debug && '--debug', options.verbose && '--verbose'].filter((word) => typeof word === 'string')
  return [...given, ...(options.fqdn === undefined ? [] : ['--fqdn', options.fqdn]), ...flags]
}

function resolveSettingPath(name: string, value: string): string {
  const expects = isSetting(name) ? settingDefinitions[name].kind.expects : ''
  const isPath =
    expects === settingDefinitions.confdir.kind.expects || expects === settingDefinitions.config.kind.expects
  return isPath && value !== '' && !value.startsWith('$') ? resolve(value) : value
}

/** Runs the daemon, and restarts it on SIGHUP. */
async function runAgentDaemon(invocation: AgentInvocation): Promise<number> {
  const signals = new Signals()
  for (;;) {
    const end = await runUntilSignal(invocation, signals).catch((error: unknown) => {
      notifyParentProcess(formatError(error))
      throw error
    })
    if (end === 'ended') return 0
  }
}

async function runUntilSignal(invocation: AgentInvocation, signals: Signals): Promise<'ended' | 'restart'> {
  const settings = loadAgentSettings(invocation)
  const log = await openAgentLog(settings, invocation)
  const { logdest } = invocation.options
  const once = ['--onetime', '--no-splay', ...(logdest ?? []).flatMap((each) => ['--logdest', each])]
  const command = [...programCommand, 'agent', ...buildChildArguments(invocation), ...once]
  const leave = new AbortController()
  try {
    await localFiles.makeDirectory(settings.rundir, 0o755)
    return await runDaemon({
      load: () => loadAgentSettings(invocation),
      log,
      startRun: ({ runtimeout }, ordered) =>
        startRunProcess([...command, ...(ordered?.words ?? [])], { runtimeout, log, onBegun: ordered?.begun }),
      obeyOrders:
        settings.orders === 'none'
          ? undefined
          : async (start, stop) => {
              // Imported after the start of the service, which it would delay.
              const { obeyOrders } = await import('../../node/agent/orders/open-orders.ts')
              const { localSystem } = await import('../../machine/system/local-system.ts')
              return obeyOrders({ settings, system: localSystem, log, start, stop })
            },
      async started() {
        if (isWindows) await signals.readFrom(settings.pidfile, leave.signal)
        notifyParentProcess()
        await notifyServiceManager('--ready')
      },
      signals,
    })
  } finally {
    leave.abort()
    await log.close()
  }
}

/** Forwards each signal to the most recent listener only: every restart of the daemon adds a listener. */
class Signals implements DaemonSignals {
  #end: EndListener = () => {}
  readonly #others = new Map<NodeJS.Signals, () => void>()

  constructor() {
    const forwardEnd: EndListener = (signal) => this.#end(signal)
    onTerminationSignal(forwardEnd, forwardEnd)
    for (const signal of ['SIGUSR1', 'SIGHUP', 'SIGUSR2'] as const)
      process.on(signal, () => this.#others.get(signal)?.())
  }

  /** Treats requests by files as signals until `leave` is aborted. */
  async readFrom(pidfile: string, leave: AbortSignal): Promise<void> {
    const { removeRequests, watchRequests, daemonRequests } = await import('../../node/agent/process/request-files.ts')
    await removeRequests(pidfile)
    void watchRequests(pidfile, leave, (request) => {
      const signal = daemonRequests[request]
      if (signal === 'SIGTERM') this.#end(signal)
      else this.#others.get(signal)?.()
    })
  }

  onEnd(listener: EndListener): void {
    this.#end = listener
  }

  on(signal: NodeJS.Signals, listener: () => void): void {
    this.#others.set(signal, listener)
  }
}

async function setAgentDisabled(settings: Settings, options: AgentInvocation['options']): Promise<number> {
  const path = settings.agent_disabled_lockfile
  if (options.enable) await enableRuns(localFiles, path)
  else {
    await localFiles.makeDirectory(settings.statedir, 0o750)
    await disableRuns(localFiles, path, typeof options.disable === 'string' ? options.disable : 'reason not specified')
  }
  return 0
}
