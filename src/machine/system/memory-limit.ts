import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

/** Path of prlimit(1) from util-linux, which sets limits of a process; undefined on systems without it. */
const prlimit = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path))

/**
 * Builds a command whose process may allocate `bytes` of memory, as may each process that it
 * starts. Mapped files do not count. Only the soft limit is set, so that `raiseMemoryLimit` can
 * remove it. Without prlimit, the command runs without a limit.
 */
export function limitMemory(bytes: number, program: string, words: readonly string[]): [string, string[]] {
  return prlimit === undefined ? [program, [...words]] : [prlimit, [`--data=${bytes}:`, program, ...words]]
}

/** Removes the soft limit that this process inherited; a hard limit stays in effect. */
export async function raiseMemoryLimit(): Promise<void> {
  if (prlimit === undefined) return
  await promisify(execFile)(prlimit, ['--pid', String(process.pid), '--data=unlimited:']).catch(() => {})
}
