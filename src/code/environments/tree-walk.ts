import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { CodeTree, TreeEntry } from './code-tree.ts'

/** Errors that occur while walking a tree. */
export const walkIssues = defineIssues({
  SEARCH_TOO_LARGE: {
    // In the style of Puppet's max_files: file_serving/fileset.rb
    text: (a: { directory: string; limit: number }) =>
      `The directory '${a.directory}' contains more than ${a.limit} entries, which exceeds the limit of one search`,
    hint: () => 'The targets of symbolic links count once for each link.',
  },
})

/** Limits the number of names that one search may visit; a name reached through several links counts several times. */
export class SearchBudget {
  readonly #directory: string
  #left = budgets.request.searchedFiles.bound

  /** @param directory The searched directory, for the error message. */
  constructor(directory: string) {
    this.#directory = directory
  }

  /** Counts one name. Throws SEARCH_TOO_LARGE. */
  take(): void {
    if (this.#left-- > 0) return
    throwIssue(walkIssues.SEARCH_TOO_LARGE, { directory: this.#directory, limit: budgets.request.searchedFiles.bound })
  }
}

/** The folders that contain the current one, innermost first. */
export interface ParentFolder {
  readonly oid: string
  readonly above: ParentFolder | undefined
}

/** Returns true if the walk is already inside this folder, so that a link would loop. */
export function isParentFolder(above: ParentFolder | undefined, oid: string): boolean {
  for (let each = above; each; each = each.above) if (each.oid === oid) return true
  return false
}

/** A file found by a walk; its path starts at the root of the tree. */
export interface WalkedFile {
  readonly path: string
  readonly entry: TreeEntry
}

/**
 * Yields all files below a folder by name, depth first. Links are followed unless they lead back
 * into a folder that contains them. Throws SEARCH_TOO_LARGE.
 */
export function* walkFiles(
  tree: CodeTree,
  folder: string,
  isWanted: (name: string) => boolean = () => true,
): Generator<WalkedFile, void> {
  const budget = new SearchBudget(folder === '' ? tree.root : `${tree.root}/${folder}`)
  const pending: { path: string; above: ParentFolder | undefined }[] = [{ path: folder, above: undefined }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { path, above } = next
    const entry = tree.entry(path)
    if (entry?.kind === 'file') yield { path, entry }
    if (entry?.kind !== 'directory' || isParentFolder(above, entry.oid)) continue
    const inside = { oid: entry.oid, above }
    const children: typeof pending = []
    for (const name of tree.list(path)) {
      budget.take()
      if (isWanted(name)) children.push({ path: path === '' ? name : `${path}/${name}`, above: inside })
    }
    pending.push(...children.reverse())
  }
}
