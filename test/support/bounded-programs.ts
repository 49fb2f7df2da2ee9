import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

// A suite that waits for a program in `spawnSync` or `execFileSync` blocks its process, so that no time limit of a test ends
// it. With this setup file these calls fail after a time.

/** Longer than a test may take, and shorter than the time after which `stall-reporter.ts` kills the process. */
const boundMs = 450_000

type Starter = (file: string, ...rest: readonly unknown[]) => unknown

/** Returns a function that kills the program after the time; the call ends even if a grandchild still has the pipes. */
export function addBound(start: Starter, timeout = boundMs): Starter {
  return (file, ...rest) => {
    const [words, options] = Array.isArray(rest[0]) ? [rest[0], rest[1]] : [[], rest[0]]
    return start(file, words, { timeout, killSignal: 'SIGKILL', ...(options as object | undefined) })
  }
}

/** Setup files are loaded again for each suite of a process, and what they patch stays. */
const here = globalThis as { plumbBounded?: boolean }
if (!here.plumbBounded) {
  here.plumbBounded = true
  const { spawnSync, execFileSync } = childProcess as unknown as Record<string, Starter>
  Object.assign(childProcess, { spawnSync: addBound(spawnSync!), execFileSync: addBound(execFileSync!) })
  syncBuiltinESMExports()
}
