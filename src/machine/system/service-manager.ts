import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startChild } from '../../base/threads/start-child.ts'

/**
 * Tells systemd of the state of the service, where systemd asks for it (`Type=notify`): by its own program, as Node has no
 * sockets of datagrams. One that is missing is no reason not to run. sd_notify(3).
 */
export async function tellServiceManager(...state: readonly string[]): Promise<void> {
  if (!process.env['NOTIFY_SOCKET']) return
  const words = [`--pid=${process.pid}`, ...state]
  const child = startChild(() => spawn('systemd-notify', words, { stdio: 'ignore' }))
  await once(child, 'exit').catch(() => {})
}

/** The state of a service that begins to read its configuration again; `--ready` ends it. */
export function reloadingState(): readonly string[] {
  // Of CLOCK_MONOTONIC, as systemd wants it.
  return ['RELOADING=1', `MONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`]
}

/** A watchdog of systemd that is fed. */
export interface Watchdog {
  close(): void
}

/**
 * Feeds the watchdog of systemd (`WatchdogSec=`), where there is one: twice in its time, from the event loop, so that one
 * that stands still starves it, and only while `isHealthy`. systemd then ends and restarts the service.
 */
export function feedWatchdog(isHealthy: () => boolean): Watchdog {
  const micros = Number(process.env['WATCHDOG_USEC'] ?? 0)
  const isOurs = (process.env['WATCHDOG_PID'] ?? String(process.pid)) === String(process.pid)
  if (!isOurs || !Number.isSafeInteger(micros) || micros <= 0) return { close: () => {} }
  const timer = setInterval(() => {
    if (isHealthy()) void tellServiceManager('WATCHDOG=1')
  }, micros / 2000)
  timer.unref()
  return { close: () => clearInterval(timer) }
}
