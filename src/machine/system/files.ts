import { randomBytes } from 'node:crypto'
import { constants, lstatSync, readdirSync } from 'node:fs'
import {
  chmod,
  type FileHandle,
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { getSystemErrorCode } from '../../base/system-error.ts'
import { decodeLosslessUtf8, hasReplacementCharacter } from '../../base/text/byte-text.ts'
import { trimTrailingSlashes } from '../../base/text/trailing-characters.ts'
import { createStagedFile } from '../windows/closed-file.ts'
import { requireFileName } from '../windows/file-names.ts'
import { removalRetries, renameFile } from '../windows/file-retries.ts'
import { isWindows, toSlashes } from '../windows/machine-path.ts'
import { readBoundedFile } from './bounded-file.ts'
import type { FileReplacement, FileStat, Files, WritableContent } from './system.ts'

/** The files of this machine. */
export const localFiles: Files = {
  stat: (path) => ignoreAbsentPath(async () => toFileStat(await lstat(path))),
  readLink: (path) => ignoreAbsentPath(async () => toLinkTarget(await readlink(path))),
  read: (path) => ignoreAbsentPath(() => readFile(path)),
  readText: (path) => ignoreAbsentPath(() => readFile(path, 'utf8')),
  readParts: async (path) =>
    (await ignoreAbsentPath(() => stat(path))) === undefined ? undefined : streamParts(() => open(path)),
  readWithin: (path, most) => ignoreAbsentPath(() => readBoundedFile(path, most)),
  list: (directory) => ignoreAbsentPath(async () => (await listNames(directory)).sort()),
  write: (path, content, mode, sync = 'now') => replaceFile(path, content, { mode, sync }),
  replace: replaceFile,
  sync: syncPath,
  async makeDirectory(path, mode) {
    requireFileName(path)
    const made = await mkdir(path, { recursive: true })
    // Windows has access control lists in place of modes.
    if (made !== undefined && mode !== undefined && !isWindows) await chmodDirectory(path, mode)
  },
  async link(target, path) {
    requireFileName(path)
    await symlink(target, path)
  },
  remove: (path) => rm(path, { recursive: true, force: true, ...(isWindows && removalRetries) }),
  async rename(from, to) {
    requireFileName(to)
    await renameFile(from, to)
  },
  chmod,
  chown: lchown,
}

/** The target of a link: on Windows with slashes, and for a junction without the slash at the end. */
export function toLinkTarget(target: string, onWindows: boolean = isWindows): string {
  return onWindows ? trimTrailingSlashes(toSlashes(target)) : target
}

/** Sets the mode of a directory. If a symbolic link has replaced the directory, the link is not followed. */
async function chmodDirectory(path: string, mode: number): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    await handle.chmod(mode)
  } finally {
    await handle.close()
  }
}

/** Number of bytes in one part when a file is read in parts. */
const partBytes = 256 * 1024

/**
 * Reads a file in parts. Opens the file only when the first part is read, so that an unused iterator does not keep a file
 * descriptor open.
 */
