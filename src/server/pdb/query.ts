import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PuppetError } from '../../base/issue.ts'
import { acceptsJson } from '../../store/accept-header.ts'
import { allowLag, type NodeStore, type StoreResponse } from '../../store/node-store.ts'
import type { QueryRequest } from '../../store/query/execution.ts'
import { getBody, getBodyText } from '../bodies/request-body.ts'
import { jsonMedia } from '../http/negotiation.ts'
import { Refusal } from '../http/refusal.ts'

const root = '/pdb/query/v4'
const textType = 'text/plain;charset=utf-8'

/** `GET` and `POST /pdb/query/v4[/ENTITY…]`. Rows are streamed as they are read. */
export function addQueryRoutes(server: FastifyInstance, { store }: { readonly store: Pick<NodeStore, 'ask'> }): void {
  const lagging = allowLag(store)
  const handleQuery = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!acceptsJson(request.headers.accept)) throw new Refusal(406, textType, 'must accept application/json')
    const question = parseQueryRequest(request)
    const asked = collectsExports(question) ? store : lagging
    const found = await askStore(asked, question, createCloseSignal(reply))
    if (!found) throw new Refusal(404, textType, 'Not found')
    if (found.total !== undefined) void reply.header('X-Records', found.total)
    void reply.code(found.status).type(jsonMedia.contentType)
    return reply.send(Readable.from(found.pieces))
  }
  for (const path of [root, `${root}/*`]) {
    server.get(path, handleQuery)
    server.post(path, handleQuery)
  }
}

/** The path stays percent-encoded, since a resource title may contain slashes. */
function parseQueryRequest(request: FastifyRequest): QueryRequest {
  const [path = '', search = ''] = splitAtMark(request.raw.url ?? '', '?')
  const question = { path: path.replace(/^\/+pdb\/+query\/+v4/, ''), search }
  if (request.method !== 'POST') return { ...question, method: 'GET' }
  return { ...question, method: 'POST', body: getBodyText(getBody(request)) }
}

/**
 * True for queries of exported resources. The primary answers them, because another server's catalog may
 * collect the exports of a catalog that it has just stored here.
 */
function collectsExports({ search, body = '' }: QueryRequest): boolean {
  return search.includes('exported') || body.includes('exported')
}

function splitAtMark(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/**
 * Signal that aborts when the response closes, so that the query of a disconnected client stops.
 */
function createCloseSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  return gone.signal
}

const statuses: Readonly<Record<string, number>> = {
  INVALID_QUERY: 400,
  PUPPETDB_UNREACHED: 503,
  PUPPETDB_TOO_MANY: 503,
}

async function askStore(
  store: Pick<NodeStore, 'ask'>,
  question: QueryRequest,
  gone: AbortSignal,
): Promise<StoreResponse | undefined> {
  try {
    return await store.ask(question, gone)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const { code, message } = error.diagnostic
    throw new Refusal(statuses[code] ?? 500, textType, message)
  }
}
