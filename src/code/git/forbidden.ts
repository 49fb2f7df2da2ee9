import { constants } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { errorOf, type PuppetError } from '../../base/issue.ts'
import { systemCode } from '../../base/system-error.ts'
import { gitIssues } from './issues.ts'

/** The parts of a repository without which git takes it for none, or reads nothing of it. */
const needed = ['HEAD', 'config', 'packed-refs', 'objects', 'objects/pack', 'refs', 'refs/heads']

/** The error of what this process may not read of a folder that should be a repository; `undefined` if it may read all. */
export async function forbiddenIn(directory: string): Promise<PuppetError | undefined> {
  const places = [directory, join(directory, '.git')]
  return firstForbidden([...places, ...places.flatMap((place) => needed.map((part) => join(place, part)))])
}

/** The error about the files in which an object may lie and that may not be read: git takes such an object for a missing one. */
export async function forbiddenObject(gitDir: string, oid: string): Promise<PuppetError | undefined> {
  const loose = join(gitDir, 'objects', oid.slice(0, 2))
  const packs = join(gitDir, 'objects/pack')
  const names = (await readdir(packs).catch(() => [])).filter((name) => /\.(?:idx|pack)$/.test(name))
  const files = [join(loose, oid.slice(2)), ...names.map((name) => join(packs, name))]
  return firstForbidden([join(gitDir, 'objects'), loose, packs, ...files])
}

/** The error of the first of several paths that is there and may not be read. */
export async function firstForbidden(paths: readonly string[]): Promise<PuppetError | undefined> {
  for (const path of paths) if (!(await mayBeRead(path))) return errorOf(gitIssues.GIT_FORBIDDEN, await describe(path))
  return undefined
}

/** True of a path that may be read, and of a path where there is nothing. */
async function mayBeRead(path: string): Promise<boolean> {
  try {
    const isFolder = (await stat(path)).isDirectory()
    await access(path, isFolder ? constants.R_OK | constants.X_OK : constants.R_OK)
    return true
  } catch (error) {
    return systemCode(error) !== 'EACCES'
  }
}

/** Names the outermost folder that is in the way, if it is not the path itself. */
async function describe(path: string) {
  const found = await stat(path).catch(() => undefined)
  const above = dirname(path)
  if (!found && above !== path) return describe(above)
  const { uid = 'unknown', mode = 0 } = found ?? {}
  return { path, owner: uid, mode: (mode & 0o7777).toString(8).padStart(4, '0'), user: userName() }
}

/** The user of this process: by name if the system has a name, and by number. */
function userName(): string {
  try {
    const { username, uid } = userInfo()
    return `${username} (${uid})`
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}
