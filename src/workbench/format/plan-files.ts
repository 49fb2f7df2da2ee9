import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

/**
 * True for a file in the folder `plans` of a module, where `plan` and `apply` are keywords. The module is the nearest
 * folder with a metadata.json; without one, a folder `plans` outside of manifests counts.
 */
export function isPlanFile(path: string, exists: (path: string) => boolean = existsSync): boolean {
  const file = resolve(path)
  const folders = dirname(file).split(sep)
  if (!folders.includes('plans')) return false
  const root = findModuleRoot(dirname(file), exists)
  if (root !== undefined) return relative(root, file).startsWith(`plans${sep}`)
  return !['manifests', 'functions', 'types'].some((name) => folders.includes(name))
}

function findModuleRoot(start: string, exists: (path: string) => boolean): string | undefined {
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder))
    if (exists(join(folder, 'metadata.json'))) return folder
  return undefined
}
