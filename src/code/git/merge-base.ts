import { isIssue } from '../../base/issue.ts'
import { type GitPlace, git } from './git-command.ts'
import { gitIssues } from './issues.ts'
import { checkedOid } from './names.ts'

/** Returns the common ancestor of two known commits; see `GitObjectSource`. */
export async function mergeBase(place: GitPlace, one: string, other: string): Promise<string | undefined> {
  try {
    const found = await git(place, ['merge-base', checkedOid(one), checkedOid(other)])
    return checkedOid(found.toString('latin1').trim())
  } catch (error) {
    // Git fails without a message if there is no common ancestor.
    if (isIssue(error, gitIssues.GIT_FAILED)) return undefined
    throw error
  }
}
