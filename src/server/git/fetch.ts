import type { FastifyReply, FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { isIssue } from '../../base/issue.ts'
import { type FetchCommand, parseFetchPktLines } from '../../code/git/fetch-command.ts'
import { encodePktLine, pktLineIssues } from '../../code/git/pkt-line.ts'
import { findInvisibleObjects } from '../../code/git/visible-objects.ts'
import { createPlainRefusal } from '../http/refusal.ts'
import { readPlainBody } from './decompressed-body.ts'
import { getResultType, noCache, runGitService } from './git-service.ts'

/**
 * Serves a clone or a fetch. In protocol 2 the wanted objects are checked here, because git would
 * send any object that exists.
 */
export async function serveGitFetch(
  request: FastifyRequest,
  reply: FastifyReply,
  gitDir: string,
  protocol: string | undefined,
): Promise<FastifyReply> {
  const body = await readPlainBody(request, budgets.git.negotiation.bound)
  const contentType = getResultType('upload-pack')
  if (protocol === 'version=2') {
    const command = parseFetchCommand(body)
    const [invisible] = command.kind === 'fetch' ? await findHiddenObjects(request, reply, gitDir, command.wants) : []
    if (invisible !== undefined)
      return reply
        .headers(noCache)
        .type(contentType)
        .send(encodePktLine(`ERR upload-pack: not our ref ${invisible}`))
  }
  return runGitService({ request, reply, gitDir, service: 'upload-pack', contentType }, yieldBody(body), { protocol })
}

function parseFetchCommand(body: Buffer): FetchCommand {
  try {
    return parseFetchPktLines(body)
  } catch (error) {
    if (isIssue(error, pktLineIssues.PKT_LINE)) throw createPlainRefusal(400, `${(error as Error).message}\n`)
    throw error
  }
}

/** Wanted objects not reachable from a visible ref; the search stops if the client disconnects. */
async function findHiddenObjects(
  { log }: FastifyRequest,
  reply: FastifyReply,
  gitDir: string,
  wants: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const search = new AbortController()
  const abortSearch = () => search.abort(new Error('the client disconnected'))
  const late = setTimeout(() => search.abort(new Error('it exceeded the time limit')), budgets.git.time.bound).unref()
  reply.raw.once('close', abortSearch)
  try {
    const found = await findInvisibleObjects(gitDir, wants, search.signal)
    if (found.size > 0) log.warn(`A client requested ${found.size} objects that no visible ref reaches`)
    return found
  } finally {
    clearTimeout(late)
    reply.raw.off('close', abortSearch)
  }
}

async function* yieldBody(body: Buffer): AsyncGenerator<Buffer> {
  yield body
}
