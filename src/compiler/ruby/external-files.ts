import type { OutsideEntry } from '../../network/outside/allowed-folders.ts'
import type { GuestEntry, GuestFiles } from '../../ruby/wasi/guest-files.ts'

/** Reads a file or folder at an absolute path outside of the commit, for one catalog. */
export type ReadExternalEntry = (path: string) => OutsideEntry | undefined

/** Reads external folders for the current catalog; `wasUsed` is true if Ruby has read any path through it. */
export interface ExternalReader {
  read: ReadExternalEntry
  wasUsed: boolean
}

/** Returns a folder outside of the commit as files that Ruby can read. */
export function createExternalFiles(folder: string, reader: ExternalReader): GuestFiles {
  const readEntry = (path: string) => {
    reader.wasUsed = true
    return reader.read(path === '' ? folder : `${folder === '/' ? '' : folder}/${path}`)
  }
  return {
    entry(path): GuestEntry | undefined {
      const found = readEntry(path)
      return found && { kind: found.kind, size: found.kind === 'file' ? found.bytes.length : 0 }
    },
    read(path) {
      const found = readEntry(path)
      return found?.kind === 'file' ? found.bytes : undefined
    },
    list(path) {
      const found = readEntry(path)
      return found?.kind === 'directory' ? found.names : []
    },
  }
}
