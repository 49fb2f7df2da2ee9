import { spawn } from 'node:child_process'
import { startChildProcess } from '../../../base/threads/child-process.ts'
import type { Log } from '../log.ts'
import type { RunProcess } from './daemon.ts'

/**
 * Environment variable with the daemon's process ID. A run with this variable waits for its
 * certificate without a limit.
 */
const runOfDaemon = 'PLUMB_RUN_OF_DAEMON'

/** Message from a run to its daemon; the daemon then starts the timeout `runtimeout`. */
const begun = 'begun'

/** Seconds after `runtimeout` before the daemon kills a run that has not ended. */
const graceSeconds = 30

/**
 * Starts a run as a child process in its own process group, which terminal signals (Ctrl-C) do not
 * reach; the daemon forwards them.
 */
export function startRunProcess(command: readonly string[], runtimeout: number, log: Log): RunProcess {
  const [program = '', ...words] = command
  const env = { ...process.env, [runOfDaemon]: String(process.pid) }
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const
  const child = startChildProcess(() => spawn(program, words, { env, detached: true, stdio: [...stdio] }))
  let killer: NodeJS.Timeout | undefined
  child.on('message', (message) => {
    if (message !== begun || runtimeout === 0 || runtimeout === Number.POSITIVE_INFINITY) return
    killer ??= setTimeout(() => child.kill('SIGKILL'), (runtimeout + graceSeconds) * 1000)
  })
  const ended = new Promise<void>((done) => {
    child.once('exit', (_status, signal) => {
      if (signal !== null) log.err(`The run was terminated by ${signal}`)
      done()
    })
    child.once('error', ({ message }) => {
      log.err(`Could not run Puppet configuration client: ${message}`)
      done()
    })
  }).finally(() => clearTimeout(killer))
  return { ended, tellToEnd: (signal) => void child.kill(signal) }
}

/** True in a run started by a daemon. Clears the variable, so that child processes of the run do not see it. */
export function isDaemonRun(env: NodeJS.ProcessEnv = process.env): boolean {
  const is = env[runOfDaemon] === String(process.ppid)
  delete env[runOfDaemon]
  return is
}

/** Notifies the daemon, if there is one, that the run has started its work. */
export function notifyRunStarted(): void {
  if (process.connected) process.send?.(begun)
}
