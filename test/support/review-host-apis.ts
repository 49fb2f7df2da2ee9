import {
  type ApiAnswer,
  type ApiCall,
  addComment,
  addStatus,
  editComment,
  type HostApi,
  type HostedRequest,
  type HostState,
  pageOf,
} from './review-host.ts'

const missing: ApiAnswer = [404, { message: 'Not Found' }]
const repository = 'puppet/control'
const time = '2026-11-29T20:00:00Z'

/** GitHub: "REST API endpoints for pull requests", "… for issue comments", "… for commit statuses", "… for collaborators". */
export const githubApi: HostApi = {
  root: '/api/v3',
  isAuthorized: ({ authorization }, { token }) => authorization === `Bearer ${token}`,
  answer(call, state) {
    const [first, ...rest] = call.path
    if (first === 'user') return [200, { login: state.account, id: 1 }]
    if (first === 'orgs') {
      const [organization, , team, , account] = rest
      const isMember = state.teams.get(`${organization}/${team}`)?.has(account!)
      return isMember ? [200, { state: 'active', role: 'member' }] : missing
    }
    if (first !== 'repos' || rest.slice(0, 2).join('/') !== repository) return missing
    return answerGithubRepository(call, rest.slice(2), state)
  },
}

function toPull({ number, head, target, author, state, isFork, merged }: HostedRequest) {
  return {
    ...{ number, state: state === 'open' ? 'open' : 'closed', title: 'A change', user: { login: author, id: 7 } },
    head: { ref: 'topic', sha: head, repo: { id: isFork ? 2 : 1, full_name: isFork ? 'mallory/control' : repository } },
    base: { ref: target, sha: '0'.repeat(40), repo: { id: 1, full_name: repository } },
    ...{
      merged_at: state === 'merged' ? time : null,
      merge_commit_sha: merged ?? 'e5bd3914e2e596debea16f433f57875b5b90bcd6',
    },
  }
}

function answerGithubRepository(
  { method, query, body }: ApiCall,
  path: readonly string[],
  state: HostState,
): ApiAnswer {
  const [kind, id = '', more, ...rest] = path
  if (kind === 'statuses') {
    const { state: word, description, target_url: url } = body as Record<string, string>
    addStatus(state, id, { state: word!, description: description!, url })
    return [201, { id: 1 }]
  }
  if (kind === 'collaborators')
    return [200, { permission: state.writers.has(id) ? 'write' : 'read', role_name: 'write' }]
  if (kind === 'commits' && more === 'pulls') {
    const all = [...state.requests.values()].filter(({ head, merged }) => head === id || merged === id)
    return [200, pageOf(all.map(toPull), query)]
  }
  if (kind === 'issues' && id === 'comments' && method === 'PATCH')
    return editComment(state, Number(more), String(body['body']))
  const request = state.requests.get(Number(id))
  if (!request || rest.length > 0) return missing
  if (kind === 'pulls' && more === undefined) return [200, toPull(request)]
  if (kind === 'pulls' && more === 'reviews') {
    const reviews = request.reviews.map(({ user, state: word, commit }, at) => ({
      ...{ id: at, user: { login: user }, state: word, commit_id: commit, submitted_at: time },
    }))
    return [200, pageOf(reviews, query)]
  }
  if (kind !== 'issues' || more !== 'comments') return missing
  if (method === 'POST') return [201, { id: addComment(state, request, String(body['body'])).id }]
  const comments = request.comments.map(({ id: own, author, text }) => ({
    id: own,
    user: { login: author },
    body: text,
  }))
  return [200, pageOf(comments, query)]
}

