import { throwIssue } from '../../../base/issue.ts'
import type { ExactJson } from '../../../base/json/exact-json.ts'
import { getNestedText } from '../../../base/json/nested.ts'
import { getLastTime, isAmong, listPeople } from '../contributors.ts'
import type { GitHost, GitHostKind } from '../git-host.ts'
import { getPageQuery, readPages, scanPages, toNumberedPage } from '../host-answers.ts'
import type { HostClient, HostPath } from '../host-client.ts'
import { reviewIssues } from '../review-issues.ts'
import {
  type AccountDecision,
  commitPeople,
  createSharedOperations,
  isReviewOf,
  listApprovingAccounts,
  parseIssueComment,
  parsePullRequest,
} from './github-like.ts'

/** GitHub and GitHub Enterprise Server: docs.github.com, "GitHub REST API", version 2022-11-28. */
export const github: GitHostKind = {
  getApiAddress: (url) => (url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`),
  getCredentials: (token) => ({ authorization: `Bearer ${token}`, 'x-github-api-version': '2022-11-28' }),
  open: openGithub,
}

/** Number of commits of a pull request that the host lists at most. */
const maxCommits = 250

function openGithub(client: HostClient, repository: string): GitHost {
  const root: HostPath = ['repos', ...repository.split('/')]
  const readPage = (path: HostPath, place: string) => async (page: number) =>
    toNumberedPage(await client.send(path, { query: getPageQuery(page) }), place, page)
  return {
    ...createSharedOperations(client, root),
    maxDescription: 140,
    async listMergeRequests(commit) {
      const place = 'commits/pulls'
      const found = await readPages(place, 1, readPage([...root, 'commits', commit, 'pulls'], place))
      return found.map(parsePullRequest)
    },
    scanComments: (number, each) =>
      scanPages('comments', 1, readPage([...root, 'issues', number, 'comments'], 'comments'), (entries) =>
        each(entries.map(parseIssueComment)),
      ),
    async listApprovers({ number, head }) {
      const readAll = (place: string, kind = 'pulls') =>
        readPages(place, 1, readPage([...root, kind, number, place], place))
      const reviews = await readAll('reviews')
      if (reviews.length === 0) return []
      const changes = (await readAll('events', 'issues')).filter(isTargetChange)
      const targetTime = getLastTime(changes, 'events', 'created_at')
      const commits = await readAll('commits')
      if (commits.length >= maxCommits) throwIssue(reviewIssues.REVIEW_TOO_MANY_COMMITS, { number, bound: maxCommits })
      const people = new Set(listPeople(commits, commitPeople))
      const writers: string[] = []
      for (const account of listApprovingAccounts(reviews.map((review) => toDecision(review, head, targetTime)))) {
        if (isAmong(people, account)) continue
        const path = [...root, 'collaborators', account, 'permission']
        const permission = getNestedText(await client.find(path), 'permission')
        if (permission === 'admin' || permission === 'write') writers.push(account)
      }
      return writers
    },
    async isTeamMember(team, account) {
      const [organization = '', name = ''] = team.split('/')
      const path = ['orgs', organization, 'teams', name, 'memberships', account]
      return getNestedText(await client.find(path), 'state') === 'active'
    },
  }
}

/** True for an event by which a person or the host changed the target branch. */
function isTargetChange(event: ExactJson): boolean {
  const kind = getNestedText(event, 'event')
  return kind === 'base_ref_changed' || kind === 'automatic_base_change_succeeded'
}

function toDecision(review: ExactJson, head: string, targetTime: number): AccountDecision {
  const state = getNestedText(review, 'state')
  const isDecision = state === 'APPROVED' || state === 'CHANGES_REQUESTED' || state === 'DISMISSED'
  const isApproving = state === 'APPROVED' && isReviewOf(review, head, targetTime)
  return { account: getNestedText(review, 'user', 'login'), isApproving: isDecision ? isApproving : undefined }
}
