import { readFileSync, readlinkSync } from 'node:fs'

/** Where Linux counts the time of this thread, `self/task/…`; nothing on other systems. */
export function ownThread() {
  try {
    return `/proc/${readlinkSync('/proc/thread-self')}/schedstat`
  } catch {
    return undefined
  }
}

/**
 * Milliseconds that a thread has been at work, whoever else is on the machine; else the time of day.
 *
 * @param {string | undefined} thread
 */
export function cpuMs(thread) {
  if (thread === undefined) return performance.now()
  try {
    return Number(readFileSync(thread, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return 0 // it has ended
  }
}
