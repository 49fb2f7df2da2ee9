import { throwIssue } from '../../base/issue.ts'
import type { CodeSource } from '../sources/code-source.ts'
import type { GitHost } from './git-host.ts'
import { HostClient, type HostSettings } from './host-client.ts'
import { gitHostKinds } from './hosts/hosts.ts'
import { reviewIssues } from './review-issues.ts'

/** Returns the Git host of a source. Throws REVIEW_NOT_CONFIGURED. */
export function openGitHost(
  { name, review, access }: Pick<CodeSource, 'name' | 'review' | 'access'>,
  settings: HostSettings,
): GitHost {
  if (!review) return throwIssue(reviewIssues.REVIEW_NOT_CONFIGURED, { source: name })
  const kind = gitHostKinds[review.host]
  return kind.open(new HostClient(kind, { review, access }, settings), review.repository)
}
