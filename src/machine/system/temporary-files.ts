import { join } from 'node:path'
import type { Files } from './system.ts'

/**
 * Pattern for the names of temporary files that `Files.write` and `FileLock` create. No other file
 * has such a name.
 */
const temporary = /^(\..*\.[0-9a-f]{12}\.tmp|\.lock(\.break)?\.[0-9a-f]{12})$/s

/**
 * Milliseconds after which a temporary file is considered abandoned. Even on the slowest disk, a
 * write takes only minutes.
 */
const abandonedMs = 3_600_000

/**
 * Milliseconds after which a temporary file of an agent run is considered abandoned, so that the next run removes it:
 * the maximum pause while a streamed file is written, for example until a server sends its response.
 */
export const pausedMs = 600_000

/** Removes temporary files of killed processes from a directory. Returns true if no temporary file remains. */
export async function removeTemporaryFiles(
  directory: string,
  files: Files,
  now: number,
  ageMs: number = abandonedMs,
): Promise<boolean> {
  let isClean = true
  for (const name of (await files.list(directory)) ?? []) {
    if (!temporary.test(name)) continue
    const stat = await files.stat(join(directory, name))
    if (stat?.kind !== 'file') continue
    if (now - stat.modified > ageMs) await files.remove(join(directory, name))
    else isClean = false
  }
  return isClean
}
