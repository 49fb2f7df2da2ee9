import { posix } from 'node:path'
import { mapConcurrently } from '../../base/threads/concurrent-map.ts'
import type { Files } from './system.ts'
import type { WriteJournal } from './write-journal.ts'

/** File access that syncs several new files to disk together. */
export interface BatchedFiles {
  readonly files: Files
  /** Syncs all new files to disk, so that they survive a power loss. */
  settle(): Promise<void>
}

const atOnce = 32

/**
 * Delays the sync of new files to the end of the run: in a run with 2,000 files, a sync after each
 * file would take most of the time. A file that replaces another file is synced before the
 * replacement, so that a crash leaves either the old or the new content. Directories are recorded
 * in a journal before the first write to them.
 */
export function createBatchedFiles(files: Files, journal: Pick<WriteJournal, 'note'>): BatchedFiles {
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
      await mapConcurrently(paths, atOnce, (path) => files.sync(path))
    },
  }
}
