import { isIssue } from '../../base/issue.ts'
import { type GitPlace, runGit } from './git-command.ts'
import { gitIssues } from './issues.ts'
import { checkOid } from './ref-names.ts'

/** Returns the common ancestor of two known commits; see `GitObjectSource`. */
export async function findMergeBase(place: GitPlace, one: string, other: string): Promise<string | undefined> {
  try {
    const found = await runGit(place, ['merge-base', checkOid(one), checkOid(other)])
    return checkOid(found.toString('latin1').trim())
  } catch (error) {
    // Git fails without a message if there is no common ancestor.
    if (isIssue(error, gitIssues.GIT_FAILED)) return undefined
    throw error
  }
}
