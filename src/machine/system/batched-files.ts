import { posix } from 'node:path'
import type { Files } from './system.ts'
import type { WriteJournal } from './write-journal.ts'

/** Files that are made to last together. */
export interface BatchedFiles {
  readonly files: Files
  /** Returns when all that was written will outlast a loss of power. */
  settle(): Promise<void>
}

const atOnce = 32

/**
 * Files of which the new ones are synced together, at the end: to wait for the disk after each of 2,000 takes longer than
 * all else. Whatever replaces a file is synced before it does, so that at any moment there is the old one or the new. The
 * folders are noted in a journal before they are written to.
 */
export function batchedFiles(files: Files, journal: Pick<WriteJournal, 'note'>): BatchedFiles {
  const unsynced = new Set<string>()
  return {
    files: {
      ...files,
      async write(path, content, mode) {
        await journal.note(posix.dirname(path))
        await files.write(path, content, mode, 'later')
        unsynced.add(path)
      },
      async replace(path, content, replacement) {
        await journal.note(replacement.stagingDirectory ?? posix.dirname(path))
        await files.replace(path, content, { ...replacement, sync: 'later' })
        unsynced.add(path)
      },
      async rename(from, to) {
        if (unsynced.delete(from)) await files.sync(from)
        await files.rename(from, to)
        unsynced.add(to)
      },
    },
    async settle() {
      const written = [...unsynced]
      const paths = [...written, ...new Set(written.map((path) => posix.dirname(path)))]
      unsynced.clear()
      while (paths.length > 0) await Promise.all(paths.splice(0, atOnce).map((path) => files.sync(path)))
    },
  }
}
