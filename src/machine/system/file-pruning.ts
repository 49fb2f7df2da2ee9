import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Fraction of the limit that is removed in addition, so that removals are rare. */
const lessPart = 0.1

/** Removes the oldest files of a folder if it contains more than `bound` files. */
export async function removeOldestFiles(folder: string, bound: number): Promise<void> {
  const names = await readdir(folder)
  if (names.length <= bound) return
  const found = await Promise.all(
    names.map(async (name) => {
      const stat = await lstat(join(folder, name)).catch(() => undefined)
      return { name, modified: stat?.mtimeMs ?? 0 }
    }),
  )
  found.sort((one, other) => one.modified - other.modified)
  for (const { name } of found.slice(0, names.length - Math.floor(bound * (1 - lessPart))))
    await rm(join(folder, name), { force: true })
}
