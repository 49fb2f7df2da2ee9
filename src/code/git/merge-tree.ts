import { isIssue } from '../../base/issue.ts'
import { type GitPlace, runGit } from './git-command.ts'
import { gitIssues } from './issues.ts'
import { checkOid } from './ref-names.ts'

/** Returns the ID of a commit's tree. Throws GIT_FAILED. */
export async function readTreeId(place: GitPlace, commit: string): Promise<string> {
  const found = await runGit(place, ['rev-parse', '--verify', '--end-of-options', `${checkOid(commit)}^{tree}`])
  return checkOid(found.toString('latin1').trim())
}

/**
 * Returns the tree ID of the merge of two commits; undefined if they conflict. Git before 2.38 cannot
 * compute it, and the result is undefined, too, unless one commit contains the other.
 */
export async function computeMergeTree(place: GitPlace, one: string, other: string): Promise<string | undefined> {
  const commits = [checkOid(one), checkOid(other)] as const
  try {
    const [base] = (await runGit(place, ['merge-base', ...commits])).toString('latin1').split('\n')
    if (base === one) return await readTreeId(place, other)
    if (base === other) return await readTreeId(place, one)
    const merged = await runGit(place, ['merge-tree', '--write-tree', '--no-messages', ...commits])
    return checkOid(merged.toString('latin1').trim())
  } catch (error) {
    if (isIssue(error, gitIssues.GIT_FAILED)) return undefined
    throw error
  }
}

/** Returns the paths of the files that differ between two commits. Throws GIT_FAILED. */
export async function listChangedPaths(place: GitPlace, from: string, to: string): Promise<readonly string[]> {
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', checkOid(from), checkOid(to), '--']
  const listed = await runGit(place, args)
  return listed.toString('utf8').split('\0').slice(0, -1)
}
