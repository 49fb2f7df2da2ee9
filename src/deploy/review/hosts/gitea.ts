import type { ExactJson } from '../../../base/json/exact-json.ts'
import { getNested, getNestedText } from '../../../base/json/nested.ts'
import { getLastTime, isAmong, listPeople } from '../contributors.ts'
import type { GitHost, GitHostKind } from '../git-host.ts'
import { type ListPage, readPages, requireInteger, requireList } from '../host-answers.ts'
import type { HostClient, HostPath } from '../host-client.ts'
import {
  type AccountDecision,
  commitPeople,
  createSharedOperations,
  isReviewOf,
  listApprovingAccounts,
  parseIssueComment,
  parsePullRequest,
} from './github-like.ts'

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
    ...createSharedOperations(client, root),
    maxDescription: 255,
    listMergeRequests: async (commit) => (await findMerged(commit)).map(parsePullRequest),
    async scanComments(number, each) {
      // This list has no pages.
      const comments = requireList(await client.send([...root, 'issues', number, 'comments']), 'comments')
      each(comments.map(parseIssueComment))
    },
    async listApprovers({ number, head }) {
      const readAll = (place: string, kind = 'pulls') =>
        readPages(place, 1, async (page: number): Promise<ListPage<number>> => {
          const query = { page, limit, ...(place === 'commits' && { files: 'false', verification: 'false' }) }
          const entries = requireList(await client.send([...root, kind, number, place], { query }), place)
          return { entries, next: entries.length === 0 ? undefined : page + 1 }
        })
      const reviews = await readAll('reviews')
      if (reviews.length === 0) return []
      const timeline = await readAll('timeline', 'issues')
      const find = (kind: string) => timeline.filter((each) => getNestedText(each, 'type') === kind)
      const targetTime = getLastTime(find('change_target_branch'), 'timeline', 'created_at')
      const people = new Set([
        ...listPeople(find('pull_push'), [['user', 'login']]),
        ...listPeople(await readAll('commits'), commitPeople),
      ])
      const approving = listApprovingAccounts(reviews.map((review) => toDecision(review, head, targetTime)))
      return approving.filter((each) => !isAmong(people, each))
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

/**
 * `official` marks reviews of accounts that may approve: those that may write, or those that the protection of the
 * branch names.
 */
function toDecision(review: ExactJson, head: string, targetTime: number): AccountDecision {
  const state = getNestedText(review, 'state')
  const isValid = getNested(review, 'official') === true && getNested(review, 'dismissed') !== true
  const isApproving = state === 'APPROVED' && isValid && isReviewOf(review, head, targetTime)
  const isDecision = state === 'APPROVED' || state === 'REQUEST_CHANGES'
  return { account: getNestedText(review, 'user', 'login'), isApproving: isDecision ? isApproving : undefined }
}
