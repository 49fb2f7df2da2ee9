import type { Settings } from '../../../machine/settings/settings.ts'
import type { System } from '../../../machine/system/system.ts'
import type { Log } from '../log.ts'
import { pause } from './pause.ts'

/** Seconds after the timeout in which to send the report. Work that has not ended by then is abandoned. */
const reportSeconds = 20

/** Settings, system and log of a run. */
export interface TimedRun {
  readonly settings: Pick<Settings, 'runtimeout'>
  readonly system: System
  readonly log: Log
  readonly stop: AbortSignal
}

/**
 * Limits of a run: a system whose commands end at the deadline, and a function that returns true
 * once the run must stop.
 */
export interface RunLimits {
  readonly system: System
  readonly stopRequested: () => boolean
  readonly end?: RunEnd | undefined
}

/** The deadline of a run in Unix milliseconds, and a signal aborted at that time. */
export interface RunEnd {
  readonly at: number
  readonly signal: AbortSignal
}

/**
 * Runs `work` with the timeout `runtimeout`. After the timeout, its programs are killed and no further resource is
 * started. If a resource still does not end, it is abandoned and the caller exits the process.
 */
export async function withRunTimeout<Result>(
  { settings, system, log, stop }: TimedRun,
  work: (limits: RunLimits) => Promise<Result>,
): Promise<Result | 1 | 'abandoned'> {
  const seconds = settings.runtimeout
  if (seconds === 0 || seconds === Number.POSITIVE_INFINITY) return work({ system, stopRequested: () => stop.aborted })
  const over = new AbortController()
  const done = new AbortController()
  const at = system.now() + seconds * 1000
  const working = work({
    system: createDeadlineSystem(system, at),
    end: { at, signal: over.signal },
    stopRequested: () => stop.aborted || over.signal.aborted || system.now() >= at,
  }).finally(() => done.abort())
  const waitForTimeout = async (): Promise<'abandoned' | undefined> => {
    if (await pause(seconds, done.signal)) return undefined
    const message = `Execution of Puppet configuration client did not complete within ${seconds} seconds and was terminated.`
    log.err(message)
    over.abort()
    return (await pause(reportSeconds, done.signal)) ? undefined : 'abandoned'
  }
  const first = await Promise.race([working, waitForTimeout()])
  if (first === 'abandoned') return first
  const result = await working
  return over.signal.aborted ? 1 : result
}

/** A system whose commands are ended at `deadline` (Unix milliseconds). */
function createDeadlineSystem(system: System, deadline: number): System {
  const { commands, now } = system
  return {
    ...system,
    commands: {
      ...commands,
      run(command, options = {}) {
        const left = Math.max(0.1, (deadline - now()) / 1000)
        const { timeout = 0 } = options
        return commands.run(command, { ...options, timeout: timeout > 0 ? Math.min(timeout, left) : left })
      },
    },
  }
}
