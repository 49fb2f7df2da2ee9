import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Files } from './system.ts'
import { pausedMs, removeTemporaryFiles } from './temporary-files.ts'

/**
 * A record of the folders to which a run writes. If the run is killed, the record shows in which
 * folders incomplete files may remain.
 */
export interface WriteJournal {
  note(folder: string): Promise<void>
  /** Removes the folders of this run, because all of its files are complete. */
  clear(): Promise<void>
  /** Removes incomplete files of earlier runs. Files that may still be in use are left for the next run. */
  recover(files: Files, now: number): Promise<void>
}

/** Creates a journal in a private directory, with one file for each folder. */
export function createWriteJournal(own: Files, directory: string): WriteJournal {
  const getEntryPath = (folder: string) => join(directory, createHash('sha256').update(folder).digest('hex'))
  const noted = new Set<string>()
  const kept = new Set<string>()
  return {
    async note(folder) {
      if (noted.has(folder)) return
      const isFirst = noted.size === 0
      noted.add(folder)
      try {
        if (isFirst) await own.makeDirectory(directory, 0o750)
        // The entry is not synced: it is needed after the process was killed, but not after a power
        // loss.
        await own.write(getEntryPath(folder), folder, 0o640, 'later')
      } catch {
        // If the disk has no space for the entry, the file is written anyway: a leftover file is
        // better than a failed resource.
      }
    },
    async clear() {
      for (const folder of noted) if (!kept.has(folder)) await own.remove(getEntryPath(folder))
      noted.clear()
    },
    async recover(files, now) {
      for (const name of (await own.list(directory)) ?? []) {
        const folder = await own.readText(join(directory, name))
        if (folder === undefined || getEntryPath(folder) !== join(directory, name)) continue
        if (await removeTemporaryFiles(folder, files, now, pausedMs)) await own.remove(join(directory, name))
        else kept.add(folder)
      }
    },
  }
}
