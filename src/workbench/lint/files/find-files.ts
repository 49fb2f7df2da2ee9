import { type Dirent, readdirSync, statSync } from 'node:fs'
import { budgets } from '../../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../../base/issue.ts'
import { getSystemErrorCode } from '../../../base/system-error.ts'
import { compareCodeUnits } from '../../../base/text/code-unit-order.ts'
import { compileNameGlob } from '../../../base/text/glob.ts'
import { trimTrailingSlashes } from '../../../base/text/trailing-characters.ts'

const issues = defineIssues({
  LINT_TOO_MANY_FILES: {
    text: (a: { path: string; bound: number }) => `${a.path} contains more than ${a.bound} files`,
    hint: () => 'Name the folders of your own modules.',
  },
})

/** Options of a search for files. */
export interface SearchOptions {
  /** Skip links to files in folders, which may lead to files of other folders. */
  readonly skipLinks: boolean
  /** Include EPP templates. */
  readonly templates?: boolean
}

/**
 * The files of the given paths: the manifests, and then the YAML files, of a folder; other paths as they are. A folder
 * that cannot be read stands for itself, so that its reader reports it. Throws LINT_TOO_MANY_FILES.
 */
export function findFiles(paths: readonly string[], options: SearchOptions): string[] {
  return paths.flatMap((path) => listFiles(path, options))
}

/** The paths that match no pattern, in which `*` also matches slashes. */
export function removeIgnored(files: readonly string[], patterns: readonly string[]): string[] {
  const globs = patterns.map((pattern) => compileNameGlob(pattern))
  return files.filter((file) => !globs.some((glob) => glob.matches(file)))
}

function listFiles(path: string, options: SearchOptions): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path]
  const unreadable: string[] = []
  const files = [...walk(trimTrailingSlashes(path), options, unreadable)]
  const found = ['.pp', ...(options.templates ? ['.epp'] : []), '.yaml', '.yml'].flatMap((ending) =>
    files.filter((file) => file.endsWith(ending)),
  )
  return [...unreadable, ...found]
}

/** Files below a folder, in the order of Ruby's Dir.glob. Hidden folders and links to folders are skipped. */
function* walk(root: string, options: SearchOptions, unreadable: string[]): Generator<string> {
  const { bound } = budgets.lint.files
  const pending = listEntries(root, options, unreadable)
  let count = pending.length
  for (let entry = pending.pop(); entry; entry = pending.pop()) {
    if (entry.isFolder) {
      const entries = listEntries(entry.path, options, unreadable)
      count += entries.length
      if (count > bound) throwIssue(issues.LINT_TOO_MANY_FILES, { path: root, bound })
      for (const each of entries) pending.push(each)
    } else yield entry.path
  }
}

interface Entry {
  readonly path: string
  readonly isFolder: boolean
}

/** The entries of a folder in reverse order. A folder that cannot be read is added to `unreadable`. */
function listEntries(folder: string, { skipLinks }: SearchOptions, unreadable: string[]): Entry[] {
  const isSkipped = (entry: Dirent) => entry.name.startsWith('.') || (skipLinks && entry.isSymbolicLink())
  let entries: readonly Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (getSystemErrorCode(error) === undefined) throw error
    unreadable.push(folder)
    return []
  }
  return entries
    .filter((entry) => !isSkipped(entry))
    .sort((left, right) => compareCodeUnits(right.name, left.name))
    .map((entry) => ({ path: `${folder}/${entry.name}`, isFolder: entry.isDirectory() }))
}
