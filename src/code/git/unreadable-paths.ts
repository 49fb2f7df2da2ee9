import { constants } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { createPuppetError, type PuppetError } from '../../base/issue.ts'
import { getSystemErrorCode } from '../../base/system-error.ts'
import { gitIssues } from './issues.ts'

/** The files without which git does not recognize a repository, or cannot read it. */
const needed = ['HEAD', 'config', 'packed-refs', 'objects', 'objects/pack', 'refs', 'refs/heads']

/** Returns an error if this process may not read some part of a repository; `undefined` if everything is readable. */
export async function findUnreadableRepositoryPart(directory: string): Promise<PuppetError | undefined> {
  const places = [directory, join(directory, '.git')]
  return findFirstUnreadable([...places, ...places.flatMap((place) => needed.map((part) => join(place, part)))])
}

/**
 * Returns an error if a file that may contain the object is unreadable: git reports such an object
 * as missing.
 */
export async function findUnreadableObjectFile(gitDir: string, oid: string): Promise<PuppetError | undefined> {
  const loose = join(gitDir, 'objects', oid.slice(0, 2))
  const packs = join(gitDir, 'objects/pack')
  const names = (await readdir(packs).catch(() => [])).filter((name) => /\.(?:idx|pack)$/.test(name))
  const files = [join(loose, oid.slice(2)), ...names.map((name) => join(packs, name))]
  return findFirstUnreadable([join(gitDir, 'objects'), loose, packs, ...files])
}

/** Returns an error for the first path that exists but may not be read. */
export async function findFirstUnreadable(paths: readonly string[]): Promise<PuppetError | undefined> {
  for (const path of paths)
    if (!(await isReadable(path))) return createPuppetError(gitIssues.GIT_FORBIDDEN, await describeUnreadablePath(path))
  return undefined
}

/** Returns true if a path may be read, or does not exist. */
async function isReadable(path: string): Promise<boolean> {
  try {
    const isFolder = (await stat(path)).isDirectory()
    await access(path, isFolder ? constants.R_OK | constants.X_OK : constants.R_OK)
    return true
  } catch (error) {
    return getSystemErrorCode(error) !== 'EACCES'
  }
}

/** Describes the outermost unreadable folder that contains the path, or the path itself. */
async function describeUnreadablePath(path: string) {
  const found = await stat(path).catch(() => undefined)
  const above = dirname(path)
  if (!found && above !== path) return describeUnreadablePath(above)
  const { uid = 'unknown', mode = 0 } = found ?? {}
  return { path, owner: uid, mode: (mode & 0o7777).toString(8).padStart(4, '0'), user: getUserName() }
}

/** Returns the name and the number of the user of this process. */
function getUserName(): string {
  try {
    const { username, uid } = userInfo()
    return `${username} (${uid})`
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}
