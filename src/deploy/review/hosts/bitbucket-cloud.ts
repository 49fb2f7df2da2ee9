import type { ExactJson } from '../../../base/json/exact-json.ts'
import { getNested, getNestedText } from '../../../base/json/nested.ts'
import { isSafeRef } from '../../../code/git/ref-names.ts'
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

/** Bitbucket Cloud: developer.atlassian.com, "The Bitbucket Cloud REST API", version 2.0. */
export const bitbucketCloud: GitHostKind = {
  getApiAddress: (url) => (url === 'https://bitbucket.org' ? 'https://api.bitbucket.org/2.0' : `${url}/2.0`),
  getCredentials: (token, username) => ({
    authorization:
      username === undefined ? `Bearer ${token}` : `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`,
  }),
  open: openBitbucketCloud,
}

/** The states of a commit by Bitbucket's names. */
const states = { pending: 'INPROGRESS', success: 'SUCCESSFUL', failure: 'FAILED', error: 'FAILED' } as const

/** Numbers of entries in a page: of most lists, and of those of pull requests. */
const perPage = 100
const requestsPerPage = 50

type Query = Readonly<Record<string, string | number>>

function openBitbucketCloud(client: HostClient, repository: string): GitHost {
  const root: HostPath = ['repositories', ...repository.split('/')]
  const getPath = (number: number, ...more: HostPath): HostPath => [...root, 'pullrequests', number, ...more]
  /** Commits in pull requests are abbreviated. */
  const expandHead = async (request: MergeRequest): Promise<MergeRequest> => {
    const full = requireCommit(await client.send([...root, 'commit', request.head]), 'commit', 'hash')
    return { ...request, head: full }
  }
  return {
    ...{ syntax: 'plain', maxComment: 32_768, maxDescription: 255 },
    getMergeRequest: async (number) => expandHead(parsePullRequest(await client.send(getPath(number)))),
    async listMergeRequests(commit, branch) {
      const query = { pagelen: requestsPerPage, sort: '-updated_on', state: ['OPEN', 'MERGED'] }
      const json = await client.send([...root, 'pullrequests'], { query })
      const all = requireList(json, 'pullrequests', 'values').map(parsePullRequest)
      const own = all.filter(
        ({ head, results, target }) =>
          (branch === undefined || target === branch) &&
          [head, ...results].some((each) => each !== '' && commit.startsWith(each)),
      )
      return Promise.all(own.map(expandHead))
    },
    getOwnAccount: async () => requireText(await client.send(['user']), 'user', 'uuid'),
    scanComments: (number, each) =>
      scanPages<Query>(
        'comments',
        { pagelen: perPage, sort: 'created_on' },
        createPageReader(client, getPath(number, 'comments')),
        (entries) => each(entries.map(parseComment)),
      ),
    async createComment(number, text) {
      await client.send(getPath(number, 'comments'), { method: 'POST', body: { content: { raw: text } } })
    },
    async editComment(number, { id }, text) {
      await client.send(getPath(number, 'comments', id), { method: 'PUT', body: { content: { raw: text } } })
    },
    async setStatus(commit, { state, description, url }, name = impactStatus) {
      const body = {
        key: name,
        name,
        state: states[state],
        description,
        ...(url !== undefined && { url }),
      }
      await client.send([...root, 'commit', commit, 'statuses', 'build'], { method: 'POST', body })
    },
    listApprovers: (request) => listApprovers(client, getPath(request.number), request),
    // The API has no requests for groups.
    isTeamMember: async () => false,
  }
}

function createPageReader(client: HostClient, path: HostPath) {
  return async (query: Query): Promise<ListPage<Query>> => {
    const json = await client.send(path, { query })
    return { entries: requireList(json, String(path.at(-1)), 'values'), next: getNextQuery(json) }
  }
}

async function listApprovers(
  client: HostClient,
  path: HostPath,
  { head, target }: MergeRequest,
): Promise<readonly string[]> {
  const participants = requireList(await client.send(path), 'pullrequests', 'participants')
  const approving = participants.filter((each) => getNested(each, 'approved') === true).map(getAccount)
  if (approving.length === 0) return []
  const recent = new Set<string | undefined>()
  // The activity is listed newest first. Approvals count if an update with the newest commit and the target is
  // older than they are, and no update with others is newer. The author of the oldest such update pushed the commit.
  let later: (string | undefined)[] = []
  let pusher: string | undefined
  const read = createPageReader(client, [...path, 'activity'])
  await scanPages<Query>('activity', { pagelen: requestsPerPage }, read, (entries) =>
    entries.some((entry) => {
      const approval = getNested(entry, 'approval')
      if (approval !== undefined) later.push(getAccount(approval))
      if (getNested(entry, 'update') === undefined) return false
      const updated = getNestedText(entry, 'update', 'source', 'commit', 'hash')
      const isSameTarget = getNestedText(entry, 'update', 'destination', 'branch', 'name') === target
      if (updated === undefined || !head.startsWith(updated) || !isSameTarget) return true
      pusher = getNestedText(entry, 'update', 'author', 'account_id')
      for (const account of later) recent.add(account)
      later = []
      return false
    }),
  )
  const commits = await readPages<Query>(
    'commits',
    { pagelen: perPage },
    createPageReader(client, [...path, 'commits']),
  )
  const people = new Set(listPeople([...commits, { pusher }], [['author', 'user', 'account_id'], ['pusher']]))
  return approving.filter((each): each is string => each !== undefined && recent.has(each) && !isAmong(people, each))
}

/** Returns the account ID of the user of an entry: names of users are neither unique nor constant. */
function getAccount(entry: unknown): string | undefined {
  return getNestedText(entry, 'user', 'account_id')
}

function parseComment(entry: ExactJson): HostComment {
  return {
    id: String(requireInteger(entry, 'comments', 'id')),
    author: getNested(entry, 'deleted') === true ? undefined : getNestedText(entry, 'user', 'uuid'),
    text: getNestedText(entry, 'content', 'raw') ?? '',
  }
}

/** Returns the query of the URL of the next page, whose path stays that of the first page. */
function getNextQuery(json: unknown): Query | undefined {
  const next = getNestedText(json, 'next')
  return next !== undefined && URL.canParse(next) ? Object.fromEntries(new URL(next).searchParams) : undefined
}

function parsePullRequest(json: ExactJson | undefined): MergeRequest {
  const place = 'pullrequests'
  const state = getNestedText(json, 'state')
  const branch = requireText(json, place, 'source', 'branch', 'name')
  const own = getNestedText(json, 'source', 'repository', 'uuid')
  const [head = ''] = listCommits(requireText(json, place, 'source', 'commit', 'hash'))
  return {
    number: requireInteger(json, place, 'id'),
    state: state === 'MERGED' ? 'merged' : state === 'OPEN' ? 'open' : 'closed',
    author: getNestedText(json, 'author', 'account_id') ?? '',
    head,
    target: requireText(json, place, 'destination', 'branch', 'name'),
    // The host has no refs of pull requests.
    ref: isSafeRef(branch) ? `refs/heads/${branch}` : '',
    isFork: own === undefined || own !== getNestedText(json, 'destination', 'repository', 'uuid'),
    results: listCommits(getNested(json, 'merge_commit', 'hash')),
  }
}
