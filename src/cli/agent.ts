import { type AgentOptions, RunNow, runAgent, runForever } from '../agent/agent.ts'
import { disable, enable } from '../agent/disabled.ts'
import type { Log } from '../agent/log.ts'
import { openLog } from '../agent/log-destinations.ts'
import { loadSettings, type Settings } from '../settings/settings.ts'
import { localSystem } from '../system/local-system.ts'
import { defineCommand, type Invocation } from './command.ts'
import { logdestOf, logdestOption } from './logdest.ts'
import type { Option } from './options.ts'
import { whenToldToEnd } from './told-to-end.ts'

/** Settings that `--test` stands for. */
const test = { usecacheonfailure: 'false', splay: 'false', show_diff: 'true', daemonize: 'false', onetime: 'true' }

const agentRunOptions = [
  { flags: '-t, --test', doc: 'Run once in the foreground, say more, and answer detailed exit codes.' },
  { flags: '--detailed-exitcodes', doc: 'Answer 2 for changes, 4 for failures, 6 for both.' },
  { flags: '--disable [message]', doc: 'Forbid runs until --enable.' },
  { flags: '--enable', doc: 'Allow runs again.' },
  logdestOption,
] as const satisfies readonly Option[]

/** `plumb agent` */
export const agent = defineCommand({
  name: 'agent',
  summary: 'Fetches the catalog of this node and applies it.',
  description: `Gets a certificate when there is none, fetches plug-ins and the catalog, applies it and sends a report; once with --test
or --onetime, otherwise every runinterval, in the foreground (a service manager keeps it in the background). SIGUSR1 has
it run now.
With --test or --detailed-exitcodes the exit status is 0 for no changes, 2 for changes, 4 for failures, 6 for both, and
1 when there was no run.`,
  options: agentRunOptions,
  async run(invocation) {
    const { options, settings: given, io } = invocation
    const settings = loadSettings({ given: { ...(options.test ? test : {}), ...given }, runMode: 'agent' })
    if (options.disable || options.enable) return setDisabled(settings, options)
    const least = options.debug ? 'debug' : options.verbose || options.test ? 'info' : settings.log_level
    const log = await openLog({ ...logdestOf(settings, options), least, name: 'puppet-agent', console: io })
    try {
      return await runWith(log, settings, invocation)
    } finally {
      await log.close()
    }
  },
})

type AgentInvocation = Invocation<typeof agentRunOptions>

async function runWith(
  log: Log,
  settings: Settings,
  { options, settings: given, io }: AgentInvocation,
): Promise<number> {
  const stop = new AbortController()
  whenToldToEnd((signal) => {
    log.notice(`Caught ${signal.slice(3)}; exiting`)
    stop.abort()
  })
  const now = new RunNow()
  process.on('SIGUSR1', () => {
    log.notice('Caught USR1; storing reload')
    now.ask()
  })
  const agentOptions: AgentOptions = {
    settings,
    system: localSystem,
    log,
    environmentGiven: given.environment !== undefined,
    say: (text) => io.out(`${text}\n`),
    stopRequested: () => stop.signal.aborted,
  }
  if (!settings.onetime) {
    await runForever(agentOptions, stop.signal, now)
    return 0
  }
  const status = await runAgent(agentOptions)
  return options.test || options.detailedExitcodes ? status : status === 1 ? 1 : 0
}

async function setDisabled(settings: Settings, options: AgentInvocation['options']): Promise<number> {
  const { files } = localSystem
  const path = settings.agent_disabled_lockfile
  if (options.enable) await enable(files, path)
  else {
    await files.makeDirectory(settings.statedir, 0o750)
    await disable(files, path, typeof options.disable === 'string' ? options.disable : 'reason not specified')
  }
  return 0
}
