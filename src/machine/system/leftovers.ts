import { join } from 'node:path'
import type { Files } from './system.ts'

/** Names of unfinished files of `Files.write` and `FileLock`: nothing else has such a name. */
const temporary = /^(\..*\.[0-9a-f]{12}\.tmp|\.lock(\.break)?\.[0-9a-f]{12})$/s

/** A write takes milliseconds, on the slowest disk minutes; what is older belongs to a process that is no more. */
const abandonedMs = 3_600_000

/** Removes what killed processes left half written in a folder; others may be writing there. Answers whether none is left. */
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
