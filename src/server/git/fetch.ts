import type { FastifyReply, FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { isIssue } from '../../base/issue.ts'
import { type FetchCommand, fetchCommandOf } from '../../code/git/fetch-command.ts'
import { pktLine, pktLineIssues } from '../../code/git/pkt-line.ts'
import { invisibleOf } from '../../code/git/visible-objects.ts'
import { plainRefusal } from '../http/refusal.ts'
import { converse, noCache, resultType } from './conversation.ts'
import { wholeBody } from './plain-body.ts'

/**
 * Serves a clone or a fetch. In protocol 2 the wanted objects are checked here, because git would
 * send any object that exists.
 */
export async function fetch(
  request: FastifyRequest,
  reply: FastifyReply,
  gitDir: string,
  protocol: string | undefined,
): Promise<FastifyReply> {
  const body = await wholeBody(request, budgets.git.negotiation.bound)
  const contentType = resultType('upload-pack')
  if (protocol === 'version=2') {
    const command = commandIn(body)
    const [invisible] = command.kind === 'fetch' ? await hidden(request, reply, gitDir, command.wants) : []
    if (invisible !== undefined)
      return reply
        .headers(noCache)
        .type(contentType)
        .send(pktLine(`ERR upload-pack: not our ref ${invisible}`))
  }
  return converse({ request, reply, gitDir, service: 'upload-pack', contentType }, one(body), { protocol })
}

function commandIn(body: Buffer): FetchCommand {
  try {
    return fetchCommandOf(body)
  } catch (error) {
    if (isIssue(error, pktLineIssues.PKT_LINE)) throw plainRefusal(400, `${(error as Error).message}\n`)
    throw error
  }
}

/** Wanted objects not reachable from a visible ref; the search stops if the client disconnects. */
async function hidden(
  { log }: FastifyRequest,
  reply: FastifyReply,
  gitDir: string,
  wants: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const search = new AbortController()
  const gone = () => search.abort(new Error('the client is gone'))
  const late = setTimeout(() => search.abort(new Error('it took too long')), budgets.git.time.bound).unref()
  reply.raw.once('close', gone)
  try {
    const found = await invisibleOf(gitDir, wants, search.signal)
    if (found.size > 0) log.warn(`A client wants ${found.size} objects that no ref leads to that it sees`)
    return found
  } finally {
    clearTimeout(late)
    reply.raw.off('close', gone)
  }
}

async function* one(body: Buffer): AsyncGenerator<Buffer> {
  yield body
}
