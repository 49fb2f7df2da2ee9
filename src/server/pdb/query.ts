import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PuppetError } from '../../base/issue.ts'
import type { NodeStore, StoreAnswer } from '../../store/node-store.ts'
import type { Question } from '../../store/query/answer.ts'
import { takesJson } from '../../store/takes-json.ts'
import { bodyOf, textOf } from '../bodies/take-body.ts'
import { json } from '../http/negotiation.ts'
import { Refusal } from '../http/refusal.ts'

const root = '/pdb/query/v4'
const textType = 'text/plain;charset=utf-8'

/** `GET` and `POST /pdb/query/v4[/ENTITY…]`. Rows are streamed as they are read. */
export function queryRoutes(server: FastifyInstance, { store }: { readonly store: Pick<NodeStore, 'ask'> }): void {
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!takesJson(request.headers.accept)) throw new Refusal(406, textType, 'must accept application/json')
    const found = await answered(store, questionOf(request), whenGone(reply))
    if (!found) throw new Refusal(404, textType, 'Not found')
    if (found.total !== undefined) void reply.header('X-Records', found.total)
    void reply.code(found.status).type(json.contentType)
    return reply.send(Readable.from(found.pieces))
  }
  for (const path of [root, `${root}/*`]) {
    server.get(path, handle)
    server.post(path, handle)
  }
}

/** The path stays percent-encoded, since a resource title may contain slashes. */
function questionOf(request: FastifyRequest): Question {
  const [path = '', search = ''] = splitAt(request.raw.url ?? '', '?')
  const question = { path: path.replace(/^\/+pdb\/+query\/+v4/, ''), search }
  if (request.method !== 'POST') return { ...question, method: 'GET' }
  return { ...question, method: 'POST', body: textOf(bodyOf(request)) }
}

function splitAt(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/**
 * Signal that aborts when the response closes, so that the query of a disconnected client stops.
 */
function whenGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  return gone.signal
}

const statuses: Readonly<Record<string, number>> = {
  INVALID_QUERY: 400,
  PUPPETDB_UNREACHED: 503,
  PUPPETDB_TOO_MANY: 503,
}

async function answered(
  store: Pick<NodeStore, 'ask'>,
  question: Question,
  gone: AbortSignal,
): Promise<StoreAnswer | undefined> {
  try {
    return await store.ask(question, gone)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const { code, message } = error.diagnostic
    throw new Refusal(statuses[code] ?? 500, textType, message)
  }
}
