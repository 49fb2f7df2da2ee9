import { beginShortRun, endShortRun } from '../../base/threads/short-run.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { directSystem } from '../../machine/system/local-system.ts'
import { runAgent } from '../../node/agent/agent.ts'
import type { OpenLog } from '../../node/agent/log-destinations.ts'
import type { RunAhead } from '../../node/agent/run-ahead.ts'
import type { ServerPaths } from '../../node/agent/ssl/adopted-certificate.ts'
import type { Io } from '../command/command.ts'
import { whenToldToEnd } from '../command/told-to-end.ts'

/** Settings and voices of one run. */
export interface AgentRun {
  readonly settings: Settings
  /** Paths of the key and certificate of a code server on this machine, to be copied if this host has none. */
  readonly server?: (() => ServerPaths) | undefined
  readonly log: OpenLog
  readonly io: Io
  /** False of a run of a daemon's, which waits for its certificate as long as it takes. */
  readonly once: boolean
  /** True for an environment of the command line. */
  readonly environmentGiven: boolean
  /** The environment that the command line or puppet.conf names. */
  readonly specifiedEnvironment?: string | undefined
  readonly jobId?: string | undefined
  /** Facts and Ruby that were begun while the code of the run was loaded. */
  readonly ahead?: RunAhead | undefined
  /** True for detailed exit codes. */
  readonly detailed: boolean
}

/** One run of the agent in this process; answers its exit status. */
export async function agentRun({ log, io, detailed, ...run }: AgentRun): Promise<number> {
  // A run with Ruby is none, and what Ruby's thread loads was compiled for V8 as it is by itself.
  if (!run.ahead?.threads.areBegun) beginShortRun()
  const stop = new AbortController()
  whenToldToEnd((signal) => {
    // The daemon has said so.
    if (run.once) log.notice(`Caught ${signal.slice(3)}; exiting`)
    stop.abort()
  })
  let status: number | 'abandoned' = 1
  try {
    const say = (text: string) => io.out(`${text}\n`)
    status = await runAgent({ ...run, system: directSystem, log, say, stop: stop.signal })
  } finally {
    await log.close()
    endShortRun()
  }
  // What still hangs would keep the process.
  if (status === 'abandoned') process.exit(1)
  return detailed || status === 1 ? status : 0
}
