import type { OutsideEntry } from '../../network/outside/folders.ts'
import type { GuestEntry, GuestFiles } from '../../ruby/wasi/guest-files.ts'

/** Reads what there is at an absolute path outside of the commit, for one catalog. */
export type ReadOutside = (path: string) => OutsideEntry | undefined

/** Who reads for the catalog that a machine works for now, and whether anything was read. */
export interface OutsideReader {
  read: ReadOutside
  wasUsed: boolean
}

/** A folder outside of the commit as Ruby's files. */
export function outsideFiles(folder: string, reader: OutsideReader): GuestFiles {
  const at = (path: string) => {
    reader.wasUsed = true
    return reader.read(path === '' ? folder : `${folder === '/' ? '' : folder}/${path}`)
  }
  return {
    entry(path): GuestEntry | undefined {
      const found = at(path)
      return found && { kind: found.kind, size: found.kind === 'file' ? found.bytes.length : 0 }
    },
    read(path) {
      const found = at(path)
      return found?.kind === 'file' ? found.bytes : undefined
    },
    list(path) {
      const found = at(path)
      return found?.kind === 'directory' ? found.names : []
    },
  }
}