export async function* streamParts(openFile: () => Promise<FileHandle | undefined>): AsyncGenerator<Uint8Array> {
  const file = await openFile()
  if (!file) return
  try {
    for (;;) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(partBytes), 0, partBytes, null)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/**
 * Writes a temporary file with a random name, syncs it, and renames it. Until the file is complete,
 * it belongs to the user of this process, and only that user can open it: the owner of the old file
 * cannot open the new file early, read it, or write to it after the owner changes. A given mode is
 * set exactly, regardless of the umask. If the old file has the same content and permissions, only
 * its modification time is updated, which saves an agent run most of its disk writes.
 */
async function replaceFile(path: string, content: WritableContent, replacement: FileReplacement): Promise<void> {
  const { stagingDirectory = dirname(path), check, sync = 'now' } = replacement
  requireFileName(path)
  const before = await localFiles.stat(path)
  const old = before?.kind === 'file' ? before : undefined
  if (
    old &&
    !check &&
    hasPermissions(old, replacement) &&
    (await hasContent(path, old, content)) &&
    (await touchFile(path))
  )
    return
  const temporary = join(stagingDirectory, `.${basename(path).slice(0, 200)}.${randomBytes(6).toString('hex')}.tmp`)
  const mode = replacement.mode ?? old?.mode
  try {
    // If no mode is given, the umask determines the mode of a new file.
    const like = old && replacement.keepsAccess ? path : undefined
    const handle = isWindows
      ? await createStagedFile(temporary, { like, isClosed: replacement.isClosed })
      : await open(
          temporary,
          constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
          mode === undefined ? 0o666 : 0o600,
        )
    try {
      await writeFile(handle, content)
      await setPermissions(handle, { mode, uid: replacement.uid ?? old?.uid, gid: replacement.gid ?? old?.gid })
      if (before || sync === 'now') await handle.sync()
    } finally {
      await handle.close()
    }
    await check?.(temporary)
    await moveStagedFile(path, temporary, replacement)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw addErrorPath(error, path, temporary)
  }
  if (sync === 'now') await syncPath(dirname(path))
}

function hasPermissions(old: FileStat, { mode, uid, gid }: FileReplacement): boolean {
  return (mode ?? old.mode) === old.mode && (uid ?? old.uid) === old.uid && (gid ?? old.gid) === old.gid
}

/** Sets the owner before the mode, because a change of owner clears setuid and setgid. Undefined IDs are not changed. */
async function setPermissions(handle: FileHandle, { mode, uid, gid }: FileReplacement): Promise<void> {
  if (isWindows) return
  if ((uid !== undefined || gid !== undefined) && process.getuid?.() === 0) await handle.chown(uid ?? -1, gid ?? -1)
  if (mode !== undefined) await handle.chmod(mode)
}

/** Renames a file. If the staging directory is on another file system, a copy replaces the old file atomically. */
async function moveStagedFile(path: string, staged: string, replacement: FileReplacement): Promise<void> {
  try {
    await renameFile(staged, path)
  } catch (error) {
    if (getSystemErrorCode(error) !== 'EXDEV') throw error
    const { stagingDirectory, check, ...permissions } = replacement
    const handle = await open(staged, constants.O_RDONLY | constants.O_NOFOLLOW)
    await replaceFile(path, handle.createReadStream(), permissions)
    await rm(staged, { force: true })
  }
}

/**
 * Adds the path of the target file to an error: Node.js reports the path of the temporary file, or
 * no path if the disk is full.
 */
function addErrorPath(error: unknown, path: string, beside: string): unknown {
  const failed = error as NodeJS.ErrnoException | undefined
  const isOfDisk = ['open', 'write', 'fsync', 'rename'].includes(failed?.syscall ?? '')
  if (failed && isOfDisk && (failed.path === undefined || failed.path === beside)) failed.path = path
  return error
}

/** True if the file already has this content; streams are never compared. */
async function hasContent(path: string, { size }: FileStat, content: WritableContent): Promise<boolean> {
  if (typeof content !== 'string' && !(content instanceof Uint8Array)) return false
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  if (bytes.length !== size) return false
  const there = await readFile(path).catch(() => undefined)
  return there?.equals(bytes) === true
}

/** Sets a file's modification time to the current time; false if this process does not own the file. */
function touchFile(path: string): Promise<boolean> {
  const now = new Date()
  return utimes(path, now, now).then(
    () => true,
    () => false,
  )
}

/** Returns the names in a directory. Invalid UTF-8 bytes are escaped; Node.js would replace them with U+FFFD. */
async function listNames(directory: string): Promise<string[]> {
  const names = await readdir(directory)
  return names.some(hasReplacementCharacter)
    ? (await readdir(directory, { encoding: 'buffer' })).map(decodeLosslessUtf8)
    : names
}

/** Like `listNames`, but blocks the thread. */
export function listNamesSync(directory: string): string[] {
  const names = readdirSync(directory)
  return names.some(hasReplacementCharacter)
    ? readdirSync(directory, { encoding: 'buffer' }).map(decodeLosslessUtf8)
    : names
}

/** Syncs a file or a directory to disk. On Windows, and if the file system does not support this, nothing happens. */
async function syncPath(path: string): Promise<void> {
  if (isWindows) return
  let handle: FileHandle | undefined
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    await handle.sync()
  } catch (error) {
    if (!['EINVAL', 'EPERM', 'EACCES', 'ENOTSUP', 'ENOENT', 'ELOOP'].includes(getSystemErrorCode(error) ?? ''))
      throw error
  } finally {
    await handle?.close()
  }
}

/** Returns the result of `ask` about a path; `undefined` if the path does not exist or has another file type. */
export async function ignoreAbsentPath<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    // EINVAL: readlink on a path that is not a link. ENOTDIR: a parent or a listed path is a file. EISDIR: a directory is read.
    if (['ENOENT', 'ENOTDIR', 'EINVAL', 'EISDIR'].includes(getSystemErrorCode(error) ?? '')) return undefined
    throw error
  }
}

/** Returns the status of a path synchronously, for local files that are checked on every request. */
export function getFileStatSync(path: string): FileStat | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    return stat && toFileStat(stat)
  } catch (error) {
    if (getSystemErrorCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}

/** Converts a status that `lstat` returned. */
export function toFileStat(stat: Awaited<ReturnType<typeof lstat>>): FileStat {
  return {
    kind: getFileKind(stat),
    mode: Number(stat.mode) & 0o7777,
    uid: Number(stat.uid),
    gid: Number(stat.gid),
    size: Number(stat.size),
    accessed: Number(stat.atimeMs),
    modified: Number(stat.mtimeMs),
    changed: Number(stat.ctimeMs),
  }
}

function getFileKind(stat: Awaited<ReturnType<typeof lstat>>): FileStat['kind'] {
  if (stat.isFile()) return 'file'
  if (stat.isDirectory()) return 'directory'
  if (stat.isSymbolicLink()) return 'link'
  if (stat.isFIFO()) return 'fifo'
  if (stat.isSocket()) return 'socket'
  return 'device'
}
