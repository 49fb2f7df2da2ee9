import type { CodeTree } from './code-tree.ts'
import { walkFiles } from './tree-walk.ts'

/** Returns the files of a main manifest, which may be a folder, in evaluation order. */
export function listManifests(tree: CodeTree, path: string): string[] {
  if (tree.entry(path)?.kind === 'file') return [path]
  const files = [...walkFiles(tree, path, (name) => !name.startsWith('.'))]
  return files
    .map((file) => file.path)
    .filter((file) => file.endsWith('.pp'))
    .sort()
}