/** GitLab: "Merge requests API", "Merge request approvals API", "Notes API", "Commits API", "Members API". */
export const gitlabApi: HostApi = {
  root: '/api/v4',
  isAuthorized: ({ 'private-token': given }, { token }) => given === token,
  answer(call, state) {
    const { method, query, body } = call
    const [first, project, kind, id = '', more, note] = call.path
    if (first === 'user') return [200, { username: state.account }]
    if (first === 'groups') {
      const names = [...(state.teams.get(project!) ?? [])].filter((each) => each.includes(query.get('query')!))
      return [200, names.map((username) => ({ username, state: 'active' }))]
    }
    if (first !== 'projects' || project !== repository) return missing
    if (kind === 'statuses') {
      const { state: word, description, target_url: url } = body as Record<string, string>
      const last = state.statuses.get(id)?.at(-1)?.state
      // GitLab does not let a status stay the same.
      if (last === word && word === 'pending')
        return [400, { message: 'Cannot transition status via :enqueue from :pending' }]
      addStatus(state, id, { state: word!, description: description!, url })
      return [201, { id: 1 }]
    }
    if (kind === 'repository' && more === undefined) return missing
    if (kind === 'repository') {
      const all = [...state.requests.values()].filter(({ head, merged }) => head === more || merged === more)
      return [200, pageOf(all.map(toMerge), query)]
    }
    if (kind === 'members') return state.writers.has(nameOf(more!)) ? [200, { access_level: 30 }] : missing
    const request = state.requests.get(Number(id))
    if (kind !== 'merge_requests' || !request) return missing
    if (more === undefined) return [200, toMerge(request)]
    if (more === 'versions')
      return [
        200,
        pageOf(
          [
            { id: 2, head_commit_sha: request.head, created_at: minute(2) },
            { id: 1, head_commit_sha: 'f'.repeat(40), created_at: minute(0) },
          ],
          query,
        ),
      ]
    if (more === 'approvals') {
      const approving = new Set(request.reviews.filter((each) => each.state === 'APPROVED').map(({ user }) => user))
      return [
        200,
        { approved: true, approved_by: [...approving].map((username) => ({ user: { id: idOf(username), username } })) },
      ]
    }
    if (more !== 'notes') return missing
    if (method === 'PUT') return editComment(state, Number(note), String(body['body']))
    if (method === 'POST') return [201, { id: addComment(state, request, String(body['body'])).id }]
    const approvals = request.reviews.map(({ user, commit }, at) => ({
      ...{ id: at, system: true, author: { username: user }, body: 'approved this merge request' },
      created_at: commit === request.head ? minute(3) : minute(1),
    }))
    const comments = request.comments.map(({ id: own, author, text }) => ({
      id: own,
      system: false,
      author: { username: author },
      body: text,
      created_at: minute(4),
    }))
    return [200, pageOf([...approvals, ...comments], query)]
  },
}

const minute = (count: number) => `2026-11-29T20:0${count}:00.000Z`
const people = ['alice', 'bob', 'carol', 'mallory', 'plumbline-bot']
const idOf = (name: string) => people.indexOf(name) + 1
const nameOf = (id: string) => people[Number(id) - 1] ?? ''

function toMerge({ number, head, target, author, state, isFork, merged }: HostedRequest) {
  return {
    ...{ id: number + 1000, iid: number, state: state === 'open' ? 'opened' : state, sha: head, target_branch: target },
    ...{ author: { username: author }, source_project_id: isFork ? 2 : 1, target_project_id: 1 },
    ...{ merge_commit_sha: merged ?? null, squash_commit_sha: null },
  }
}

