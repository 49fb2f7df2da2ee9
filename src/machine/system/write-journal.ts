import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { removeLeftovers } from './leftovers.ts'
import type { Files } from './system.ts'

/** A stream that is written may pause as long as a server may take to answer. */
const pausedMs = 600_000

/** The folders that a run writes to, noted before it does: where one that was killed left files half written. */
export interface WriteJournal {
  note(folder: string): Promise<void>
  /** Forgets the folders of this run: all that it wrote is whole. */
  clear(): Promise<void>
  /** Removes what earlier runs left half written; what may still be somebody's is left to the next. */
  recover(files: Files, now: number): Promise<void>
}

/** The journal in a directory of one's own: a file for each folder. */
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
        // A loss of power may take it away: it is there for processes that are killed.
        await own.write(entryPath(folder), folder, 0o640, 'later')
      } catch {
        // What has no room to be noted is written nevertheless: a leftover is less than a resource that fails.
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
