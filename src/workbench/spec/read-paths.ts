import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { listEnvironmentTrees, type NewRead, Reads } from '../../compiler/reads/compilation-reads.ts'

/** Kinds of reads with the number of a tree and a path in it. */
const treeKinds: ReadonlySet<string> = new Set(['kind', 'bytes', 'link', 'folder', 'syntax', 'data', 'all-data'])

/**
 * Records the paths in the module under test that a compilation reads or searches, relative to the module. A path that
 * does not exist is recorded, too, because a new file changes the result.
 */
export function recordReadPaths(environment: CompileEnvironment, module: string, take: (path: string) => void): Reads {
  const roots = listEnvironmentTrees(environment).map(({ root }) => root)
  const takeInside = (path: string) => {
    if (path.startsWith(`${module}/`)) take(path.slice(module.length + 1))
  }
  const ask: NewRead = (kind, [first = '', second = '']) => {
    if (treeKinds.has(kind)) takeInside(second)
    else if ((kind === 'module-file' || kind === 'module-entry') && first === module) take(second)
    else if (kind === 'file-in-any') take(first)
    else if (kind === 'definition') takeDefinition(second, module, take)
    else if (kind === 'ruby-path' || kind === 'ruby-folder')
      for (const root of roots) if (first.startsWith(`${root}/`)) takeInside(first.slice(root.length + 1))
  }
  return new Reads(environment, ask)
}

/** Records the file that would define a class or defined type. */
function takeDefinition(name: string, module: string, take: (path: string) => void): void {
  const [first, ...rest] = name.toLowerCase().split('::')
  if (first === module) take(`manifests/${rest.length === 0 ? 'init' : rest.join('/')}.pp`)
}
