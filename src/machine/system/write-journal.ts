import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { removeLeftovers } from './leftovers.ts'
import type { Files } from './system.ts'

/** Milliseconds for which the writing of a stream can pause while a server responds. */
const pausedMs = 600_000

/** A record of the folders that a run writes to. After the run is killed, it shows where incomplete files remain. */
export interface WriteJournal {
  note(folder: string): Promise<void>
  /** Removes the folders of this run, because all of its files are complete. */
  clear(): Promise<void>
  /** Removes incomplete files of earlier runs. Files that could still be in use are left to the next run. */
  recover(files: Files, now: number): Promise<void>
}

/** A journal in a private directory, with one file per folder. */
export function writeJournal(own: Files, directory: string): WriteJournal {
  const entryPath = (folder: string) => join(directory, createHash('sha256').update(folder).digest('hex'))
  const noted = new Set<string>()
  const kept = new Set<string>()
  return {
    async note(folder) {
      if (noted.has(folder)) return
      const isFirst = noted.size === 0
      noted.add(folder)
      try {
        if (isFirst) await own.makeDirectory(directory, 0o750)
        // The entry is not synced: it is needed after a killed process, not after a power loss.
        await own.write(entryPath(folder), folder, 0o640, 'later')
      } catch {
        // Without space for the entry, the file is written anyway: a leftover file is better than a
        // failed resource.
      }
    },
    async clear() {
      for (const folder of noted) if (!kept.has(folder)) await own.remove(entryPath(folder))
      noted.clear()
    },
    async recover(files, now) {
      for (const name of (await own.list(directory)) ?? []) {
        const folder = await own.readText(join(directory, name))
        if (folder === undefined || entryPath(folder) !== join(directory, name)) continue
        if (await removeLeftovers(folder, files, now, pausedMs)) await own.remove(join(directory, name))
        else kept.add(folder)
      }
    },
  }
}
