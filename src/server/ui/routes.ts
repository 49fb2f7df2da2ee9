import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PuppetError } from '../../base/issue.ts'
import { isInside } from '../auth/cookie.ts'
import { parameter } from '../http/parameters.ts'
import { Refusal } from '../http/refusal.ts'
import { answerError } from '../https/errors.ts'
import type { AssetSet } from '../pages/assets.ts'
import { csvOf, jsonOf } from '../pages/console/downloads.ts'
import { queryWords } from '../pages/console/words.ts'
import { framed, type Viewer } from '../pages/frame.ts'
import type { Download, Page, PageSources } from '../pages/page.ts'
import { pageAt } from '../pages/pages.ts'
import { notFound, troubled } from '../pages/problem.ts'
import { htmlType, pageHeaders, safeHeaders } from './headers.ts'
import { type SignIn, signInRoutes } from './sign-in.ts'

/** Parts of the console routes. */
export interface ConsoleParts {
  readonly sources: PageSources
  readonly assets: AssetSet
  readonly signIn: SignIn
}

/** Sends a page as a document. */
export type Sender = (request: FastifyRequest, reply: FastifyReply, page: Page) => FastifyReply

/** The routes of `/ui`. */
export function consoleRoutes({ sources, assets, signIn }: ConsoleParts) {
  const send: Sender = (request, reply, page) => {
    const text = framed(page, assets, partsOf(request)[0] ?? '', viewerOf(request))
    return reply
      .code(page.status ?? 200)
      .headers(pageHeaders)
      .type(htmlType)
      .send(text)
  }
  return async (server: FastifyInstance): Promise<void> => {
    server.setErrorHandler((error, request, reply) => {
      void reply.headers(pageHeaders)
      if (error instanceof Refusal) return answerError(error, request, reply)
      const { status, message } = troubleOf(error, request)
      return send(request, reply, troubled(message, status))
    })
    signInRoutes(server, send, signIn)
    assetRoutes(server, assets)
    downloadRoutes(server, sources)
    const page = async (request: FastifyRequest, reply: FastifyReply) => {
      const found = pageAt(partsOf(request))
      if (!found) return send(request, reply, notFound(request.call.path))
      const query = new Map([...request.call.query].map(([name, [first = '']]) => [name, first]))
      return send(request, reply, await found.page({ path: found.about, query }, sources))
    }
    server.get('/ui', page)
    server.get('/ui/*', page)
  }
}

/** Parts of the request's path below `/ui`. */
function partsOf({ call }: FastifyRequest): readonly string[] {
  return call.path
    .split('/')
    .slice(2)
    .filter((part) => part !== '')
}

function viewerOf({ call }: FastifyRequest): Viewer | undefined {
  const { certname, token } = call.client
  if (!isInside(call.path)) return undefined
  if (token) return { name: token.name, byToken: true }
  return { name: certname ?? 'anyone', byToken: false }
}

/** Serves the assets. The address of an asset contains a digest, so browsers may cache it. */
function assetRoutes(server: FastifyInstance, assets: AssetSet): void {
  server.get<{ Params: { digest: string; name: string } }>('/ui/assets/:digest/:name', async (request, reply) => {
    const { digest, name } = request.params
    const asset = assets.get(name)
    if (!asset) throw new Refusal(404, 'text/plain;charset=utf-8', 'Not found', safeHeaders)
    const etag = `"${assets.digest}-${name}"`
    const lasting = digest === assets.digest ? 'public, max-age=31536000, immutable' : 'no-cache'
    void reply.headers({ ...safeHeaders, ETag: etag, 'Cache-Control': lasting }).type(asset.contentType)
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.send(asset.bytes)
  })
}

function downloadRoutes(server: FastifyInstance, sources: PageSources): void {
  const queryIn = ({ call }: FastifyRequest) => parameter(call.query, 'q') ?? ''
  const send = (reply: FastifyReply, { contentType, fileName, pieces }: Download) =>
    reply
      .headers({ ...pageHeaders, 'Content-Disposition': `attachment; filename="${fileName}"` })
      .type(contentType)
      .send(Readable.from(pieces))
  server.get('/ui/query/rows.csv', async (request, reply) => send(reply, await csvOf(sources, queryIn(request))))
  server.get('/ui/query/rows.json', async (request, reply) => send(reply, await jsonOf(sources, queryIn(request))))
  server.get('/ui/query/words.json', async (_request, reply) =>
    reply.headers(pageHeaders).type('application/json;charset=utf-8').send(JSON.stringify(queryWords())),
  )
}

interface Trouble {
  readonly status: 400 | 500 | 503
  readonly message: string
}

function troubleOf(error: unknown, request: FastifyRequest): Trouble {
  if (error instanceof PuppetError) {
    const { code, message } = error.diagnostic
    return { status: code === 'QUERY_FAILED' ? 503 : 400, message }
  }
  request.log.error({ err: error }, 'internal error of the console')
  return { status: 500, message: 'Internal error. See the server log for details.' }
}
