import type { CompileEnvironment } from './compile-environment.ts'

/**
 * The commit and path of a file, for messages: `main@1a2b3c4:data/common.yaml`; `main@1a2b3c4` for the root folder.
 * Undefined if the file is not part of a commit.
 */
export function formatCommitPath(
  { revision, tree }: Pick<CompileEnvironment, 'revision' | 'tree'>,
  path: string,
): string | undefined {
  if (revision === undefined) return undefined
  if (path === tree.root) return revision
  return path.startsWith(`${tree.root}/`) ? `${revision}:${path.slice(tree.root.length + 1)}` : undefined
}
