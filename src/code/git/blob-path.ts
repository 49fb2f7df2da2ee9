import { budgets } from '../../base/budgets/budgets.ts'
import type { GitObjectSource } from './git-object-source.ts'

/** Largest number of links that are followed in one path, as in Linux. */
export const mostLinks = 40

const { searchedFolders, searchedSteps } = budgets.request

/**
 * Returns the blob at a path of a commit, following links inside the commit; `undefined` if the
 * path is not a file, or leads out of the commit. Reads only the folders on the path. Throws
 * GIT_OBJECT_TOO_LARGE.
 */
export async function findBlob(source: GitObjectSource, commit: string, path: string): Promise<string | undefined> {
  const ahead = path.split('/').reverse()
  const folders = [commit]
  let links = 0
  let bytes = 0
  let steps = 0
  for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
    if (name === '' || name === '.') continue
    if (name === '..') {
      folders.pop()
      if (folders.length === 0) return undefined
      continue
    }
    if (++steps > searchedSteps.bound) return undefined
    const { child, size } = await source.findChild(folders.at(-1)!, name, { maxBytes: searchedFolders.bound - bytes })
    bytes += size
    if (child?.mode === '040000') folders.push(child.oid)
    else if (child?.mode === '120000') {
      const destination = (await source.readBlob(child.oid, { maxBytes: budgets.push.path.bound })).toString()
      if (destination.startsWith('/') || ++links > mostLinks) return undefined
      ahead.push(...destination.split('/').reverse())
    } else return child?.mode !== '160000' && ahead.length === 0 ? child?.oid : undefined
  }
  return undefined
}

/** Returns true for a path without empty names, `.` or `..`. */
export function isPlainPath(path: string): boolean {
  return !path.split('/').some((part) => part === '' || part === '.' || part === '..')
}
