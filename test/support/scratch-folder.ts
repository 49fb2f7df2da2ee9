import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []

/** A folder of its own for a test file, without links in its path; taken away when the file is done, whatever became of its tests. */
export function scratchFolder(name: string): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), `plumb-${name}-`))
  folders.push(folder)
  return folder
}

/** The folders that a test file has made so far, in their order. */
export function scratchFolders(): readonly string[] {
  return folders
}

/** Takes away all that were made. */
export function removeScratchFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
