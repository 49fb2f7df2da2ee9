import type { ExactJson } from '../../../base/json/exact-json.ts'
import { getNested, getNestedText } from '../../../base/json/nested.ts'
import type { GitHost, GitHostKind, MergeRequest } from '../git-host.ts'
import { statusName } from '../git-host.ts'
import {
  type ListPage,
  listCommits,
  readPages,
  requireCommit,
  requireInteger,
  requireList,
  requireText,
} from '../host-answers.ts'
import type { HostClient, HostPath } from '../host-client.ts'

/** Gitea and Forgejo: docs.gitea.com, "API Usage", and the Swagger document of each server. */
export const gitea: GitHostKind = {
  getApiAddress: (url) => `${url}/api/v1`,
  getCredentials: (token) => ({ authorization: `token ${token}` }),
  open: openGitea,
}

/** Number of entries in a page; a server may allow fewer. */
const limit = 50

function openGitea(client: HostClient, repository: string): GitHost {
  const root: HostPath = ['repos', ...repository.split('/')]
  const findMerged = async (commit: string): Promise<readonly ExactJson[]> => {
    const found = await client.find([...root, 'commits', commit, 'pull'])
    if (found !== undefined) return [found]
    // Gitea before 1.22 does not have the request above; it also knows only commits that a merge created.
    const query = { state: 'all', sort: 'recentupdate', limit }
    return requireList(await client.send([...root, 'pulls'], { query }), 'pulls')
  }
  return {
    ...{ syntax: 'html', maxComment: 65_536, maxDescription: 255 },
    getMergeRequest: async (number) => parsePullRequest(await client.send([...root, 'pulls', number])),
    listMergeRequests: async (commit) => (await findMerged(commit)).map(parsePullRequest),
    getOwnAccount: async () => requireText(await client.send(['user']), 'user', 'login'),
    async scanComments(number, each) {
      // This list has no pages.
      const comments = requireList(await client.send([...root, 'issues', number, 'comments']), 'comments')
      each(
        comments.map((entry) => ({
          id: String(requireInteger(entry, 'comments', 'id')),
          author: getNestedText(entry, 'user', 'login'),
          text: getNestedText(entry, 'body') ?? '',
        })),
      )
    },
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
      const path = [...root, 'pulls', number, 'reviews']
      const reviews = await readPages('reviews', 1, async (page: number): Promise<ListPage<number>> => {
        const entries = requireList(await client.send(path, { query: { page, limit } }), 'reviews')
        return { entries, next: entries.length === 0 ? undefined : page + 1 }
      })
      return listApprovingAccounts(reviews, head)
    },
    async isTeamMember(team, account) {
      const [organization = '', name = ''] = team.split('/')
      const found = await client.find(['orgs', organization, 'teams', 'search'], { query: { q: name, limit } })
      const same = requireList(found ?? { data: [] }, 'teams', 'data').find(
        (each) => getNestedText(each, 'name')?.toLowerCase() === name.toLowerCase(),
      )
      if (same === undefined) return false
      const id = requireInteger(same, 'teams', 'id')
      return (await client.find(['teams', id, 'members', account])) !== undefined
    },
  }
}

function parsePullRequest(json: ExactJson | undefined): MergeRequest {
  const place = 'pulls'
  const number = requireInteger(json, place, 'number')
  const isMerged = getNested(json, 'merged') === true
  const own = getNested(json, 'head', 'repo_id')
  return {
    number,
    state: isMerged ? 'merged' : getNestedText(json, 'state') === 'open' ? 'open' : 'closed',
    author: getNestedText(json, 'user', 'login') ?? '',
    head: requireCommit(json, place, 'head', 'sha'),
    target: requireText(json, place, 'base', 'ref'),
    ref: `refs/pull/${number}/head`,
    isFork: typeof own !== 'number' || own !== getNested(json, 'base', 'repo_id'),
    results: isMerged ? listCommits(getNested(json, 'merge_commit_sha')) : [],
  }
}

/**
 * Returns the accounts whose last decision approves the newest commit. `official` marks reviews of accounts that may
 * approve: those that may write, or those that the protection of the branch names.
 */
function listApprovingAccounts(reviews: readonly ExactJson[], head: string): readonly string[] {
  const last = new Map<string, boolean>()
  for (const review of reviews) {
    const [account, state] = [getNestedText(review, 'user', 'login'), getNestedText(review, 'state')]
    if (account === undefined || (state !== 'APPROVED' && state !== 'REQUEST_CHANGES')) continue
    const isValid = getNested(review, 'official') === true && getNested(review, 'dismissed') !== true
    last.set(account, state === 'APPROVED' && isValid && getNestedText(review, 'commit_id') === head)
  }
  return [...last].flatMap(([account, isApproving]) => (isApproving ? [account] : []))
}