/** Gitea and Forgejo: the Swagger document of version 1.22. */
export const giteaApi: HostApi = {
  root: '/api/v1',
  isAuthorized: ({ authorization }, { token }) => authorization === `token ${token}`,
  answer({ method, path, query, body }, state) {
    const [first, owner, name, kind, id = '', more, comment] = path
    if (first === 'user') return [200, { login: state.account }]
    if (first === 'orgs') {
      const team = query.get('q')!
      return [200, { ok: true, data: state.teams.has(`${owner}/${team}`) ? [{ id: 9, name: team }] : [] }]
    }
    if (first === 'teams')
      return [...state.teams.values()].some((each) => each.has(kind!)) ? [200, { login: kind }] : missing
    if (first !== 'repos' || `${owner}/${name}` !== repository) return missing
    if (kind === 'statuses') {
      const { state: word, description, target_url: url } = body as Record<string, string>
      addStatus(state, id, { state: word!, description: description!, url })
      return [201, { id: 1 }]
    }
    if (kind === 'commits') {
      const merged = [...state.requests.values()].find((each) => each.merged === id)
      return merged ? [200, toGiteaPull(merged)] : missing
    }
    if (kind === 'issues' && id === 'comments') return editComment(state, Number(more), String(body['body']))
    if (kind === 'pulls' && id === '') return [200, [...state.requests.values()].map(toGiteaPull)]
    const request = state.requests.get(Number(id))
    if (!request || comment !== undefined) return missing
    if (kind === 'pulls' && more === undefined) return [200, toGiteaPull(request)]
    if (kind === 'pulls' && more === 'reviews') {
      const reviews = request.reviews.map(({ user, state: word, commit }, at) => ({
        ...{ id: at, user: { login: user }, commit_id: commit, stale: commit !== request.head },
        state: word === 'CHANGES_REQUESTED' ? 'REQUEST_CHANGES' : word === 'DISMISSED' ? 'APPROVED' : word,
        ...{ official: state.writers.has(user), dismissed: word === 'DISMISSED' },
      }))
      return [200, pageOf(reviews, query, 'limit')]
    }
    if (kind !== 'issues' || more !== 'comments') return missing
    if (method === 'POST') return [201, { id: addComment(state, request, String(body['body'])).id }]
    return [
      200,
      request.comments.map(({ id: own, author, text }) => ({ id: own, user: { login: author }, body: text })),
    ]
  },
}

function toGiteaPull({ number, head, target, author, state, isFork, merged }: HostedRequest) {
  return {
    ...{ id: number + 1000, number, state: state === 'open' ? 'open' : 'closed', merged: state === 'merged' },
    ...{ user: { login: author }, merge_commit_sha: merged ?? null },
    merged_at: state === 'merged' ? time : null,
    head: { ref: 'topic', sha: head, repo_id: isFork ? 2 : 1, repo: { id: isFork ? 2 : 1 } },
    base: { ref: target, repo_id: 1, repo: { id: 1 } },
  }
}

/** Bitbucket Cloud: "The Bitbucket Cloud REST API", groups pull requests, commits, commit statuses, users. */
export const bitbucketApi: HostApi = {
  root: '/2.0',
  isAuthorized: ({ authorization }, { token }) => authorization === `Bearer ${token}`,
  answer({ method, path, query, body }, state) {
    const [first, workspace, name, kind, id = '', more, comment] = path
    if (first === 'user') return [200, { uuid: `{${state.account}}` }]
    if (first !== 'repositories' || `${workspace}/${name}` !== repository) return missing
    if (kind === 'commit' && more === undefined) {
      const known = [...state.requests.values()].find(({ head }) => head.startsWith(id))
      return known ? [200, { hash: known.head }] : missing
    }
    if (kind === 'commit') {
      const { state: word, description, url } = body as Record<string, string>
      addStatus(state, id, { state: word!, description: description!, url })
      return [201, {}]
    }
    if (kind === 'pullrequests' && id === '') return [200, { values: [...state.requests.values()].map(toCloudPull) }]
    const request = state.requests.get(Number(id))
    if (kind !== 'pullrequests' || !request) return missing
    if (more === undefined) return [200, toCloudPull(request)]
    if (more === 'activity') {
      const approvals = request.reviews.map(
        ({ user, commit }) => [commit, { approval: { date: time, user: { account_id: user } } }] as const,
      )
      const update = (hash: string) => ({ update: { date: time, source: { commit: { hash: hash.slice(0, 12) } } } })
      const now = approvals.filter(([commit]) => commit === request.head).map(([, each]) => each)
      const before = approvals.filter(([commit]) => commit !== request.head).map(([, each]) => each)
      return [200, { values: [...now, update(request.head), ...before, update('f'.repeat(40))] }]
    }
    if (more !== 'comments') return missing
    const raw = String((body['content'] as { raw?: string } | undefined)?.raw)
    if (method === 'PUT') return editComment(state, Number(comment), raw)
    if (method === 'POST') return [201, { id: addComment(state, request, raw).id }]
    return answerCloudComments(request, query)
  },
}

