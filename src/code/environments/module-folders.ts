import { resolve } from 'node:path'
import { createFolderMatcher, isGlobPattern } from './glob.ts'
import type { ModuleFolders } from './static-catalog-files.ts'

/** Returns matchers for the modulepath folders inside a tree; folders outside of the tree are ignored. */
export function createModuleFolderMatchers(modulepath: readonly string[], root: string): ModuleFolders {
  return modulepath.flatMap((entry) => {
    const path = getPathInTree(entry, root)
    if (path === undefined) return []
    if (isGlobPattern(path)) return [createFolderMatcher(path)]
    const folder = path === '' ? [] : path.split('/')
    return [(names: readonly string[]) => (folder.every((name, at) => names[at] === name) ? folder.length : undefined)]
  })
}

/** Returns a path relative to the root; `undefined` if it lies outside. */
export function getPathInTree(path: string, root: string): string | undefined {
  const absolute = resolve(root, path)
  if (absolute === root) return ''
  return absolute.startsWith(`${root}/`) ? absolute.slice(root.length + 1) : undefined
}
