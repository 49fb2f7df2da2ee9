import type { ExactJson } from '../../../base/json/exact-json.ts'
import { getNested, getNestedText } from '../../../base/json/nested.ts'
import type { HttpQuery } from '../../../network/client/http-client.ts'
import { getLastTime, isAmong, listPeople } from '../contributors.ts'
import { type GitHost, type GitHostKind, impactStatus, type MergeRequest } from '../git-host.ts'
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

/** GitLab: docs.gitlab.com, "REST API", version 4. */
export const gitlab: GitHostKind = {
  getApiAddress: (url) => `${url}/api/v4`,
  getCredentials: (token) => ({ 'private-token': token }),
  open: openGitlab,
}

/** The states of a commit by GitLab's names. */
const states = { pending: 'pending', success: 'success', failure: 'failed', error: 'failed' } as const

/** Access level of the role Developer, the first that may push. */
const developer = 30

function openGitlab(client: HostClient, repository: string): GitHost {
  const root: HostPath = ['projects', repository]
  const getPath = (number: number, ...more: HostPath): HostPath => [...root, 'merge_requests', number, ...more]
  return {
    ...{ syntax: 'html', maxComment: 1_000_000, maxDescription: 255 },
    getMergeRequest: async (number) => parseMergeRequest(await client.send(getPath(number))),
    async listMergeRequests(commit) {
      const path = [...root, 'repository', 'commits', commit, 'merge_requests']
      const found = await readPages('commits/merge_requests', 1, createPageReader(client, path))
      return found.map(parseMergeRequest)
    },
    getOwnAccount: async () => requireText(await client.send(['user']), 'user', 'username'),
    scanComments: (number, each) =>
      scanPages('notes', 1, createPageReader(client, getPath(number, 'notes'), oldestFirst), (entries) =>
        each(
          entries.map((entry) => ({
            id: String(requireInteger(entry, 'notes', 'id')),
            author: getNestedText(entry, 'author', 'username'),
            text: getNestedText(entry, 'body') ?? '',
          })),
        ),
      ),
    async createComment(number, body) {
      await client.send(getPath(number, 'notes'), { method: 'POST', body: { body } })
    },
    async editComment(number, { id }, body) {
      await client.send(getPath(number, 'notes', id), { method: 'PUT', body: { body } })
    },
    async setStatus(commit, { state, description, url }, name = impactStatus) {
      const body = {
        state: states[state],
        name,
        description,
        ...(url !== undefined && { target_url: url }),
      }
      await client.send([...root, 'statuses', commit], { method: 'POST', body })
    },
    listApprovers: (request) => listApprovers(client, root, request),
    async isTeamMember(team, account) {
      const path = ['groups', team, 'members', 'all']
      const found = requireList((await client.find(path, { query: { query: account } })) ?? [], 'members')
      return found.some(
        (each) => getNestedText(each, 'username') === account && getNestedText(each, 'state') === 'active',
      )
    },
  }
}

/** The note about a change of the target branch, by a person or because the branch was deleted. */
const targetChange = /^changed (?:automatically )?target branch\b|\bThis merge request now targets the\b/i

/** People in an entry of the commits: the host returns names and addresses, and no accounts. */
const commitPeople = [['author_name'], ['committer_name']] as const

/** Query of a list of notes, the oldest first. */
const oldestFirst = { sort: 'asc', order_by: 'created_at' }

function createPageReader(client: HostClient, path: HostPath, query: HttpQuery = {}) {
  return async (page: number) =>
    toNumberedPage(await client.send(path, { query: { ...query, ...getPageQuery(page) } }), String(path.at(-1)), page)
}

async function listApprovers(
  client: HostClient,
  root: HostPath,
  { number, head }: MergeRequest,
): Promise<readonly string[]> {
  const own: HostPath = [...root, 'merge_requests', number]
  const approvals = requireList(await client.send([...own, 'approvals']), 'approvals', 'approved_by')
  if (approvals.length === 0) return []
  const since = getHeadTime(await readPages('versions', 1, createPageReader(client, [...own, 'versions'])), head)
  const notes = (await readPages('notes', 1, createPageReader(client, [...own, 'notes'], oldestFirst))).filter(
    (note) => getNested(note, 'system') === true,
  )
  const find = (text: RegExp) => notes.filter((note) => text.test(getNestedText(note, 'body') ?? ''))
  const targetTime = getLastTime(find(targetChange), 'notes', 'created_at')
  const people = new Set([
    ...listPeople(find(/^added \d+ commits?\b/), [['author', 'username']]),
    ...listPeople(await readPages('commits', 1, createPageReader(client, [...own, 'commits'])), commitPeople),
  ])
  const accounts: string[] = []
  for (const approval of approvals) {
    const account = requireText(approval, 'approvals', 'user', 'username')
    const time = Date.parse(getNestedText(approval, 'approved_at') ?? findApprovalTime(notes, account) ?? '')
    if (since === undefined || !(time > since && time > targetTime)) continue
    if (isAmong(people, account, getNestedText(approval, 'user', 'name'))) continue
    const member = [...root, 'members', 'all', requireInteger(approval, 'approvals', 'user', 'id')]
    const level = getNested(await client.find(member), 'access_level')
    if (typeof level === 'number' && level >= developer) accounts.push(account)
  }
  return accounts
}

function parseMergeRequest(json: ExactJson | undefined): MergeRequest {
  const place = 'merge_requests'
  const number = requireInteger(json, place, 'iid')
  const state = getNestedText(json, 'state')
  const own = getNested(json, 'source_project_id')
  return {
    number,
    state: state === 'merged' ? 'merged' : state === 'opened' || state === 'locked' ? 'open' : 'closed',
    author: getNestedText(json, 'author', 'username') ?? '',
    head: requireCommit(json, place, 'sha'),
    target: requireText(json, place, 'target_branch'),
    ref: `refs/merge-requests/${number}/head`,
    isFork: typeof own !== 'number' || own !== getNested(json, 'target_project_id'),
    results: listCommits(getNested(json, 'merge_commit_sha'), getNested(json, 'squash_commit_sha')),
  }
}

/**
 * Returns the time since which a merge request has had its newest commit, in milliseconds; undefined if its newest
 * version has another commit. Versions are listed newest first.
 */
function getHeadTime(versions: readonly ExactJson[], head: string): number | undefined {
  let since: number | undefined
  for (const version of versions) {
    if (getNestedText(version, 'head_commit_sha') !== head) break
    since = Date.parse(requireText(version, 'versions', 'created_at'))
  }
  return since
}

/** Returns the time of the last approval of an account, from the notes that GitLab writes; older versions record it only there. */
function findApprovalTime(notes: readonly ExactJson[], account: string): string | undefined {
  const own = notes.filter(
    (note) =>
      getNestedText(note, 'author', 'username') === account &&
      getNestedText(note, 'body')?.startsWith('approved this merge request') === true,
  )
  return getNestedText(own.at(-1), 'created_at')
}
