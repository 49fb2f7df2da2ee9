import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { budgets } from '../../base/budgets/budgets.ts'
import { listFilesBelow } from '../../machine/system/folder-walk.ts'

/** The files of a workspace, by absolute paths: those of the disk, or those of a commit. */
export interface WorkspaceFiles {
  exists(path: string): boolean
  /** A text that changes with the content of a regular file; undefined for other paths, and for too large files. */
  getVersion(path: string): string | undefined
  /** The text of a file; undefined if it cannot be read. */
  read(path: string): string | undefined
  /** The sorted names in a folder; none if it is absent, no folder, or not readable. */
  listNames(folder: string): readonly string[]
  /** The sorted paths of the files in a folder and its subfolders, up to the limit of the workbench. */
  listBelow(folder: string): readonly string[]
}

/** The files of the disk. */
export const diskFiles: WorkspaceFiles = {
  exists: existsSync,
  getVersion(path) {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat?.isFile() || stat.size > budgets.push.codeFile.bound) return undefined
    return `${stat.mtimeMs} ${stat.size} ${stat.ino}`
  },
  read(path) {
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      if (error instanceof Error && 'syscall' in error) return undefined
      throw error
    }
  },
  listNames(folder) {
    try {
      return readdirSync(folder).sort()
    } catch {
      return []
    }
  },
  listBelow: (folder) => listFilesBelow(folder, budgets.workbench.folderEntries.bound),
}
