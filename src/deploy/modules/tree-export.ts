import { mkdir, mkdtemp, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MiB } from '../../base/budgets/budget.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { getSystemErrorCode, ignoreMissingFile } from '../../base/system-error.ts'
import { type GitPlace, runGit } from '../../code/git/git-command.ts'
import type { GitTreeEntry } from '../../code/git/git-object-source.ts'
import { gitIssues } from '../../code/git/issues.ts'
import { listTree } from '../../code/git/trees/tree-listing.ts'
import { resolveLink } from '../../machine/archive/archive-paths.ts'

const issues = defineIssues({
  TREE_PATH: {
    text: (a: { path: string; why: string }) => `Could not write the module file '${a.path}': ${a.why}`,
    hint: () => 'Use another version of the module.',
  },
})

/** Bytes of files that are in memory at the same time. */
const batchBytes = 16 * MiB

/**
 * Writes the files of a tree below `folder`, unless it exists. The folder appears with all its files, or not at all.
 * Throws TREE_PATH for names and links that lead out of the folder.
 */
export async function exportTree(place: GitPlace, tree: string, folder: string): Promise<void> {
  if (await ignoreMissingFile(stat(folder))) return
  const entries = await listTree(place, tree, {})
  for (const { path } of entries) checkPath(path)
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 })
  const staged = await mkdtemp(join(dirname(folder), '.staged-'))
  try {
    const links: { readonly path: string; readonly target: string }[] = []
    for (const batch of createBatches(entries)) {
      const contents = await readContents(place, batch)
      for (const [at, { path, mode }] of batch.entries()) {
        const content = contents[at]!
        if (mode === '120000') links.push({ path, target: content.toString() })
        else await writeModuleFile(join(staged, path), content, mode === '100755' ? 0o755 : 0o644)
      }
    }
    // Links come last, so that no file is written through a link.
    for (const { path, target } of links) {
      if (resolveLink(path, target) === undefined)
        throwIssue(issues.TREE_PATH, { path, why: 'the symbolic link points outside the module' })
      await mkdir(dirname(join(staged, path)), { recursive: true })
      await symlink(target, join(staged, path))
    }
    await rename(staged, folder)
  } catch (error) {
    // Another process has exported the same tree.
    if (!['EEXIST', 'ENOTEMPTY'].includes(getSystemErrorCode(error) ?? '') || !(await ignoreMissingFile(stat(folder))))
      throw error
  } finally {
    await rm(staged, { recursive: true, force: true })
  }
}

async function writeModuleFile(path: string, content: Uint8Array, mode: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content, { mode, flag: 'wx' })
}

function checkPath(path: string): void {
  const bad = path.split('/').find((part) => ['', '.', '..', '.git'].includes(part.toLowerCase()))
  if (bad !== undefined) throwIssue(issues.TREE_PATH, { path, why: `it contains '${bad}'` })
}

function* createBatches(entries: readonly GitTreeEntry[]): Generator<readonly GitTreeEntry[]> {
  let batch: GitTreeEntry[] = []
  let bytes = 0
  for (const entry of entries) {
    if (batch.length > 0 && bytes + (entry.size ?? 0) > batchBytes) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(entry)
    bytes += entry.size ?? 0
  }
  if (batch.length > 0) yield batch
}

async function readContents(place: GitPlace, entries: readonly GitTreeEntry[]): Promise<readonly Buffer[]> {
  const output = await runGit(place, ['cat-file', '--batch'], entries.map(({ oid }) => `${oid}\n`).join(''))
  let at = 0
  return entries.map(() => {
    const end = output.indexOf(0x0a, at)
    const size = Number(output.toString('latin1', at, end).split(' ')[2])
    if (end === -1 || !Number.isInteger(size)) throwIssue(gitIssues.GIT_UNREADABLE, { what: 'module files' })
    at = end + size + 2
    return output.subarray(end + 1, end + 1 + size)
  })
}
