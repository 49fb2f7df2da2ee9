/** Makes a path relative to a folder; returns a path outside of the folder unchanged. */
export function toRelativePath(folder: string, path: string): string {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
}
