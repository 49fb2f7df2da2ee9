import {
  type ApiAnswer,
  type ApiCall,
  addComment,
  addStatus,
  editComment,
  type HostApi,
  type HostedRequest,
  type HostState,
  missing,
  pageOf,
  repository,
  time,
} from './review-host.ts'

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
    const reviews = request.reviews.map(({ user, state: word, commit, isEarly }, at) => ({
      ...{ id: at, user: { login: user }, state: word, commit_id: commit, submitted_at: reviewTime(isEarly) },
    }))
    return [200, pageOf(reviews, query)]
  }
  if (kind === 'pulls' && more === 'commits') return [200, pageOf(request.contributors.map(toGithubCommit), query)]
  if (kind === 'issues' && more === 'events') {
    const changes = request.isRetargeted ? [{ event: 'base_ref_changed', created_at: minute(4) }] : []
    return [200, pageOf([{ event: 'labeled', created_at: minute(9) }, ...changes], query)]
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

const minute = (count: number) => `2026-11-29T20:0${count}:00.000Z`

/** The time of a review of the newest commit; the target branch changed at minute 4. */
const reviewTime = (isEarly = false) => minute(isEarly ? 3 : 5)

function toGithubCommit(login: string) {
  const person = { name: `${login} of Example`, email: `${login}@example.com` }
  return { commit: { author: person, committer: { name: 'GitHub' } }, author: { login }, committer: null }
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
        {
          approved: true,
          approved_by: [...approving].map((username) => ({
            user: { id: idOf(username), username, name: `${username} of Example` },
          })),
        },
      ]
    }
    if (more === 'commits') {
      const commits = request.contributors.map((each) => ({
        author_name: `${each} of Example`,
        committer_name: 'GitLab',
      }))
      return [200, pageOf(commits, query)]
    }
    if (more !== 'notes') return missing
    if (method === 'PUT') return editComment(state, Number(note), String(body['body']))
    if (method === 'POST') return [201, { id: addComment(state, request, String(body['body'])).id }]
    const approvals = request.reviews.map(({ user, commit, isEarly }, at) => ({
      ...{ id: at, system: true, author: { username: user }, body: 'approved this merge request' },
      created_at: commit === request.head ? reviewTime(isEarly) : minute(1),
    }))
    const pushes = request.pushers.map((username, at) => ({
      ...{ id: at + 50, system: true, author: { username }, body: 'added 2 commits\n\n<ul></ul>' },
      created_at: minute(2),
    }))
    const changed = 'changed target branch from `staging` to `production`'
    const changes = request.isRetargeted
      ? [{ id: 60, system: true, author: { username: 'alice' }, body: changed, created_at: minute(4) }]
      : []
    const comments = request.comments.map(({ id: own, author, text }) => ({
      id: own,
      system: false,
      author: { username: author },
      body: text,
      created_at: minute(4),
    }))
    return [200, pageOf([...pushes, ...changes, ...approvals, ...comments], query)]
  },
}

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
      const reviews = request.reviews.map(({ user, state: word, commit, isEarly }, at) => ({
        submitted_at: reviewTime(isEarly),
        ...{ id: at, user: { login: user }, commit_id: commit, stale: commit !== request.head },
        state: word === 'CHANGES_REQUESTED' ? 'REQUEST_CHANGES' : word === 'DISMISSED' ? 'APPROVED' : word,
        ...{ official: state.writers.has(user), dismissed: word === 'DISMISSED' },
      }))
      return [200, pageOf(reviews, query, 'limit')]
    }
    if (kind === 'pulls' && more === 'commits')
      return [200, pageOf(request.contributors.map(toGithubCommit), query, 'limit')]
    if (kind === 'issues' && more === 'timeline') {
      const pushes = request.pushers.map((login) => ({ type: 'pull_push', user: { login }, created_at: minute(9) }))
      const changes = request.isRetargeted ? [{ type: 'change_target_branch', created_at: minute(4) }] : []
      return [200, pageOf([...pushes, ...changes], query, 'limit')]
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
