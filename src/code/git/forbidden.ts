import { constants } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { errorOf, type PuppetError } from '../../base/issue.ts'
import { systemCode } from '../../base/system-error.ts'
import { gitIssues } from './issues.ts'

/** The files without which git does not recognize a repository, or cannot read it. */
const needed = ['HEAD', 'config', 'packed-refs', 'objects', 'objects/pack', 'refs', 'refs/heads']

/** Returns an error if this process may not read some part of a repository; `undefined` if everything is readable. */
export async function forbiddenIn(directory: string): Promise<PuppetError | undefined> {
  const places = [directory, join(directory, '.git')]
  return firstForbidden([...places, ...places.flatMap((place) => needed.map((part) => join(place, part)))])
}

/**
 * Returns an error if a file that may contain the object is unreadable: git reports such an object
 * as missing.
 */
export async function forbiddenObject(gitDir: string, oid: string): Promise<PuppetError | undefined> {
  const loose = join(gitDir, 'objects', oid.slice(0, 2))
  const packs = join(gitDir, 'objects/pack')
  const names = (await readdir(packs).catch(() => [])).filter((name) => /\.(?:idx|pack)$/.test(name))
  const files = [join(loose, oid.slice(2)), ...names.map((name) => join(packs, name))]
  return firstForbidden([join(gitDir, 'objects'), loose, packs, ...files])
}

/** Returns an error for the first path that exists but may not be read. */
export async function firstForbidden(paths: readonly string[]): Promise<PuppetError | undefined> {
  for (const path of paths) if (!(await mayBeRead(path))) return errorOf(gitIssues.GIT_FORBIDDEN, await describe(path))
  return undefined
}

/** Returns true if a path may be read, or does not exist. */
async function mayBeRead(path: string): Promise<boolean> {
  try {
    const isFolder = (await stat(path)).isDirectory()
    await access(path, isFolder ? constants.R_OK | constants.X_OK : constants.R_OK)
    return true
  } catch (error) {
    return systemCode(error) !== 'EACCES'
  }
}

/** Describes the outermost unreadable folder that contains the path, or the path itself. */
async function describe(path: string) {
  const found = await stat(path).catch(() => undefined)
  const above = dirname(path)
  if (!found && above !== path) return describe(above)
  const { uid = 'unknown', mode = 0 } = found ?? {}
  return { path, owner: uid, mode: (mode & 0o7777).toString(8).padStart(4, '0'), user: userName() }
}

/** Returns the name and the number of the user of this process. */
function userName(): string {
  try {
    const { username, uid } = userInfo()
    return `${username} (${uid})`
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}
