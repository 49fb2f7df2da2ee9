import { budgets } from '../../base/budgets/budgets.ts'
import { isIssue, PuppetError, throwIssue } from '../../base/issue.ts'
import { type GitPlace, runGit } from '../../code/git/git-command.ts'
import type { GitTreeEntry } from '../../code/git/git-object-source.ts'
import { gitIssues } from '../../code/git/issues.ts'
import { readFolder, writeFolder } from '../../code/git/object-writer.ts'
import { listTree } from '../../code/git/trees/tree-listing.ts'
import { moduleIssues as issues } from './issues.ts'

const { files, path, depth } = budgets.module
/** Limits of a module. The limit on the total size of paths allows paths of usual length for all files. */
const limits = { files: files.bound, paths: files.bound * 200, path: path.bound, depth: depth.bound }

/**
 * First line of a file that Git LFS stores elsewhere.
 * https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
 */
const pointer = 'version https://git-lfs.github.com/spec/v1\n'
/**
 * Size of an LFS pointer file in bytes: below 1024 by its specification, and enough for its three
 * lines.
 */
const pointerBytes = { least: 100, most: 1023 }

/** Checks that the tree of a commit can be served. Throws MODULE_SUBMODULE, MODULE_LFS, MODULE_TOO_LARGE. */
export async function checkModuleTree(place: GitPlace, tree: string, maxBytes: number): Promise<void> {
  const entries = await listModuleFiles(place, tree)
  const submodule = entries.find(({ mode }) => mode === '160000')
  if (submodule) throwIssue(issues.MODULE_SUBMODULE, { path: submodule.path })
  const bytes = entries.reduce((sum, { size = 0 }) => sum + size, 0)
  if (bytes > maxBytes)
    throwIssue(issues.MODULE_TOO_LARGE, { what: 'bytes', bound: maxBytes, setting: 'max_module_bytes' })
  const kept = await findLfsPointer(place, entries)
  if (kept !== undefined) throwIssue(issues.MODULE_LFS, { path: kept })
}

async function listModuleFiles(place: GitPlace, tree: string): Promise<readonly GitTreeEntry[]> {
  try {
    return await listTree(place, tree, { limits })
  } catch (error) {
    if (!isIssue(error, gitIssues.GIT_TREE_TOO_LARGE)) throw error
    // The hint of the original error names a setting for environments, which does not apply to modules.
    throw new PuppetError(
      { ...error.diagnostic, hint: 'See docs/budgets.md for the limits of a module.' },
      { cause: error },
    )
  }
}

/** Returns the first LFS pointer file, if the attributes mention LFS. */
async function findLfsPointer(place: GitPlace, entries: readonly GitTreeEntry[]): Promise<string | undefined> {
  const attributes = entries.filter(({ path: each }) => /(?:^|\/)\.gitattributes$/.test(each))
  if (attributes.length === 0) return undefined
  if (!(await readBlobs(place, attributes)).some((text) => text.includes('filter=lfs'))) return undefined
  const { least, most } = pointerBytes
  const small = entries.filter(({ size = 0, mode }) => mode !== '120000' && size >= least && size <= most)
  const found = (await readBlobs(place, small)).findIndex((text) => text.startsWith(pointer))
  return small[found]?.path
}

/** Returns the contents of small files, in the order of `entries`. */
export async function readBlobs(
  place: GitPlace,
  entries: readonly Pick<GitTreeEntry, 'oid' | 'size'>[],
): Promise<readonly string[]> {
  const some = entries.filter(({ size = 0 }) => size <= budgets.module.answer.bound)
  if (some.length === 0) return []
  const output = await runGit(place, ['cat-file', '--batch'], some.map(({ oid }) => `${oid}\n`).join(''))
  const contents: string[] = []
  for (let at = 0; contents.length < some.length; ) {
    const end = output.indexOf(0x0a, at)
    const size = Number(output.toString('latin1', at, end).split(' ')[2])
    if (end === -1 || !Number.isInteger(size)) throwIssue(gitIssues.GIT_UNREADABLE, { what: 'module files' })
    contents.push(output.toString('utf8', end + 1, end + 1 + size))
    at = end + size + 2
  }
  return contents
}

/** Returns the tree without its folder `spec`. */
export async function removeSpecFolder(place: GitPlace, tree: string): Promise<string> {
  const entries = await readFolder(place, tree)
  const kept = entries.filter(({ name, type }) => name !== 'spec' || type !== 'tree')
  return kept.length === entries.length ? tree : writeFolder(place, kept)
}
