import type { ExactJson } from '../../../base/json/exact-json.ts'
import { getNested, getNestedText } from '../../../base/json/nested.ts'
import type { GitHost, GitHostKind, MergeRequest } from '../git-host.ts'
import { statusName } from '../git-host.ts'
import {
  getPageQuery,
  listCommits,
  readPages,
  requireCommit,
  requireInteger,
  requireList,
  requireText,
  scanPages,
  toNumberedPage,
} from '../host-answers.ts'
import type { HostClient, HostPath } from '../host-client.ts'

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
    ...{ syntax: 'html', maxComment: 65_536, maxDescription: 140 },
    getMergeRequest: async (number) => parsePullRequest(await client.send([...root, 'pulls', number])),
    async listMergeRequests(commit) {
      const place = 'commits/pulls'
      const found = await readPages(place, 1, readPage([...root, 'commits', commit, 'pulls'], place))
      return found.map(parsePullRequest)
    },
    getOwnAccount: async () => requireText(await client.send(['user']), 'user', 'login'),
    scanComments: (number, each) =>
      scanPages('comments', 1, readPage([...root, 'issues', number, 'comments'], 'comments'), (entries) =>
        each(
          entries.map((entry) => ({
            id: String(requireInteger(entry, 'comments', 'id')),
            author: getNestedText(entry, 'user', 'login'),
            text: getNestedText(entry, 'body') ?? '',
          })),
        ),
      ),
    async createComment(number, body) {
      await client.send([...root, 'issues', number, 'comments'], { method: 'POST', body: { body } })
    },
    async editComment(_, { id }, body) {
      await client.send([...root, 'issues', 'comments', id], { method: 'PATCH', body: { body } })
    },
    async setStatus(commit, { state, description, url }) {
      const body = { state, description, context: statusName, ...(url !== undefined && { target_url: url }) }
      await client.send([...root, 'statuses', commit], { method: 'POST', body })
    },
    async listApprovers({ number, head }) {
      const reviews = await readPages('reviews', 1, readPage([...root, 'pulls', number, 'reviews'], 'reviews'))
      const writers: string[] = []
      for (const account of listApprovingAccounts(reviews, head)) {
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

function parsePullRequest(json: ExactJson | undefined): MergeRequest {
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
    isFork: own === undefined || own !== getNested(json, 'base', 'repo', 'id'),
    // For an open pull request, this commit is a trial of the merge.
    results: isMerged ? listCommits(getNested(json, 'merge_commit_sha')) : [],
  }
}

/** Returns the accounts whose last review with a decision approves the newest commit. Reviews are in order of time. */
function listApprovingAccounts(reviews: readonly ExactJson[], head: string): readonly string[] {
  const last = new Map<string, boolean>()
  for (const review of requireList(reviews, 'reviews')) {
    const [account, state] = [getNestedText(review, 'user', 'login'), getNestedText(review, 'state')]
    const isDecision = state === 'APPROVED' || state === 'CHANGES_REQUESTED' || state === 'DISMISSED'
    if (account === undefined || !isDecision) continue
    last.set(account, state === 'APPROVED' && getNestedText(review, 'commit_id') === head)
  }
  return [...last].flatMap(([account, isApproving]) => (isApproving ? [account] : []))
}
