import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { startChildProcess } from '../../../base/program/child-process.ts'
import { isWindows } from '../../../machine/windows/machine-path.ts'
import type { Report } from '../../../model/report.ts'
import type { Log } from '../log.ts'
import type { RunProcess } from './daemon.ts'

/**
 * Environment variable with the daemon's process ID. A run with this variable waits for its
 * certificate without a limit.
 */
const runOfDaemon = 'PLUMB_RUN_OF_DAEMON'

/** Message from a run to its daemon after it has taken the lock; the daemon then starts the timeout `runtimeout`. */
const begun = 'begun'

/** Message from a daemon to its run on Windows, where a signal would kill the run: to start no further resource. */
const stop = 'stop'

/** Message from a run to its daemon after its report. */
interface ReportedRun {
  readonly report: string
  readonly codeId: string | undefined
}

/** Milliseconds to wait for the last messages of a run that has exited. */
const lastMessagesMs = 1000

/** Seconds after `runtimeout` before the daemon kills a run that has not ended. */
const graceSeconds = 30

/**
 * Starts a run as a child process in its own process group, which terminal signals (Ctrl-C) do not
 * reach; the daemon forwards them.
 */
export function startRunProcess(
  command: readonly string[],
  { runtimeout, log, onBegun }: { readonly runtimeout: number; readonly log: Log; onBegun?: (() => void) | undefined },
): RunProcess {
  const [program = '', ...words] = command
  const env = { ...process.env, [runOfDaemon]: String(process.pid) }
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const
  const child = startChildProcess(() => spawn(program, words, { env, detached: true, stdio: [...stdio] }))
  let killer: NodeJS.Timeout | undefined
  let isBegun = false
  let reported: ReportedRun | undefined
  child.on('message', (message: unknown) => {
    if (typeof message === 'object') reported = message as ReportedRun
    if (message !== begun) return
    isBegun = true
    onBegun?.()
    if (runtimeout === 0 || runtimeout === Number.POSITIVE_INFINITY) return
    killer ??= setTimeout(() => child.kill('SIGKILL'), (runtimeout + graceSeconds) * 1000)
  })
  const lastMessages = new Promise<void>((done) => child.once('disconnect', done))
  const exited = new Promise<number | undefined>((done) => {
    child.once('exit', (status, signal) => {
      if (signal !== null) log.err(`The run was terminated by ${signal}`)
      done(status ?? undefined)
    })
    child.once('error', ({ message }) => {
      log.err(`Could not run Puppet configuration client: ${message}`)
      done(undefined)
    })
  }).finally(() => clearTimeout(killer))
  const ended = exited.then(async (status) => {
    if (child.connected) await Promise.race([lastMessages, sleep(lastMessagesMs, undefined, { ref: false })])
    return { begun: isBegun, status, ...reported }
  })
  let isToldToEnd = false
  return {
    ended,
    tellToEnd(signal) {
      if (isWindows && !isToldToEnd && child.connected) child.send(stop)
      else child.kill(signal)
      isToldToEnd = true
    },
  }
}

/** True if the parent of this process is a daemon, which exchanges messages with it. */
let isOfDaemon = false

/** True in a run started by a daemon. Clears the variable, so that child processes of the run do not see it. */
export function isDaemonRun(env: NodeJS.ProcessEnv = process.env): boolean {
  isOfDaemon = hasDaemonMark(env)
  delete env[runOfDaemon]
  return isOfDaemon
}

/** Like `isDaemonRun`, but keeps the variable. */
export function hasDaemonMark(env: NodeJS.ProcessEnv = process.env): boolean {
  return env[runOfDaemon] === String(process.ppid)
}

/** Calls `listener` when the daemon, if there is one, requests the end of this run by a message. */
export function onStopMessage(listener: () => void): void {
  if (!isOfDaemon || !process.connected) return
  process.on('message', (message) => {
    if (message === stop) listener()
  })
  // The listener must not keep this process alive.
  process.channel?.unref()
}

/** Notifies the daemon, if there is one, that the run has started its work. */
export function notifyRunStarted(): void {
  sendToDaemon(begun)
}

/** Notifies the daemon, if there is one, of the report of the run. */
export function notifyRunReported({ transaction_uuid: report, code_id: codeId }: Report): void {
  const message: ReportedRun = { report, codeId: codeId ?? undefined }
  sendToDaemon(message)
}

// Another parent, such as a program that starts `plumb agent` with a channel of its own, is sent nothing.
function sendToDaemon(message: ReportedRun | typeof begun): void {
  if (isOfDaemon && process.connected) process.send?.(message)
}
