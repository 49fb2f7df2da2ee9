/** A path from a folder, where it is in there; else as it is. */
export function pathIn(folder: string, path: string): string {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
}
