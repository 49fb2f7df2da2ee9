import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

/** The program of util-linux that sets limits of a process, prlimit(1); undefined on systems without it. */
const prlimit = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path))

/**
 * A command whose process may allocate `bytes` of memory, as may each process that it starts. Mapped files do not
 * count. Only the soft limit is set, which `raiseMemoryLimit` removes. Without prlimit the command is not limited.
 */
export function limitMemory(bytes: number, program: string, words: readonly string[]): [string, string[]] {
  return prlimit === undefined ? [program, [...words]] : [prlimit, [`--data=${bytes}:`, program, ...words]]
}

/** Removes the soft limit that this process inherited; a hard limit remains. */
export async function raiseMemoryLimit(): Promise<void> {
  if (prlimit === undefined) return
  await promisify(execFile)(prlimit, ['--pid', String(process.pid), '--data=unlimited:']).catch(() => {})
}