function answerCloudComments({ comments }: HostedRequest, query: URLSearchParams): ApiAnswer {
  const [page, length] = [Number(query.get('page') ?? 1), Number(query.get('pagelen') ?? 10)]
  const values = comments.map(({ id, author, text }) => ({ id, user: { uuid: `{${author}}` }, content: { raw: text } }))
  const hasMore = page * length < values.length
  return [
    200,
    {
      values: values.slice((page - 1) * length, page * length),
      ...(hasMore && { next: `https://api.bitbucket.example/elsewhere?pagelen=${length}&page=${page + 1}` }),
    },
  ]
}

function toCloudPull({ number, head, target, author, state, isFork, merged, reviews }: HostedRequest) {
  return {
    ...{ id: number, state: state === 'open' ? 'OPEN' : state === 'merged' ? 'MERGED' : 'DECLINED' },
    author: { account_id: author },
    source: {
      branch: { name: 'topic' },
      commit: { hash: head.slice(0, 12) },
      repository: { uuid: isFork ? '{2}' : '{1}' },
    },
    destination: { branch: { name: target }, repository: { uuid: '{1}' } },
    merge_commit: merged === undefined ? null : { hash: merged.slice(0, 12) },
    participants: reviews.map(({ user, state: word }) => ({
      user: { account_id: user },
      approved: word === 'APPROVED',
    })),
  }
}

/** Bitbucket Data Center: "Bitbucket Data Center REST API", groups pull requests, builds, repository. */
export const bitbucketServerApi: HostApi = {
  root: '/rest/api/latest',
  isAuthorized: ({ authorization }, { token }) => authorization === `Bearer ${token}`,
  answer({ method, path, body }, state) {
    const [first, project, , name, kind, id = '', more, comment] = path
    if (first === 'application-properties') return [200, { version: '9.4.0' }, { 'x-ausername': state.account }]
    if (first !== 'projects' || `${project}/${name}` !== repository) return missing
    if (kind === 'commits' && more === 'builds') {
      const { state: word, description, url } = body as Record<string, string>
      if (url === undefined) return [400, { errors: [{ message: 'url is required' }] }]
      addStatus(state, id, { state: word!, description: description!, url })
      return [204]
    }
    if (kind === 'commits') {
      const all = [...state.requests.values()].filter(({ head, merged }) => head === id || merged === id)
      return [200, { values: all.map(toServerPull), isLastPage: true }]
    }
    const request = state.requests.get(Number(id))
    if (kind !== 'pull-requests' || !request) return missing
    if (more === undefined) return [200, toServerPull(request)]
    if (more === 'activities') {
      const entries = request.comments.map(({ id: own, author, text, version }) => ({
        ...{ id: own + 5000, action: 'COMMENTED', comment: { id: own, version, text, author: { name: author } } },
      }))
      return [200, { values: [{ id: 1, action: 'OPENED' }, ...entries].reverse(), isLastPage: true }]
    }
    if (more !== 'comments') return missing
    if (method === 'POST') return [201, { id: addComment(state, request, String(body['text'])).id }]
    const known = request.comments.find((each) => each.id === Number(comment))
    if (known && known.version !== body['version'])
      return [409, { errors: [{ message: 'The version is out of date' }] }]
    return editComment(state, Number(comment), String(body['text']))
  },
}

function toServerPull({ number, head, target, author, state, isFork, merged, reviews }: HostedRequest) {
  return {
    ...{ id: number, state: state === 'open' ? 'OPEN' : state === 'merged' ? 'MERGED' : 'DECLINED' },
    author: { user: { name: author } },
    fromRef: { id: 'refs/heads/topic', latestCommit: head, repository: { id: isFork ? 2 : 1 } },
    toRef: { id: `refs/heads/${target}`, repository: { id: 1 } },
    reviewers: reviews.map(({ user, state: word, commit }) => ({
      ...{ user: { name: user }, status: word === 'APPROVED' ? 'APPROVED' : 'NEEDS_WORK', lastReviewedCommit: commit },
    })),
    participants: [],
    properties: merged === undefined ? {} : { mergeCommit: { id: merged } },
  }
}
