/** A module two folders below the root, and of it the folders that a commit's files are served from. */
const servedFolder = /^[^/]+\/[^/]+\/(?:files|tasks|scripts|lib)(?=\/|$)/

/**
 * True of a path, from the root of the tree, whose files `static_file_content` gives: a file that it does not give
 * stands in no static catalog. As Puppet Server: no other file of a commit can be asked for, whatever its modulepath says.
 */
export function isServedByCommit(path: string): boolean {
  return servedFolder.test(path)
}

/** True of a path inside such a folder, not of the folder itself. */
export function isFileServedByCommit(path: string): boolean {
  const [folder] = servedFolder.exec(path) ?? []
  return folder !== undefined && path.length > folder.length + 1
}
