import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readlink } from 'node:fs/promises'
import { posix } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { getSystemErrorCode } from '../../base/system-error.ts'
import { readOpenFile } from './bounded-file.ts'
import { ignoreAbsentPath, localFiles, streamParts, toFileStat } from './files.ts'
import type { FileStat, Files } from './system.ts'

const issues = defineIssues({
  ROOT_READ_ONLY: { text: (a: { path: string }) => `${a.path} belongs to a root directory that is only read` },
  ROOT_TOO_LARGE: {
    text: (a: { path: string; most: number }) => `${a.path} is not read: the read files exceed ${a.most} bytes`,
  },
  ROOT_TOO_MANY_FILES: {
    text: (a: { path: string; most: number }) => `${a.path} is not read: it contains more than ${a.most} files`,
  },
})

/** Symbolic links in one path, as in Linux (`MAXSYMLINKS`); the path of a loop does not exist. */
const maxLinks = 40

/** A path of this machine without symbolic links in its directories. */
interface Place {
  readonly path: string
  readonly stat: FileStat
}

/**
 * The files of a root directory, such as the root of an image, for reading. Paths resolve as after
 * chroot(2): an absolute link starts at the root, and `..` does not leave it. Only regular files
 * are opened. The size of each file, the size of all files and the length of a list have bounds.
 *
 * @param root an absolute path without symbolic links
 */
export function createConfinedFiles(root: string): Files {
  const { rootFile, rootFiles, rootNames } = budgets.machine
  let remaining = rootFiles.bound
  const resolveLink = (path: string) => resolveInside(root, path, false)
  const resolveFile = (path: string) => resolveInside(root, path, true)
  const readWithin = async (path: string, most: number) => {
    const place = await resolveFile(path)
    if (place?.stat.kind !== 'file') return undefined
    if (place.stat.size > remaining) throwIssue(issues.ROOT_TOO_LARGE, { path, most: rootFiles.bound })
    if (place.stat.size <= most) remaining -= place.stat.size
    const handle = await openInside(root, place)
    return handle && readOpenFile(handle, path, most)
  }
  return {
    ...createReadOnlyFiles(),
    stat: async (path) => (await resolveLink(path))?.stat,
    async readLink(path) {
      const place = await resolveLink(path)
      return place && localFiles.readLink(place.path)
    },
    readWithin,
    read: (path) => readWithin(path, rootFile.bound),
    readText: async (path) => (await readWithin(path, rootFile.bound))?.toString('utf8'),
    async readParts(path) {
      const place = await resolveFile(path)
      return place?.stat.kind === 'file' ? streamParts(() => openInside(root, place)) : undefined
    },
    async list(path) {
      const place = await resolveFile(path)
      const names = place?.stat.kind === 'directory' ? await localFiles.list(place.path) : undefined
      if ((names?.length ?? 0) > rootNames.bound)
        throwIssue(issues.ROOT_TOO_MANY_FILES, { path, most: rootNames.bound })
      return names
    },
  }
}

/** Resolves a path inside a root directory. Undefined if the path does not exist. */
async function resolveInside(root: string, path: string, isFollowed: boolean): Promise<Place | undefined> {
  const pending = splitPath(path)
  let inside: string[] = []
  let links = 0
  let last = await lstatInside(root, inside)
  while (pending.length > 0) {
    const name = pending.pop()!
    if (last?.kind !== 'directory') return undefined
    if (name === '.') continue
    const next = name === '..' ? inside.slice(0, -1) : [...inside, name]
    const stat = await lstatInside(root, next)
    if (stat?.kind === 'link' && (isFollowed || pending.length > 0)) {
      const target = await ignoreAbsentPath(() => readlink(posix.join(root, ...next)))
      if (target === undefined || ++links > maxLinks) return undefined
      pending.push(...splitPath(target))
      if (!target.startsWith('/')) continue
      inside = []
      last = await lstatInside(root, inside)
    } else [inside, last] = [next, stat]
  }
  return last && { path: posix.join(root, ...inside), stat: last }
}

/** The names of a path in reverse order. A slash at the end is `.`: both exist only in a directory. */
const splitPath = (path: string): string[] =>
  [...path.split('/').filter((name) => name !== ''), ...(path.endsWith('/') ? ['.'] : [])].reverse()

/** The status of a path; a path that is too long for this machine does not exist. */
async function lstatInside(root: string, inside: readonly string[]): Promise<FileStat | undefined> {
  try {
    return await ignoreAbsentPath(async () => toFileStat(await lstat(posix.join(root, ...inside))))
  } catch (error) {
    if (getSystemErrorCode(error) === 'ENAMETOOLONG') return undefined
    throw error
  }
}

/**
 * Opens a resolved file. If another program has replaced a directory of the path with a link since
 * the resolution, the open file can be outside of the root; Linux reports its path, and it is not
 * read.
 */
async function openInside(root: string, { path }: Place): Promise<FileHandle | undefined> {
  const handle = await ignoreAbsentPath(() =>
    open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW),
  )
  if (!handle) return undefined
  const opened = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => path)
  if (opened.startsWith(root === '/' ? root : `${root}/`)) return handle
  await handle.close()
  return undefined
}

/** The operations that change files; each throws ROOT_READ_ONLY. */
function createReadOnlyFiles() {
  const refuse = async (path: string) => throwIssue(issues.ROOT_READ_ONLY, { path })
  return {
    write: refuse,
    replace: refuse,
    sync: refuse,
    makeDirectory: refuse,
    link: (_target: string, path: string) => refuse(path),
    remove: refuse,
    rename: refuse,
    chmod: refuse,
    chown: refuse,
  } satisfies Partial<Files>
}
