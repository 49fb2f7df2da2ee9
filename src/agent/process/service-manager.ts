import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startChild } from '../../base/start-child.ts'

/**
 * Tells systemd that the service is up, where systemd asks for it (`Type=notify`): by its own program, as Node has no
 * sockets of datagrams. One that is missing is no reason not to run.
 */
export async function tellServiceManager(...state: readonly string[]): Promise<void> {
  if (!process.env['NOTIFY_SOCKET']) return
  const words = [`--pid=${process.pid}`, ...state]
  const child = startChild(() => spawn('systemd-notify', words, { stdio: 'ignore' }))
  await once(child, 'exit').catch(() => {})
}
