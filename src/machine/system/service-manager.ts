import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startChildProcess } from '../../base/program/child-process.ts'

/**
 * Notifies systemd of the state of a service with `Type=notify`. Runs the program systemd-notify,
 * as Node.js does not support Unix datagram sockets. If the program is missing, nothing happens.
 * sd_notify(3).
 */
export async function notifyServiceManager(...state: readonly string[]): Promise<void> {
  if (!process.env['NOTIFY_SOCKET']) return
  const words = [`--pid=${process.pid}`, ...state]
  const child = startChildProcess(() => spawn('systemd-notify', words, { stdio: 'ignore' }))
  await once(child, 'exit').catch(() => {})
}

/** The state of a service that is reloading its configuration; `--ready` ends this state. */
export function getReloadingState(): readonly string[] {
  // systemd requires a timestamp from CLOCK_MONOTONIC.
  return ['RELOADING=1', `MONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`]
}

/** An active systemd watchdog of this service. */
export interface Watchdog {
  close(): void
}

/**
 * Notifies systemd's watchdog (`WatchdogSec=`), if configured, twice per interval while `isHealthy`
 * returns true. The notifications are sent from the event loop, so that systemd restarts the
 * service if the event loop is blocked.
 */
export function feedWatchdog(isHealthy: () => boolean): Watchdog {
  const micros = Number(process.env['WATCHDOG_USEC'] ?? 0)
  const isOurs = (process.env['WATCHDOG_PID'] ?? String(process.pid)) === String(process.pid)
  if (!isOurs || !Number.isSafeInteger(micros) || micros <= 0) return { close: () => {} }
  const timer = setInterval(() => {
    if (isHealthy()) void notifyServiceManager('WATCHDOG=1')
  }, micros / 2000)
  timer.unref()
  return { close: () => clearInterval(timer) }
}
