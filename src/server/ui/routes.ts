import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PuppetError } from '../../base/issue.ts'
import { isSignInRequired } from '../auth/cookie.ts'
import { getParameter } from '../http/parameters.ts'
import { Refusal } from '../http/refusal.ts'
import { sendError } from '../https/errors.ts'
import type { AssetSet } from '../pages/assets.ts'
import { createCsvDownload, createJsonDownload } from '../pages/console/downloads.ts'
import { listQueryWords } from '../pages/console/query-words.ts'
import { renderNotFound, renderQueryError } from '../pages/error-pages.ts'
import { renderDocument, type Viewer } from '../pages/frame.ts'
import type { Download, Page, PageSources } from '../pages/page.ts'
import { findPage } from '../pages/pages.ts'
import { htmlType, pageHeaders, safeHeaders } from './headers.ts'
import { addSignInRoutes, type SignIn } from './sign-in.ts'

/** Dependencies of the console routes. */
export interface ConsoleParts {
  readonly sources: PageSources
  readonly assets: AssetSet
  readonly signIn: SignIn
}

/** Sends a page as a document. */
export type Sender = (request: FastifyRequest, reply: FastifyReply, page: Page) => FastifyReply

/** The routes of `/ui`. */
export function createConsoleRoutes({ sources, assets, signIn }: ConsoleParts) {
  const send: Sender = (request, reply, page) => {
    const text = renderDocument(page, assets, splitConsolePath(request)[0] ?? '', getViewer(request))
    return reply
      .code(page.status ?? 200)
      .headers(pageHeaders)
      .type(htmlType)
      .send(text)
  }
  return async (server: FastifyInstance): Promise<void> => {
    server.setErrorHandler((error, request, reply) => {
      void reply.headers(pageHeaders)
      if (error instanceof Refusal) return sendError(error, request, reply)
      const { status, message } = describeError(error, request)
      return send(request, reply, renderQueryError(message, status))
    })
    addSignInRoutes(server, send, signIn)
    addAssetRoutes(server, assets)
    addDownloadRoutes(server, sources)
    const handlePage = async (request: FastifyRequest, reply: FastifyReply) => {
      const found = findPage(splitConsolePath(request))
      if (!found) return send(request, reply, renderNotFound(request.call.path))
      const query = new Map([...request.call.query].map(([name, [first = '']]) => [name, first]))
      return send(request, reply, await found.page({ path: found.about, query }, sources))
    }
    server.get('/ui', handlePage)
    server.get('/ui/*', handlePage)
  }
}

/** Parts of the request's path below `/ui`. */
function splitConsolePath({ call }: FastifyRequest): readonly string[] {
  return call.path
    .split('/')
    .slice(2)
    .filter((part) => part !== '')
}

function getViewer({ call }: FastifyRequest): Viewer | undefined {
  const { certname, token } = call.client
  if (!isSignInRequired(call.path)) return undefined
  if (token) return { name: token.name, byToken: true }
  return { name: certname ?? 'anyone', byToken: false }
}

/** Serves the assets. The address of an asset contains a digest, so browsers may cache it. */
function addAssetRoutes(server: FastifyInstance, assets: AssetSet): void {
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

function addDownloadRoutes(server: FastifyInstance, sources: PageSources): void {
  const getQueryText = ({ call }: FastifyRequest) => getParameter(call.query, 'q') ?? ''
  const send = (reply: FastifyReply, { contentType, fileName, pieces }: Download) =>
    reply
      .headers({ ...pageHeaders, 'Content-Disposition': `attachment; filename="${fileName}"` })
      .type(contentType)
      .send(Readable.from(pieces))
  server.get('/ui/query/rows.csv', async (request, reply) =>
    send(reply, await createCsvDownload(sources, getQueryText(request))),
  )
  server.get('/ui/query/rows.json', async (request, reply) =>
    send(reply, await createJsonDownload(sources, getQueryText(request))),
  )
  server.get('/ui/query/words.json', async (_request, reply) =>
    reply.headers(pageHeaders).type('application/json;charset=utf-8').send(JSON.stringify(listQueryWords())),
  )
}

interface Trouble {
  readonly status: 400 | 500 | 503
  readonly message: string
}

function describeError(error: unknown, request: FastifyRequest): Trouble {
  if (error instanceof PuppetError) {
    const { code, message } = error.diagnostic
    return { status: code === 'QUERY_FAILED' ? 503 : 400, message }
  }
  request.log.error({ err: error }, 'internal error of the console')
  return { status: 500, message: 'Internal error. See the server log for details.' }
}
