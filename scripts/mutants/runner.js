import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** Milliseconds for each suite, after which a loop without an end counts as noticed. */
const timeoutMs = 60_000

/**
 * Runs suites in one process that keeps the code that did not change; a new one follows it when a change makes it hang.
 */
export function openRunner() {
  const program = fileURLToPath(new URL('vitest.js', import.meta.url))
  const start = () => fork(program, { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const end = (/** @type {import('node:child_process').ChildProcess} */ { pid }) => {
    try {
      // Vitest's own processes are of the same group.
      if (pid !== undefined) process.kill(-pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
  let child = start()
  process.on('exit', () => end(child))
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
  return {
    /**
     * The first of these suites to fail now that a file has changed.
     *
     * @param {readonly string[]} suites
     * @param {string} changed
     * @returns {Promise<string | undefined>}
     */
    async failing(suites, changed) {
      if (suites.length === 0) return
      child.send({ suites, changed })
      const waiting = new AbortController()
      const { signal } = waiting
      const failed = await Promise.race([
        once(child, 'message', { signal }).then(([suites]) => suites),
        once(child, 'exit', { signal }).then(() => undefined),
        setTimeout(timeoutMs * suites.length, undefined, { signal }),
      ]).finally(() => waiting.abort())
      if (failed !== undefined) return failed[0]
      end(child)
      child = start()
      return 'a loop'
    },
    close() {
      end(child)
      child.disconnect()
    },
  }
}
