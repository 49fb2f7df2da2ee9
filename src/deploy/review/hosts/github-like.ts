import type { ExactJson } from '../../../base/json/exact-json.ts'
import { getNested, getNestedText } from '../../../base/json/nested.ts'
import { type GitHost, type HostComment, impactStatus, type MergeRequest } from '../git-host.ts'
import { listCommits, requireCommit, requireInteger, requireText } from '../host-answers.ts'
import type { HostClient, HostPath } from '../host-client.ts'

/** Returns the operations that GitHub and Gitea, whose API follows that of GitHub, have in common. */
export function createSharedOperations(
  client: HostClient,
  root: HostPath,
): Pick<
  GitHost,
  'syntax' | 'maxComment' | 'getMergeRequest' | 'getOwnAccount' | 'createComment' | 'editComment' | 'setStatus'
> {
  return {
    ...{ syntax: 'html', maxComment: 65_536 },
    getMergeRequest: async (number) => parsePullRequest(await client.send([...root, 'pulls', number])),
    getOwnAccount: async () => requireText(await client.send(['user']), 'user', 'login'),
    async createComment(number, body) {
      await client.send([...root, 'issues', number, 'comments'], { method: 'POST', body: { body } })
    },
    async editComment(_, { id }, body) {
      await client.send([...root, 'issues', 'comments', id], { method: 'PATCH', body: { body } })
    },
    async setStatus(commit, { state, description, url }, name = impactStatus) {
      const body = { state, description, context: name, ...(url !== undefined && { target_url: url }) }
      await client.send([...root, 'statuses', commit], { method: 'POST', body })
    },
  }
}

/** Parses a comment of an issue. Throws REVIEW_ANSWER. */
export function parseIssueComment(entry: ExactJson): HostComment {
  return {
    id: String(requireInteger(entry, 'comments', 'id')),
    author: getNestedText(entry, 'user', 'login'),
    text: getNestedText(entry, 'body') ?? '',
  }
}

/** Parses a pull request. Throws REVIEW_ANSWER. */
export function parsePullRequest(json: ExactJson | undefined): MergeRequest {
  const place = 'pulls'
  const number = requireInteger(json, place, 'number')
  const isMerged = getNestedText(json, 'merged_at') !== undefined
  const own = getNested(json, 'head', 'repo', 'id')
  return {
    number,
    state: isMerged ? 'merged' : getNestedText(json, 'state') === 'open' ? 'open' : 'closed',
    author: getNestedText(json, 'user', 'login') ?? '',
    head: requireCommit(json, place, 'head', 'sha'),
    target: requireText(json, place, 'base', 'ref'),
    ref: `refs/pull/${number}/head`,
    isFork: typeof own !== 'number' || own !== getNested(json, 'base', 'repo', 'id'),
    // For an open pull request, this commit is a trial of the merge.
    results: isMerged ? listCommits(getNested(json, 'merge_commit_sha')) : [],
  }
}

/** A review of an account, in the order of time. */
export interface AccountDecision {
  readonly account: string | undefined
  /** True for an approval of the newest commit, false for another decision; undefined for a mere comment. */
  readonly isApproving: boolean | undefined
}

/** People in an entry of the commits of a pull request: accounts that the host found by e-mail address, and what Git knows. */
export const commitPeople = [
  ['author', 'login'],
  ['committer', 'login'],
  ['commit', 'author', 'name'],
  ['commit', 'committer', 'name'],
] as const

/** True for the review of a commit that is newer than the last change of the target branch. */
export function isReviewOf(review: ExactJson, head: string, targetTime: number): boolean {
  const time = Date.parse(getNestedText(review, 'submitted_at') ?? '')
  return getNestedText(review, 'commit_id') === head && time > targetTime
}

/** Returns the accounts whose last decision approves the newest commit. */
export function listApprovingAccounts(decisions: readonly AccountDecision[]): readonly string[] {
  const last = new Map<string, boolean>()
  for (const { account, isApproving } of decisions)
    if (account !== undefined && isApproving !== undefined) last.set(account, isApproving)
  return [...last].flatMap(([account, isApproving]) => (isApproving ? [account] : []))
}
