import { close, url } from 'node:inspector'

/**
 * No signal opens Node's debugger. By itself Node opens it for SIGUSR1, to everybody on this machine, who then runs what he
 * likes as this process; and to Puppet's hands this signal means "run now". Imported before anything else. What comes
 * before it, while Node itself starts, opens a debugger that is closed again as soon as it shows.
 */
process.on('SIGUSR1', () => {})

/** Whoever starts Node with a debugger wants one. */
const isAskedFor = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].some((word) => word.includes('--inspect'))

/** A signal that came before us is heard by Node's own thread, which tells this one some moments later. Milliseconds. */
const looksAgainAfterMs = [0, 10, 50, 200, 1000]

function closeDebugger(): void {
  if (url() !== undefined) close()
}

if (!isAskedFor) {
  closeDebugger()
  for (const delay of looksAgainAfterMs) setTimeout(closeDebugger, delay).unref()
}
