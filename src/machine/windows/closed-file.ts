import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type AccessTool,
  readOwnAccessList,
  restoreAccessList,
  restrictAccess,
  runAccessTool,
} from './access-control.ts'
import { renameFile } from './file-retries.ts'
import { toSlashes } from './machine-path.ts'

const writesNewFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL

/** Access of a temporary file that will replace another file. */
export interface StagedAccess {
  /** The file that will be replaced, if the temporary file gets its access list. */
  readonly like?: string | undefined
  /** True if only SYSTEM, Administrators and the owner may access the temporary file. */
  readonly isClosed?: boolean | undefined
}

/**
 * Creates an empty temporary file on Windows. If its access list differs from that which the folder gives to new files, no
 * user can open the file before it has this list: a handle from before would read the later content. Throws
 * ACCESS_NOT_RESTRICTED, ACCESS_NOT_KEPT.
 */
export async function createStagedFile(
  path: string,
  { like, isClosed = false }: StagedAccess,
  runTool: AccessTool = runAccessTool,
): Promise<FileHandle> {
  const from = toSlashes(like ?? '')
  const list = from === '' || isClosed ? undefined : await readOwnAccessList(from, runTool)
  if (!isClosed && list === undefined) return open(path, writesNewFile)
  const handle = await createInClosedFolder(path, runTool)
  try {
    if (list === undefined) await restrictAccess(path, 'file', runTool)
    else await restoreAccessList(toSlashes(path), { list, from }, runTool)
    return handle
  } catch (error) {
    await handle.close()
    await rm(path, { force: true })
    throw error
  }
}

/** Creates a file in a new folder that gives it a closed access list, and moves the file out of the folder. */
async function createInClosedFolder(path: string, runTool: AccessTool): Promise<FileHandle> {
  const folder = `${path}d`
  let handle: FileHandle | undefined
  await mkdir(folder)
  try {
    await restrictAccess(folder, 'folder', runTool)
    handle = await open(join(folder, 'new'), writesNewFile)
    await renameFile(join(folder, 'new'), path)
    await rmdir(folder)
    return handle
  } catch (error) {
    await handle?.close()
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}
