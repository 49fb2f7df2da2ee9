import type { ExactJson } from '../../../base/json/exact-json.ts'
import { getNestedText } from '../../../base/json/nested.ts'
import type { GitHost, GitHostKind } from '../git-host.ts'
import { getPageQuery, readPages, scanPages, toNumberedPage } from '../host-answers.ts'
import type { HostClient, HostPath } from '../host-client.ts'
import {
  type AccountDecision,
  createSharedOperations,
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
      const reviews = await readPages('reviews', 1, readPage([...root, 'pulls', number, 'reviews'], 'reviews'))
      const writers: string[] = []
      for (const account of listApprovingAccounts(reviews.map((review) => toDecision(review, head)))) {
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

function toDecision(review: ExactJson, head: string): AccountDecision {
  const state = getNestedText(review, 'state')
  const isDecision = state === 'APPROVED' || state === 'CHANGES_REQUESTED' || state === 'DISMISSED'
  const isApproving = state === 'APPROVED' && getNestedText(review, 'commit_id') === head
  return { account: getNestedText(review, 'user', 'login'), isApproving: isDecision ? isApproving : undefined }
}
