import { beginShortRun, endShortRun } from '../../base/threads/short-run.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { directSystem } from '../../machine/system/local-system.ts'
import { runAgent } from '../../node/agent/agent.ts'
import type { OpenLog } from '../../node/agent/log-destinations.ts'
import { onStopMessage } from '../../node/agent/process/run-process.ts'
import type { RunPreparation } from '../../node/agent/run-preparation.ts'
import type { ServerPaths } from '../../node/agent/ssl/server-certificate.ts'
import type { Io } from '../command/command.ts'
import { onTerminationSignal } from '../command/termination-signals.ts'

/** Input of one agent run. */
export interface AgentRun {
  readonly settings: Settings
  /**
   * Paths of the key and certificate of a code server on this machine. The agent copies both files if this host has
   * none.
   */
  readonly server?: (() => ServerPaths) | undefined
  readonly log: OpenLog
  readonly io: Io
  /** False for a run of the daemon, which waits for its certificate indefinitely. */
  readonly once: boolean
  /** True if the command line names the environment. */
  readonly environmentGiven: boolean
  /** The environment from the command line or puppet.conf. */
  readonly specifiedEnvironment?: string | undefined
  readonly jobId?: string | undefined
  /** Fact collection and Ruby threads, both started in advance while the code of the run is loaded. */
  readonly ahead?: RunPreparation | undefined
  /** True to return Puppet's detailed exit codes. */
  readonly detailed: boolean
}

/** Runs the agent once in this process, and returns the exit status. */
export async function runAgentOnce({ log, io, detailed, ...run }: AgentRun): Promise<number> {
  beginShortRun()
  const stop = new AbortController()
  onTerminationSignal((signal) => {
    // The daemon has already logged the signal.
    if (run.once) log.notice(`Caught ${signal.slice(3)}; exiting`)
    stop.abort()
  })
  onStopMessage(() => stop.abort())
  let status: number | 'abandoned' = 1
  try {
    const printLine = (text: string) => io.out(`${text}\n`)
    status = await runAgent({ ...run, system: directSystem, log, say: printLine, stop: stop.signal })
  } finally {
    await log.close()
    endShortRun()
  }
  // Pending work of an abandoned run would keep the process alive.
  if (status === 'abandoned') process.exit(1)
  return detailed || status === 1 ? status : 0
}
