import type { CompileEnvironment } from './compile-environment.ts'

/**
 * A path in the code of a commit, for users, who have the repository but no such folder: `main@1a2b3c4:data/common.yaml`, or
 * `main@1a2b3c4` for the root. Undefined for a path elsewhere, and for code in a folder.
 */
export function shownPath(
  { revision, tree }: Pick<CompileEnvironment, 'revision' | 'tree'>,
  path: string,
): string | undefined {
  if (revision === undefined) return undefined
  if (path === tree.root) return revision
  return path.startsWith(`${tree.root}/`) ? `${revision}:${path.slice(tree.root.length + 1)}` : undefined
}
