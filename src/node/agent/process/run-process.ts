import { spawn } from 'node:child_process'
import { startChild } from '../../../base/threads/start-child.ts'
import type { Log } from '../log.ts'
import type { RunProcess } from './daemon.ts'

/** The variable by which a run knows that a daemon began it: it waits for its certificate as long as it takes. */
const runOfDaemon = 'PLUMB_RUN_OF_DAEMON'

/** Message of a run to its daemon: from now on `runtimeout` counts. */
const begun = 'begun'

/** Seconds beyond `runtimeout` after which a run that did not end by itself is killed. */
const graceSeconds = 30

/** Starts one run as a process of its own, not reached by the keys of a terminal: its daemon tells it what they ask. */
export function startRunProcess(command: readonly string[], runtimeout: number, log: Log): RunProcess {
  const [program = '', ...words] = command
  const env = { ...process.env, [runOfDaemon]: String(process.pid) }
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const
  const child = startChild(() => spawn(program, words, { env, detached: true, stdio: [...stdio] }))
  let killer: NodeJS.Timeout | undefined
  child.on('message', (message) => {
    if (message !== begun || runtimeout === 0 || runtimeout === Number.POSITIVE_INFINITY) return
    killer ??= setTimeout(() => child.kill('SIGKILL'), (runtimeout + graceSeconds) * 1000)
  })
  const ended = new Promise<void>((done) => {
    child.once('exit', (_status, signal) => {
      if (signal !== null) log.err(`The run was ended by ${signal}`)
      done()
    })
    child.once('error', ({ message }) => {
      log.err(`Could not run Puppet configuration client: ${message}`)
      done()
    })
  }).finally(() => clearTimeout(killer))
  return { ended, tellToEnd: (signal) => void child.kill(signal) }
}

/** True in a run of a daemon's; what the run starts in turn does not take itself for one. */
export function takesPartInDaemon(env: NodeJS.ProcessEnv = process.env): boolean {
  const is = env[runOfDaemon] === String(process.ppid)
  delete env[runOfDaemon]
  return is
}

/** Tells the daemon, where there is one, that the work of the run has begun. */
export function tellBegun(): void {
  if (process.connected) process.send?.(begun)
}
