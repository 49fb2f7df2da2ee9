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
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isInexact, textFromBytes } from '../base/byte-text.ts'
import { systemCode } from '../base/system-error.ts'
import { readWithin } from './read-within.ts'
import type { FileContent, FileStat, Files, SyncTime } from './system.ts'

/** The files of the machine we run on. */
export const localFiles: Files = {
  stat: (path) => unlessAbsent(async () => statOf(await lstat(path))),
  readLink: (path) => unlessAbsent(() => readlink(path)),
  read: (path) => unlessAbsent(() => readFile(path)),
  readText: (path) => unlessAbsent(() => readFile(path, 'utf8')),
  readWithin: (path, most) => unlessAbsent(() => readWithin(path, most)),
  list: (directory) => unlessAbsent(async () => (await namesIn(directory)).sort()),
  write: writeAtomically,
  sync: syncPath,
  async makeDirectory(path, mode) {
    const made = await mkdir(path, { recursive: true })
    if (made !== undefined && mode !== undefined) await chmod(path, mode)
  },
  link: (target, path) => symlink(target, path),
  remove: (path) => rm(path, { recursive: true, force: true }),
  rename,
  chmod,
  chown: lchown,
}

/**
 * Writes beside the path, syncs, and renames. A mode that is given is set exactly, whatever the umask; without one the
 * file keeps the mode it had. The owner stays where we may keep it. A file that is so already only gets a new time: most of
 * what a run of the agent keeps is as the run before left it, and nobody has to wait for the disk.
 */
async function writeAtomically(
  path: string,
  content: FileContent,
  mode?: number,
  sync: SyncTime = 'now',
): Promise<void> {
  const before = await localFiles.stat(path)
  const old = before?.kind === 'file' ? before : undefined
  if (old && (mode ?? old.mode) === old.mode && (await isContent(path, old, content)) && (await isTouched(path))) return
  const directory = dirname(path)
  const beside = join(directory, `.${basename(path).slice(0, 200)}.${randomBytes(6).toString('hex')}.tmp`)
  // Who opens it before its mode is set could read what is written after.
  const first = mode ?? old?.mode ?? 0o666
  try {
    const handle = await open(beside, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, first)
    try {
      if (old && process.getuid?.() === 0) await handle.chown(old.uid, old.gid)
      const exact = mode ?? old?.mode
      if (exact !== undefined) await handle.chmod(exact)
      await writeFile(handle, content)
      if (before || sync === 'now') await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {})
    throw aboutPath(error, path, beside)
  }
  if (sync === 'now') await syncPath(directory)
}

/** The error, naming the file that was to be written: Node's names the one beside it, or none when a disk is full. */
function aboutPath(error: unknown, path: string, beside: string): unknown {
  const failed = error as NodeJS.ErrnoException | undefined
  const isOfDisk = ['open', 'write', 'fsync', 'rename'].includes(failed?.syscall ?? '')
  if (failed && isOfDisk && (failed.path === undefined || failed.path === beside)) failed.path = path
  return error
}

/** True of a file that has this content already; what comes in pieces is not compared. */
async function isContent(path: string, { size }: FileStat, content: FileContent): Promise<boolean> {
  if (typeof content !== 'string' && !(content instanceof Uint8Array)) return false
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  if (bytes.length !== size) return false
  const there = await readFile(path).catch(() => undefined)
  return there?.equals(bytes) === true
}

/** True when a file got the time of now; only its owner may give it one. */
function isTouched(path: string): Promise<boolean> {
  const now = new Date()
  return utimes(path, now, now).then(
    () => true,
    () => false,
  )
}

/** The names in a folder; bytes that are not UTF-8 are escaped, where Node has U+FFFD. */
async function namesIn(directory: string): Promise<string[]> {
  const names = await readdir(directory)
  return names.some(isInexact) ? (await readdir(directory, { encoding: 'buffer' })).map(textFromBytes) : names
}

/** The same, at once. */
export function namesNow(directory: string): string[] {
  const names = readdirSync(directory)
  return names.some(isInexact) ? readdirSync(directory, { encoding: 'buffer' }).map(textFromBytes) : names
}

/** Makes a file or the names in a folder last; some file systems cannot, and need not. */
async function syncPath(path: string): Promise<void> {
  let handle: FileHandle | undefined
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    await handle.sync()
  } catch (error) {
    if (!['EINVAL', 'EPERM', 'EACCES', 'ENOTSUP', 'ENOENT', 'ELOOP'].includes(systemCode(error) ?? '')) throw error
  } finally {
    await handle?.close()
  }
}

/** The answer about a path; `undefined` where nothing is there that could be asked. */
export async function unlessAbsent<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    // EINVAL: readlink of what is no link; ENOTDIR: a path through a file, or a listing of one; EISDIR: a folder read.
    if (['ENOENT', 'ENOTDIR', 'EINVAL', 'EISDIR'].includes(systemCode(error) ?? '')) return undefined
    throw error
  }
}

/** The state of a path itself, at once: for a local file that every request asks about. */
export function statNow(path: string): FileStat | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    return stat && statOf(stat)
  } catch (error) {
    if (systemCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}

/** A status as `lstat` gives it, in our words. */
export function statOf(stat: Awaited<ReturnType<typeof lstat>>): FileStat {
  return {
    kind: kindOf(stat),
    mode: Number(stat.mode) & 0o7777,
    uid: Number(stat.uid),
    gid: Number(stat.gid),
    size: Number(stat.size),
    accessed: Number(stat.atimeMs),
    modified: Number(stat.mtimeMs),
    changed: Number(stat.ctimeMs),
  }
}

function kindOf(stat: Awaited<ReturnType<typeof lstat>>): FileStat['kind'] {
  if (stat.isFile()) return 'file'
  if (stat.isDirectory()) return 'directory'
  if (stat.isSymbolicLink()) return 'link'
  if (stat.isFIFO()) return 'fifo'
  if (stat.isSocket()) return 'socket'
  return 'device'
}
