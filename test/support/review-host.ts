import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A pull request of the stand-in, as its people see it. */
export interface HostedRequest {
  readonly number: number
  head: string
  target: string
  author: string
  state: 'open' | 'merged' | 'closed'
  isFork: boolean
  /** The commit that a merge made. */
  merged?: string
  /** Reviews in the order of time. */
  readonly reviews: {
    user: string
    state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED'
    commit: string
    /** True if it is older than the change of the target branch. */
    isEarly?: boolean
  }[]
  /** Accounts that wrote a commit, and that pushed to the branch after the request was made. */
  readonly contributors: string[]
  readonly pushers: string[]
  /** True if the target branch has changed. */
  isRetargeted: boolean
  readonly comments: { id: number; author: string; text: string; version: number; edits: number }[]
}

/** The state of a stand-in for a Git host, whatever API it speaks. */
export interface HostState {
  readonly requests: Map<number, HostedRequest>
  /** Statuses by commit, oldest first. */
  readonly statuses: Map<string, { state: string; description: string; url?: string | undefined }[]>
  /** Accounts that may write. */
  readonly writers: Set<string>
  /** Members by team. */
  readonly teams: Map<string, Set<string>>
  /** The account of the token. */
  readonly account: string
  readonly token: string
  nextId: number
}

/** A request to the API, and what the stand-in answers. */
export interface ApiCall {
  readonly method: string
  /** Decoded parts of the path below the address of the API. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
  readonly body: Record<string, unknown>
  readonly headers: IncomingMessage['headers']
}

/** An answer: a status and JSON. */
export type ApiAnswer = readonly [status: number, json?: unknown, headers?: Readonly<Record<string, string>>]

/** The answer to a path that does not exist. */
export const missing: ApiAnswer = [404, { message: 'Not Found' }]

/** Path of the repository on the stand-in. */
export const repository = 'puppet/control'

/** The time of merges. */
export const time = '2026-11-29T20:00:00Z'

/** One API of a Git host, over the common state. */
export interface HostApi {
  /** Path of the API on the server, such as `/api/v3`. */
  readonly root: string
  isAuthorized(headers: IncomingMessage['headers'], state: HostState): boolean
  answer(call: ApiCall, state: HostState): ApiAnswer
}

/** A stand-in for a Git host that speaks one API, on the loopback interface. */
export interface ReviewHostServer {
  readonly url: string
  readonly state: HostState
  /** `METHOD PATH?QUERY` of the requests. */
  readonly requests: string[]
  /** Does this instead of an answer; `true` where it did. */
  misbehave(how?: (request: IncomingMessage, response: ServerResponse) => boolean): void
  add(given: Partial<HostedRequest> & { readonly head: string }): HostedRequest
  close(): Promise<void>
}

/** Starts a stand-in without merge requests. */
export async function openReviewHost(api: HostApi): Promise<ReviewHostServer> {
  const state: HostState = {
    requests: new Map(),
    statuses: new Map(),
    writers: new Set(['alice', 'bob', 'carol']),
    teams: new Map(),
    account: 'plumbline-bot',
    token: 't0ken-of-the-bot',
    nextId: 100,
  }
  const requests: string[] = []
  let misbehaviour: (request: IncomingMessage, response: ServerResponse) => boolean = () => false
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    if (misbehaviour(request, response)) return
    const [status, json, headers = {}] = answer(api, state, request, await text(request))
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(json === undefined ? '' : JSON.stringify(json))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    requests,
    misbehave(how = () => false) {
      misbehaviour = how
    },
    add(given) {
      const number = state.requests.size + 1
      const made = {
        number,
        target: 'production',
        author: 'alice',
        state: 'open',
        isFork: false,
        isRetargeted: false,
        ...given,
      } as const
      const request: HostedRequest = { reviews: [], comments: [], contributors: [], pushers: [], ...made }
      state.requests.set(number, request)
      return request
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function answer(api: HostApi, state: HostState, request: IncomingMessage, body: string): ApiAnswer {
  const url = new URL(request.url ?? '', 'http://host')
  if (!api.isAuthorized(request.headers, state)) return [401, { message: 'Bad credentials' }]
  if (!url.pathname.startsWith(`${api.root}/`)) return [404, { message: 'Not Found' }]
  const path = url.pathname
    .slice(api.root.length + 1)
    .split('/')
    .map(decodeURIComponent)
  const call: ApiCall = {
    ...{ method: request.method ?? '', path, query: url.searchParams, headers: request.headers },
    body: body === '' ? {} : JSON.parse(body),
  }
  return api.answer(call, state)
}

/** The entries of a page by `page` and `per_page`. */
export function pageOf<Entry>(entries: readonly Entry[], query: URLSearchParams, size = 'per_page'): readonly Entry[] {
  const [page, length] = [Number(query.get('page') ?? 1), Number(query.get(size) ?? 30)]
  return entries.slice((page - 1) * length, page * length)
}

/** Adds a comment of the token's account. */
export function addComment(state: HostState, request: HostedRequest, body: string): HostedRequest['comments'][number] {
  const comment = { id: state.nextId++, author: state.account, text: body, version: 0, edits: 0 }
  request.comments.push(comment)
  return comment
}

/** Edits a comment; as on the hosts, only that of the token's account. */
export function editComment(state: HostState, id: number, body: string): ApiAnswer {
  const all = [...state.requests.values()].flatMap(({ comments }) => comments)
  const comment = all.find((each) => each.id === id)
  if (!comment) return [404, { message: 'Not Found' }]
  if (comment.author !== state.account) return [403, { message: 'Forbidden' }]
  Object.assign(comment, { text: body, version: comment.version + 1, edits: comment.edits + 1 })
  return [200, { id }]
}

export function addStatus(
  state: HostState,
  commit: string,
  status: { state: string; description: string; url?: string | undefined },
): void {
  state.statuses.set(commit, [...(state.statuses.get(commit) ?? []), status])
}
