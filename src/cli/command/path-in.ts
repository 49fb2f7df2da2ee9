/** A path relative to a folder; returned unchanged if it is outside. */
export function pathIn(folder: string, path: string): string {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
}
