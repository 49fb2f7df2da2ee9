import { throwIssue } from '../../../base/issue.ts'
import type { ExactJson } from '../../../base/json/exact-json.ts'
import { getNested, getNestedText } from '../../../base/json/nested.ts'
import { isAmong, listPeople } from '../contributors.ts'
import { type GitHost, type GitHostKind, type HostComment, impactStatus, type MergeRequest } from '../git-host.ts'
import {
  type ListPage,
  listCommits,
  readPages,
  requireCommit,
  requireInteger,
  requireList,
  requireText,
  scanPages,
} from '../host-answers.ts'
import type { HostClient, HostPath } from '../host-client.ts'
import { reviewIssues } from '../review-issues.ts'

/** Bitbucket Data Center: developer.atlassian.com, "Bitbucket Data Center REST API". */
export const bitbucketServer: GitHostKind = {
  getApiAddress: (url) => `${url}/rest/api/latest`,
  getCredentials: (token) => ({ authorization: `Bearer ${token}` }),
  open: openBitbucketServer,
}

/** The states of a commit by Bitbucket's names. */
const states = { pending: 'INPROGRESS', success: 'SUCCESSFUL', failure: 'FAILED', error: 'FAILED' } as const

/** Number of entries in a page. */
const limit = 100

function openBitbucketServer(client: HostClient, repository: string): GitHost {
  const [project = '', name = ''] = repository.split('/')
  const root: HostPath = ['projects', project, 'repos', name]
  const getPath = (number: number, ...more: HostPath): HostPath => [...root, 'pull-requests', number, ...more]
  const readPage = (path: HostPath) => createPageReader(client, path)
  return {
    ...{ syntax: 'plain', maxComment: 32_768, maxDescription: 255 },
    getMergeRequest: async (number) => parsePullRequest(await client.send(getPath(number))),
    async listMergeRequests(commit) {
      const path = [...root, 'commits', commit, 'pull-requests']
      return (await readPages('pull-requests', 0, readPage(path))).map(parsePullRequest)
    },
    async getOwnAccount() {
      const { headers } = await client.sendWithHeaders(['application-properties'])
      const account = decodeURIComponent(headers['x-ausername'] ?? '')
      return account === ''
        ? throwIssue(reviewIssues.REVIEW_ANSWER, { url: 'application-properties', what: 'X-AUSERNAME' })
        : account
    },
    scanComments: (number, each) =>
      scanPages('activities', 0, readPage(getPath(number, 'activities')), (entries) =>
        each(entries.flatMap((entry) => parseComment(entry) ?? [])),
      ),
    async createComment(number, text) {
      await client.send(getPath(number, 'comments'), { method: 'POST', body: { text } })
    },
    async editComment(number, { id, version = 0 }, text) {
      await client.send(getPath(number, 'comments', id), { method: 'PUT', body: { text, version } })
    },
    async setStatus(commit, { state, description, url }, name = impactStatus) {
      const link = url ?? client.getUrl([...root, 'commits', commit]).href
      const body = { key: name, name, state: states[state], description, url: link }
      await client.send([...root, 'commits', commit, 'builds'], { method: 'POST', body })
    },
    async listApprovers({ number, head }) {
      const json = await client.send(getPath(number))
      const people = [
        ...requireList(json, 'pull-requests', 'reviewers'),
        ...requireList(json, 'pull-requests', 'participants'),
      ]
      const approving = people.filter(
        (each) => getNestedText(each, 'status') === 'APPROVED' && getNestedText(each, 'lastReviewedCommit') === head,
      )
      if (approving.length === 0) return []
      const pushes = (await readPages('activities', 0, readPage(getPath(number, 'activities')))).filter(isPush)
      const commits = await readPages('commits', 0, readPage(getPath(number, 'commits')))
      const contributors = new Set([...listPeople(pushes, [['user', 'name']]), ...listPeople(commits, commitPeople)])
      return approving.flatMap((each) => {
        const account = requireText(each, 'participants', 'user', 'name')
        return isAmong(contributors, account, getNestedText(each, 'user', 'emailAddress')) ? [] : account
      })
    },
    // The requests for groups need the permissions of an administrator.
    isTeamMember: async () => false,
  }
}

function createPageReader(client: HostClient, path: HostPath) {
  return async (start: number): Promise<ListPage<number>> => {
    const place = String(path.at(-1))
    const json = await client.send(path, { query: { start, limit } })
    const isLast = getNested(json, 'isLastPage') !== false
    return {
      entries: requireList(json, place, 'values'),
      next: isLast ? undefined : requireInteger(json, place, 'nextPageStart'),
    }
  }
}

/** People in an entry of the commits: accounts if the host found them by e-mail address, and what Git knows. */
const commitPeople = [
  ['author', 'name'],
  ['author', 'emailAddress'],
  ['committer', 'name'],
  ['committer', 'emailAddress'],
] as const

/** True for an activity by which a person changed the newest commit; other activities record a moved target branch. */
function isPush(entry: ExactJson): boolean {
  const isRescope = getNestedText(entry, 'action') === 'RESCOPED'
  return isRescope && getNestedText(entry, 'fromHash') !== getNestedText(entry, 'previousFromHash')
}

/** Returns the comment of an activity; undefined for another activity. */
function parseComment(entry: ExactJson): HostComment | undefined {
  if (getNestedText(entry, 'action') !== 'COMMENTED') return undefined
  return {
    id: String(requireInteger(entry, 'activities', 'comment', 'id')),
    author: getNestedText(entry, 'comment', 'author', 'name'),
    text: getNestedText(entry, 'comment', 'text') ?? '',
    version: requireInteger(entry, 'activities', 'comment', 'version'),
  }
}

function parsePullRequest(json: ExactJson | undefined): MergeRequest {
  const place = 'pull-requests'
  const number = requireInteger(json, place, 'id')
  const state = getNestedText(json, 'state')
  const own = getNested(json, 'fromRef', 'repository', 'id')
  return {
    number,
    state: state === 'MERGED' ? 'merged' : state === 'OPEN' ? 'open' : 'closed',
    author: getNestedText(json, 'author', 'user', 'name') ?? '',
    head: requireCommit(json, place, 'fromRef', 'latestCommit'),
    target: requireText(json, place, 'toRef', 'id').replace(/^refs\/heads\//, ''),
    ref: `refs/pull-requests/${number}/from`,
    isFork: typeof own !== 'number' || own !== getNested(json, 'toRef', 'repository', 'id'),
    results: listCommits(getNested(json, 'properties', 'mergeCommit', 'id')),
  }
}
