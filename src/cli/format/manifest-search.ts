import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'

const issues = defineIssues({
  NOT_A_MANIFEST_FILE: {
    text: (a: { path: string }) => `${a.path} is not a manifest`,
    hint: () => 'Only files with the extension .pp are formatted.',
  },
})

/** Directories with code of other authors: dependencies, built packages, and the modules of a test. */
const foreignDirectories: ReadonlySet<string> = new Set(['node_modules', 'pkg', 'vendor'])

/**
 * Lists a manifest, or the manifests in a directory in alphabetical order. In a directory, symbolic links, names that
 * start with a dot, and directories of dependencies are ignored. Throws if the path does not exist or is another file.
 */
export function findManifests(path: string): readonly string[] {
  if (statSync(path).isDirectory()) return [...walk(path)]
  if (!path.endsWith('.pp')) throwIssue(issues.NOT_A_MANIFEST_FILE, { path })
  return [path]
}

function* walk(directory: string): Generator<string> {
  const entries = readdirSync(directory, { withFileTypes: true })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const path = join(directory, entry.name)
    if (entry.isFile() && entry.name.endsWith('.pp')) yield path
    else if (entry.isDirectory() && !isForeign(entry, directory)) yield* walk(path)
  }
}

function isForeign({ name }: Dirent, parent: string): boolean {
  return name.startsWith('.') || foreignDirectories.has(name) || (name === 'fixtures' && /(?:^|\/)spec$/.test(parent))
}

/** Removes paths that lead to a file that is already in the list. */
export function removeDuplicates(paths: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return paths.filter((path) => {
    const real = realpathSync(path)
    const isNew = !seen.has(real)
    seen.add(real)
    return isNew
  })
}
