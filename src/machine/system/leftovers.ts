import { join } from 'node:path'
import type { Files } from './system.ts'

/** Pattern of temporary files of `Files.write` and `FileLock`. No other file has such a name. */
const temporary = /^(\..*\.[0-9a-f]{12}\.tmp|\.lock(\.break)?\.[0-9a-f]{12})$/s

/** Milliseconds after which a temporary file counts as abandoned. A write takes minutes on the slowest disk. */
const abandonedMs = 3_600_000

/** Removes abandoned temporary files of killed processes from a directory. Returns true if no temporary file remains. */
export async function removeLeftovers(
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
