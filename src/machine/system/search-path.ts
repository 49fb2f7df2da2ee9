import { delimiter } from 'node:path'
import { isWindows } from '../windows/machine-path.ts'

/** Folders of administrator programs, which Debian omits from a user's path. Puppet: util/platform.rb. */
const systemFolders = isWindows ? [] : ['/usr/sbin', '/sbin']

/** The search path for programs: the inherited one, followed by the system folders. */
export function buildSearchPath(inherited = ''): string {
  const folders = inherited === '' ? [] : inherited.split(delimiter)
  return [...folders, ...systemFolders.filter((folder) => !folders.includes(folder))].join(delimiter)
}
