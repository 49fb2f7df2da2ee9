import { delimiter } from 'node:path'

/** Folders of programs that only an administrator is thought to run; Debian leaves them out of a user's path. Puppet: util/platform.rb. */
const systemFolders = ['/usr/sbin', '/sbin']

/** The path on which programs are looked for: the inherited one, with the system's own folders at its end. */
export function searchPath(inherited = ''): string {
  const folders = inherited === '' ? [] : inherited.split(delimiter)
  return [...folders, ...systemFolders.filter((folder) => !folders.includes(folder))].join(delimiter)
}
