import { posix } from 'node:path'

/** True on Windows. */
export const isWindows: boolean = process.platform === 'win32'

const name = String.raw`[^<>:"|?*\\/]+`

/** `C:\x`, `\\server\share`, or `\\?\x`, each also with slashes. Puppet: util.rb, `AbsolutePathWindows`. */
const absoluteOnWindows = new RegExp(
  String.raw`^(?:[A-Z]:[\\/]|[\\/]{2}${name}[\\/]${name}|[\\/]{2}\?[\\/]${name})`,
  'i',
)

/** True if a path is absolute as Puppet sees it on this machine, or on Windows if `onWindows` is set. */
export function isAbsolutePath(path: string, onWindows: boolean = isWindows): boolean {
  return onWindows ? absoluteOnWindows.test(path) : path.startsWith('/')
}

/**
 * An absolute path without `.`, `..` and needless slashes, as `File.expand_path` of Ruby gives it: `/a//b/../c/` becomes
 * `/a/c`. On Windows, `c:\a\..\b` becomes `c:/b`; a drive or a share stays the root.
 */
export function normalizePath(path: string, onWindows: boolean = isWindows): string {
  const whole = onWindows ? toSlashes(path) : path
  const root = onWindows ? (/^(?:[a-z]:|\/\/[^/]+\/[^/]+)/i.exec(whole)?.[0] ?? '') : ''
  const parts: string[] = []
  for (const part of whole.slice(root.length).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  const isShare = root.startsWith('//')
  return parts.length === 0 && isShare ? root : `${root}/${parts.join('/')}`
}

/** A Windows path with slashes in place of backslashes, which is the form of paths in settings, resources and facts. */
export const toSlashes = (path: string): string => path.replaceAll('\\', '/')

/** A Windows path with backslashes, as the programs of Windows want it. */
export const toBackslashes = (path: string): string => path.replaceAll('/', '\\')

/**
 * A key that is equal for all paths of a file: on Windows, the case of letters does not count.
 * Short (8.3) names are not resolved.
 */
export function toPathKey(path: string, onWindows: boolean = isWindows): string {
  return onWindows ? normalizePath(path, true).toLowerCase() : path
}

/** True if a path is a folder or below it. On Windows, the case of letters does not count. */
export function isWithinFolder(path: string, folder: string, onWindows: boolean = isWindows): boolean {
  const key = toPathKey(folder, onWindows)
  return `${toPathKey(path, onWindows)}/`.startsWith(key.endsWith('/') ? key : `${key}/`)
}

/** The drive of a path with slashes, or its share with the server's name; empty on other systems than Windows. */
const getRoot = (path: string): string => /^(?:[a-z]:|\/\/[^/]+\/[^/]+)(?=\/|$)/i.exec(path)?.[0] ?? ''

/**
 * The folder of an absolute path, as `File.dirname` of Ruby gives it: `/a` for `/a/b`, `C:/` for `C:/a`, and `//server/share`
 * for `//server/share/a`.
 */
export function getParentPath(path: string, onWindows: boolean = isWindows): string {
  const root = onWindows ? getRoot(path) : ''
  const parent = posix.dirname(path.slice(root.length) || '/')
  return parent === '/' && root.startsWith('//') ? root : `${root}${parent}`
}

/** Joins an absolute path and names; `..` is resolved. Two slashes in front of a share remain. */
export function appendPath(folder: string, ...names: readonly string[]): string {
  const joined = posix.join(folder, ...names)
  return folder.startsWith('//') && isWindows ? `/${joined}` : joined
}

/** The absolute path of a link's target, which may be relative to the link's folder. */
export function resolveLinkTarget(link: string, target: string, onWindows: boolean = isWindows): string {
  if (!onWindows) return posix.resolve(posix.dirname(link), target)
  return normalizePath(isAbsolutePath(target, true) ? target : `${getParentPath(link, true)}/${target}`, true)
}

/** The folders above a path, the nearest first. */
export function listParentPaths(path: string, onWindows: boolean = isWindows): string[] {
  const ancestors: string[] = []
  for (let at = path, parent = getParentPath(at, onWindows); parent !== at; parent = getParentPath(at, onWindows)) {
    ancestors.push(parent)
    at = parent
  }
  return ancestors
}

/** The character between the paths of a search path: a colon, on Windows a semicolon. */
export const searchPathSeparator: string = isWindows ? ';' : ':'

/**
 * The path of a setting in the form that the rest of the program expects: on Windows with single slashes, as in Puppet, also
 * if it consists of `C:\\var\\` and `/state`.
 */
export function toSettingPath(path: string, onWindows: boolean = isWindows): string {
  if (!onWindows) return path
  return isAbsolutePath(path, true) && !path.startsWith('\\\\?') ? normalizePath(path, true) : toSlashes(path)
}
