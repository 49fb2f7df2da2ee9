import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GitService } from '../../code/git/git-service.ts'
import { encodePktLine, flushPkt } from '../../code/git/pkt-line.ts'
import { getRequestAccount } from '../bodies/request-body.ts'
import { createPlainRefusal } from '../http/refusal.ts'
import { createFetchTurns, createPushTurns } from './concurrency-limits.ts'
import { serveGitFetch } from './fetch.ts'
import { type GitRequest, parseGitRequest } from './git-path.ts'
import { noCache, requireConnectedClient, runGitService } from './git-service.ts'
import { type PushParts, serveGitPush } from './push.ts'
import type { Repositories } from './repositories.ts'

/** Dependencies of the git routes. */
export interface GitRoutesParts extends PushParts {
  readonly repositories: Repositories
}

/**
 * `GET /git` lists the repositories; `GET /git/NAME.git/info/refs?service=…` and `POST
 * /git/NAME.git/git-upload-pack`, `git-receive-pack` are git's smart HTTP protocol.
 * Documentation/gitprotocol-http.txt.
 */
export function addGitRoutes(server: FastifyInstance, parts: GitRoutesParts): void {
  const turns = { fetch: createFetchTurns(), push: createPushTurns() }
  server.get('/git', async (_request, reply) => {
    const repositories = [...parts.repositories.keys()].sort().map((name) => ({ name, path: `/git/${name}.git` }))
    return reply.headers(noCache).type('application/json').send(JSON.stringify({ repositories }))
  })
  server.get('/git/*', async (request, reply) => {
    const asked = parseGitRequest(request.call, request.method)
    const gitDir = resolveGitDir(asked, parts.repositories)
    if (request.method === 'HEAD') return reply.headers(noCache).type(getAdvertisementType(asked.service)).send()
    const end = await turns.fetch.take(getRequestAccount(request))
    return releaseOnClose(reply, end, () => advertiseRefs(request, reply, gitDir, asked.service))
  })

  const config = { readsBody: true, unpacksBody: true }
  server.post('/git/*', { config }, async (request, reply) => {
    const asked = parseGitRequest(request.call, request.method)
    const { service, repository: name } = asked
    const gitDir = resolveGitDir(asked, parts.repositories)
    requireRequestType(request, service)
    const isPush = service === 'receive-pack'
    const end = await turns[isPush ? 'push' : 'fetch'].take(getRequestAccount(request))
    return releaseOnClose(reply, end, () =>
      isPush
        ? serveGitPush(request, reply, { name, gitDir }, parts)
        : serveGitFetch(request, reply, gitDir, getProtocolVersion(request, service)),
    )
  })
}

/** Runs `work`; calls `end` when the response closes. Throws if the client has already disconnected. */
async function releaseOnClose(
  reply: FastifyReply,
  end: () => void,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  reply.raw.once('close', end)
  try {
    requireConnectedClient(reply)
  } catch (error) {
    end()
    throw error
  }
  return work()
}

function resolveGitDir({ repository }: GitRequest, repositories: Repositories): string {
  const gitDir = repositories.get(repository)
  if (gitDir !== undefined) return gitDir
  const known = [...repositories.keys()].map((name) => `/git/${name}.git`)
  const there = known.length === 0 ? 'No repository is served: code_repo is not set.' : `Available: ${known.join(', ')}`
  throw createPlainRefusal(404, `There is no repository /git/${repository}.git. ${there}\n`)
}

/**
 * Sends the list of refs and capabilities. Protocol 2 omits the line with the service, as git's own
 * server does.
 */
function advertiseRefs(
  request: FastifyRequest,
  reply: FastifyReply,
  gitDir: string,
  service: GitService,
): Promise<FastifyReply> {
  const protocol = getProtocolVersion(request, service)
  const before =
    protocol === 'version=2' ? Buffer.alloc(0) : Buffer.concat([encodePktLine(`# service=git-${service}\n`), flushPkt])
  const asked = { request, reply, gitDir, service, contentType: getAdvertisementType(service) }
  return runGitService(asked, yieldNothing(), { advertise: true, protocol, before })
}

function getAdvertisementType(service: GitService): string {
  return `application/x-git-${service}-advertisement`
}

/**
 * The protocol version of the client, if git supports it. Other content of `Git-Protocol` is not
 * passed to git.
 */
function getProtocolVersion({ headers }: FastifyRequest, service: GitService): string | undefined {
  const asked = String(headers['git-protocol'] ?? '').split(':')
  const version = ['version=2', 'version=1'].find((each) => asked.includes(each))
  // Pushes do not support protocol 2.
  return version === 'version=2' && service === 'receive-pack' ? undefined : version
}

function requireRequestType({ headers }: FastifyRequest, service: GitService): void {
  const type = `application/x-git-${service}-request`
  if (headers['content-type'] !== type) throw createPlainRefusal(415, `The content type of this request is ${type}\n`)
}

async function* yieldNothing(): AsyncGenerator<Buffer> {}
