import { constants } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import {
  type AccessTool,
  accountSids,
  readOwnAccessList,
  restoreAccessList,
  restrictAccess,
  runAccessTool,
} from './access-control.ts'
import { allAccess, type SecurityDescriptor } from './file-mode.ts'
import { isWindows, toSlashes } from './machine-path.ts'

const writesNewFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL
/**
 * UV_FS_O_EXLOCK of libuv, which Node passes on but does not name: until the handle is closed, no other handle can read, write,
 * rename or remove the file. The access list of such a file can be changed: that needs no access to the content.
 */
const exclusively = isWindows ? 0x1000_0000 : 0

/** Access of a temporary file that will replace another file. */
export interface StagedAccess {
  /** The file that will be replaced, if the temporary file gets its access list. */
  readonly like?: string | undefined
  /** True if only SYSTEM, Administrators and the owner may access the temporary file. */
  readonly isClosed?: boolean | undefined
}

/**
 * Creates an empty temporary file on Windows. If its access list differs from that which the folder gives to new files, no
 * user can open or replace the file before it has this list and the returned handle is closed: a handle from before would read
 * the later content. Throws ACCESS_NOT_RESTRICTED, ACCESS_NOT_KEPT.
 */
export async function createStagedFile(
  path: string,
  { like, isClosed = false }: StagedAccess,
  runTool: AccessTool = runAccessTool,
): Promise<FileHandle> {
  const from = toSlashes(like ?? '')
  const list = from === '' || isClosed ? undefined : await readOwnAccessList(from, runTool)
  if (!isClosed && list === undefined) return open(path, writesNewFile)
  const handle = await open(path, writesNewFile | exclusively)
  try {
    if (list === undefined) await restrictAccess(path, runTool)
    else await restoreAccessList(toSlashes(path), { list, from }, runTool)
    return handle
  } catch (error) {
    await handle.close()
    await rm(path, { force: true })
    throw error
  }
}

/** True if a list is that of a closed file: a run ended after it created the file, and before it set the list. */
export function isClosedList({ entries, isProtected }: SecurityDescriptor): boolean {
  const { system, administrators, ownerRights } = accountSids
  const isFull = entries.every(({ kind, mask, flags }) => kind === 'allow' && mask === allAccess && flags === 0)
  const sids = new Set(entries.map(({ sid }) => sid))
  const isOfAll = [system, administrators, ownerRights].every((sid) => sids.has(sid))
  return isProtected && isFull && isOfAll && entries.length === 3
}
