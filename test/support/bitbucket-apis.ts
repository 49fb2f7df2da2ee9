import {
  type ApiAnswer,
  addComment,
  addStatus,
  editComment,
  type HostApi,
  type HostedRequest,
  missing,
  repository,
  time,
} from './review-host.ts'

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
      const list = (isWanted: (review: HostedRequest['reviews'][number]) => boolean) =>
        request.reviews.filter(isWanted).map(({ user }) => ({ approval: { date: time, user: { account_id: user } } }))
      const update = (hash: string, name: string, author = 'alice') => {
        const source = { commit: { hash: hash.slice(0, 12) } }
        return { update: { date: time, author: { account_id: author }, source, destination: { branch: { name } } } }
      }
      const { head, target, isRetargeted, pushers } = request
      const values = [
        ...list(({ commit, isEarly }) => commit === head && isEarly !== true),
        ...(isRetargeted ? [update(head, target)] : []),
        ...list(({ commit, isEarly }) => commit === head && isEarly === true),
        update(head, isRetargeted ? 'staging' : target, pushers.at(-1)),
        ...list(({ commit }) => commit !== head),
        update('f'.repeat(40), target),
      ]
      return [200, { values }]
    }
    if (more === 'commits') {
      const values = request.contributors.map((each) => ({ author: { raw: each, user: { account_id: each } } }))
      return [200, { values }]
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
      const pushes = request.pushers.map((user) => ({
        ...{
          id: 2,
          action: 'RESCOPED',
          user: { name: user },
          fromHash: request.head,
          previousFromHash: 'f'.repeat(40),
        },
      }))
      const moved = { id: 3, action: 'RESCOPED', user: { name: 'carol' }, fromHash: 'e', previousFromHash: 'e' }
      return [200, { values: [{ id: 1, action: 'OPENED' }, moved, ...pushes, ...entries].reverse(), isLastPage: true }]
    }
    if (more === 'commits') {
      const values = request.contributors.map((user) => ({
        author: { name: `${user} of Example`, emailAddress: `${user}@example.com` },
        committer: { name: 'Bitbucket' },
      }))
      return [200, { values, isLastPage: true }]
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
      user: { name: user, emailAddress: `${user}@Example.com` },
      ...{ status: word === 'APPROVED' ? 'APPROVED' : 'NEEDS_WORK', lastReviewedCommit: commit },
    })),
    participants: [],
    properties: merged === undefined ? {} : { mergeCommit: { id: merged } },
  }
}
