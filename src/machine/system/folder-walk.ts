import { type Dir, type Dirent, opendirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Lists the paths of a folder's files, in all its subfolders, in order. At most `most` entries are read. Symbolic links
 * are listed but not followed, so that a link to a parent folder ends the walk. Folders that cannot be read are empty;
 * folders whose name `isSkipped` accepts are left out.
 */
export function listFilesBelow(
  folder: string,
  most: number,
  isSkipped: (name: string) => boolean = () => false,
): readonly string[] {
  const files: string[] = []
  const folders = [folder]
  let left = most
  for (let at = folders.pop(); at !== undefined && left > 0; at = folders.pop())
    for (const entry of listEntries(at, left)) {
      left--
      const path = join(at, entry.name)
      if (!entry.isDirectory()) files.push(path)
      else if (!isSkipped(entry.name)) folders.push(path)
    }
  return files.sort()
}

/** At most `most` entries of a folder; none if it is absent, not a folder, or not readable. */
function listEntries(folder: string, most: number): readonly Dirent[] {
  const entries: Dirent[] = []
  let open: Dir | undefined
  try {
    open = opendirSync(folder)
    for (let entry = open.readSync(); entry && entries.length < most; entry = open.readSync()) entries.push(entry)
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
  } finally {
    open?.closeSync()
  }
  return entries
}
