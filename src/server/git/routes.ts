import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { flushPkt, pktLine } from '../../code/git/pkt-line.ts'
import type { GitService } from '../../code/git/serve-git.ts'
import { clientOf } from '../bodies/take-body.ts'
import { plainRefusal } from '../http/refusal.ts'
import { converse, noCache, requireClient } from './conversation.ts'
import { fetch } from './fetch.ts'
import { type GitRequest, gitRequestOf } from './git-path.ts'
import { type PushParts, push } from './push.ts'
import type { Repositories } from './repositories.ts'
import { fetchTurns, pushTurns } from './turns.ts'

/** Dependencies of the git routes. */
export interface GitRoutesParts extends PushParts {
  readonly repositories: Repositories
}

/**
 * `GET /git` lists the repositories; `GET /git/NAME.git/info/refs?service=…` and `POST
 * /git/NAME.git/git-upload-pack`, `git-receive-pack` are git's smart HTTP protocol.
 * Documentation/gitprotocol-http.txt.
 */
export function gitRoutes(server: FastifyInstance, parts: GitRoutesParts): void {
  const turns = { fetch: fetchTurns(), push: pushTurns() }
  server.get('/git', async (_request, reply) => {
    const repositories = [...parts.repositories.keys()].sort().map((name) => ({ name, path: `/git/${name}.git` }))
    return reply.headers(noCache).type('application/json').send(JSON.stringify({ repositories }))
  })
  server.get('/git/*', async (request, reply) => {
    const asked = gitRequestOf(request.call, request.method)
    const gitDir = gitDirOf(asked, parts.repositories)
    if (request.method === 'HEAD') return reply.headers(noCache).type(listingType(asked.service)).send()
    const end = await turns.fetch.take(clientOf(request))
    return during(reply, end, () => advertise(request, reply, gitDir, asked.service))
  })

  const config = { readsBody: true, unpacksBody: true }
  server.post('/git/*', { config }, async (request, reply) => {
    const asked = gitRequestOf(request.call, request.method)
    const { service, repository: name } = asked
    const gitDir = gitDirOf(asked, parts.repositories)
    requireType(request, service)
    const isPush = service === 'receive-pack'
    const end = await turns[isPush ? 'push' : 'fetch'].take(clientOf(request))
    return during(reply, end, () =>
      isPush
        ? push(request, reply, { name, gitDir }, parts)
        : fetch(request, reply, gitDir, protocolOf(request, service)),
    )
  })
}

/**
 * Runs `work`; calls `end` when the response closes. Throws if the client disconnected while
 * waiting.
 */
async function during(reply: FastifyReply, end: () => void, work: () => Promise<FastifyReply>): Promise<FastifyReply> {
  reply.raw.once('close', end)
  try {
    requireClient(reply)
  } catch (error) {
    end()
    throw error
  }
  return work()
}

function gitDirOf({ repository }: GitRequest, repositories: Repositories): string {
  const gitDir = repositories.get(repository)
  if (gitDir !== undefined) return gitDir
  const known = [...repositories.keys()].map((name) => `/git/${name}.git`)
  const there = known.length === 0 ? 'None is served: code_repo is not set.' : `There is: ${known.join(', ')}`
  throw plainRefusal(404, `There is no repository /git/${repository}.git. ${there}\n`)
}

/**
 * Sends the list of refs and capabilities. Protocol 2 omits the line with the service, as git's own
 * server does.
 */
function advertise(
  request: FastifyRequest,
  reply: FastifyReply,
  gitDir: string,
  service: GitService,
): Promise<FastifyReply> {
  const protocol = protocolOf(request, service)
  const before =
    protocol === 'version=2' ? Buffer.alloc(0) : Buffer.concat([pktLine(`# service=git-${service}\n`), flushPkt])
  const asked = { request, reply, gitDir, service, contentType: listingType(service) }
  return converse(asked, nothing(), { advertise: true, protocol, before })
}

function listingType(service: GitService): string {
  return `application/x-git-${service}-advertisement`
}

/**
 * The protocol version of the client, if git supports it. Other content of `Git-Protocol` is not
 * passed to git.
 */
function protocolOf({ headers }: FastifyRequest, service: GitService): string | undefined {
  const asked = String(headers['git-protocol'] ?? '').split(':')
  const version = ['version=2', 'version=1'].find((each) => asked.includes(each))
  // Pushes do not support protocol 2.
  return version === 'version=2' && service === 'receive-pack' ? undefined : version
}

function requireType({ headers }: FastifyRequest, service: GitService): void {
  const type = `application/x-git-${service}-request`
  if (headers['content-type'] !== type) throw plainRefusal(415, `The content type of this request is ${type}\n`)
}

async function* nothing(): AsyncGenerator<Buffer> {}
