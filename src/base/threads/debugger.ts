import { close, url } from 'node:inspector'

/**
 * Prevents signals from opening Node's debugger. By default SIGUSR1 opens it for every user of this
 * machine, who could then run code as this process; and Puppet users expect this signal to mean
 * "run now". Must be imported first. A debugger opened by a signal during Node's startup is closed
 * again.
 */
process.on('SIGUSR1', () => {})

/** True if Node was started with a debugger on purpose. */
const isAskedFor = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].some((word) => word.includes('--inspect'))

/**
 * Delays in milliseconds after which the code checks for a debugger again: another thread of Node handles an early
 * signal and notifies this thread later.
 */
const looksAgainAfterMs = [0, 10, 50, 200, 1000]

function closeDebugger(): void {
  if (url() !== undefined) close()
}

if (!isAskedFor) {
  closeDebugger()
  for (const delay of looksAgainAfterMs) setTimeout(closeDebugger, delay).unref()
}
