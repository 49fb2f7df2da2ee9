import type { Server, ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { authorize } from '../auth/authorize.ts'
import { getPeer, recordPeers } from '../auth/peer.ts'
import type { Rule } from '../auth/rule.ts'
import { acceptRequestBodies } from '../bodies/request-body.ts'
import { isGitPath } from '../git/git-path.ts'
import { type Client, createUnauthenticatedClient, formatClientName } from '../http/client.ts'
import { isGzipAccepted } from '../http/negotiation.ts'
import { parseParameters } from '../http/parameters.ts'
import { closePipelinedResponses } from '../http/pipelined-responses.ts'
import { createBareRefusal, createPlainRefusal, Refusal } from '../http/refusal.ts'
import { getQueryString, parseRequestPath } from '../http/request-path.ts'
import { limitRequestTime } from '../http/request-time.ts'
import { watchTransfers } from '../http/transfer-rate.ts'
import { getRequestId } from '../telemetry/request-id.ts'
import { type EndedRequest, observeRequest, type RequestObserver } from '../telemetry/request-observer.ts'
import { startRequestSpan } from '../telemetry/request-spans.ts'
import { type ConnectionBounds, Connections, createConnectionBounds } from './connections.ts'
import { deferTlsHandshake } from './deferred-tls.ts'
import { noContentType, sendError, sendNotFound } from './errors.ts'
import { toCurrentUrl } from './legacy-routes.ts'
import { answerMalformedRequest } from './malformed-request.ts'
import type { Admission } from './request-limits.ts'
import { getSecureContextOptions, type TlsOptions } from './tls-context.ts'

/** Options of the HTTP server. */
export interface HttpOptions {
  /**
   * PEM texts of key, certificate and authorities; without them plain HTTP, for tests and local
   * sockets.
   */
  readonly tls?: TlsOptions
  readonly log: FastifyBaseLogger
  /** Returns the rules of auth.conf. Called for each request, so that a reload takes effect at once. */
  rules(): readonly Rule[]
  identify(request: FastifyRequest): Client | Promise<Client>
  /** Enforces request limits; no limits if undefined. */
  readonly admission?: Pick<Admission, 'enter'>
  /** Returns the response to an unauthorized request; undefined for a plain 403. */
  entrance?(request: FastifyRequest): Refusal | undefined
  /** True to rewrite Puppet 3 URLs to current ones. */
  readonly legacyRoutes?: boolean
  /** Puppet version whose protocol the server speaks. */
  readonly puppetVersion: string
  /** Text of the 403 response, if it differs from Puppet Server's. */
  forbidden?(client: Client): string
  /** Additional observers of each request, besides the log. */
  readonly observers?: readonly RequestObserver[]
  /** Limits on the number of TLS connections and on their handshakes. */
  readonly connections?: ConnectionBounds
}

const worthCompressing = 1024
/**
 * Responses are sent in slices of this many bytes, so that a client that stops reading holds at
 * most one slice and is detected.
 */
const sliceBytes = 16 * 1024
/** Interval at which Node checks for timed-out requests, in milliseconds. */
const lookIntervalMs = 1000
/** Minimum interval between log messages about too many connections, in milliseconds. */
const crowdedIntervalMs = 60_000
const compressed = promisify(gzip)

/**
 * Creates a server without routes; it identifies and authorizes clients, formats errors, logs and
 * compresses.
 */
export function createHttpServer(options: HttpOptions): FastifyInstance {
  const bounds = budgets.connection
  const forNode = {
    maxHeaderSize: bounds.headerBytes.bound,
    headersTimeout: bounds.headers.bound,
    connectionsCheckingInterval: lookIntervalMs,
  }
  const common = {
    loggerInstance: options.log,
    clientErrorHandler: answerMalformedRequest,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    genReqId: getRequestId,
    bodyLimit: budgets.request.body.bound,
    requestTimeout: Math.max(bounds.request.bound, budgets.git.time.bound),
    keepAliveTimeout: bounds.idle.bound,
    maxRequestsPerSocket: bounds.requests.bound,
    forceCloseConnections: 'idle' as const,
    // A keep-alive connection may send one more request after shutdown was announced.
    return503OnClosing: false,
    ...(options.legacyRoutes && { rewriteUrl: ({ url = '/' }: { readonly url?: string }) => toCurrentUrl(url) }),
    routerOptions: { ignoreDuplicateSlashes: true, maxParamLength: 8192 },
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => sendError(error, request, reply),
  }
  const https = options.tls && {
    ...getSecureContextOptions(options.tls),
    ...forNode,
    handshakeTimeout: bounds.handshake.bound,
    requestCert: true,
    rejectUnauthorized: false,
  }
  const server = (https
    ? Fastify({ ...common, https })
    : Fastify({ ...common, http: forNode })) as unknown as FastifyInstance
  if (https) deferTlsHandshake(server.server)
  recordPeers(server.server)
  closePipelinedResponses(server.server)
  acceptRequestBodies(server)
  limitRequestTime(server.server, ({ url }) => (isGitPath(url ?? '') ? budgets.git.time.bound : bounds.request.bound))
  const connections = limitConnections(server.server, options)
  const observers = [logObserver, ...(options.observers ?? [])]
  server.addHook('onRequest', async (request, reply) => {
    request.call = { path: '', query: new Map(), client: createUnauthenticatedClient(request.ip) }
    reply.header('X-Request-Id', request.id)
    observeRequest(request, reply, observers)
    const refused = await admitRequest(request, reply, options)
    connections?.know(request.socket, isIdentifiedClient(request.call.client))
    return refused
  })
  server.addHook('preHandler', startRequestSpan)
  server.addHook('onSend', compressPayload)
  server.addHook('onSend', slicePayload)
  server.setErrorHandler(sendError)
  server.setNotFoundHandler(sendNotFound)
  return server
}

/** Limits the resources of a client on the connection level, independent of any request. */
function limitConnections(server: Server, { tls, connections: bounds, log }: HttpOptions): Connections | undefined {
  const { pipelined, transfer, transferTime, total, perAddress } = budgets.connection
  // Node silently drops headers beyond its maximum; `admit` rejects them instead.
  server.maxHeadersCount = 0
  // Handles accept errors such as EMFILE; without a listener they would end the process.
  server.on('listening', () =>
    server.on('error', (error) => log.error({ err: error }, 'could not accept a connection')),
  )
  watchTransfers(server, { bytes: transfer.bound, withinMs: transferTime.bound })
  if (!tls) return undefined
  let silentUntil = 0
  const logConnectionLimit = (address: string) => {
    if (performance.now() < silentUntil) return
    silentUntil = performance.now() + crowdedIntervalMs
    log.warn(
      `Too many connections, the last one from ${address}: closing connections without a verified certificate first`,
    )
  }
  const standard = { max_connections: total.bound, max_connections_per_address: perAddress.bound }
  const getCertificateSubject = (socket: object) => {
    const peer = getPeer(socket)
    return typeof peer === 'object' ? peer.subject.der.toString('latin1') : undefined
  }
  const connections = new Connections(
    server,
    bounds ?? createConnectionBounds(standard),
    getCertificateSubject,
    logConnectionLimit,
  )
  server.on('request', ({ socket }, response: ServerResponse) => {
    if (connections.begin(socket) > pipelined.bound) socket.destroy()
    response.once('close', () => connections.end(socket))
  })
  return connections
}

function isIdentifiedClient({ certname, token }: Client): boolean {
  return certname !== undefined || token !== undefined
}

/**
 * Runs before anything else: validates the path, identifies the client, and authorizes the request.
 */
async function admitRequest(request: FastifyRequest, reply: FastifyReply, options: HttpOptions): Promise<unknown> {
  if (/^\/+puppet(-ca)?\//.test(request.url)) reply.header('X-Puppet-Version', options.puppetVersion)
  try {
    if (request.raw.rawHeaders.length / 2 > budgets.connection.headerCount.bound)
      throw createBareRefusal(431, 'Too many headers')
    const path = parseRequestPath(request.url)
    const query = parseParameters(getQueryString(request.url))
    request.call = { path, query, client: createUnauthenticatedClient(request.ip) }
    request.call = { path, query, client: await options.identify(request) }
    options.admission?.enter({ ...request.call, method: request.method, response: reply.raw })
    requireAuthorization(request, options)
    return undefined
  } catch (error) {
    sendError(error, request, reply)
    return reply
  }
}

function requireAuthorization(request: FastifyRequest, { rules, forbidden, entrance }: HttpOptions): void {
  const { path, client } = request.call
  const query = getQueryString(request.url)
  const method = request.method.toLowerCase()
  const { allowed, reason } = authorize(rules(), { path, method, query, client })
  if (allowed) return
  const who =
    client.certname ?? client.revoked ?? (client.token ? formatClientName(client) : 'a client without a certificate')
  request.log.warn(`Forbidden request: ${who} (${client.address}) access to ${path} (method :${method}) ${reason}`)
  const otherwise = entrance?.(request)
  if (otherwise) throw otherwise
  if (client.unchecked)
    throw createPlainRefusal(503, 'The certificate cannot be verified now. Please see the server logs for details.')
  if (client.refusedToken !== undefined)
    throw new Refusal(401, 'text/plain;charset=utf-8', 'The token is unknown or has expired.', {
      'WWW-Authenticate': 'Bearer',
    })
  if (forbidden) throw createPlainRefusal(403, forbidden(client))
  // Only the certificate's owner sees this; the handshake has proven possession of the key.
  const revoked = client.revoked === undefined ? '' : `Certificate 'CN=${client.revoked}' is revoked. `
  throw createBareRefusal(
    403,
    `Forbidden request: ${path} (method :${method}). ${revoked}Please see the server logs for details.`,
  )
}

async function compressPayload(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const type = String(reply.getHeader('content-type') ?? '')
  if (type === noContentType) reply.removeHeader('content-type')
  reply.header('Vary', 'Accept-Encoding, User-Agent')
  if (request.method === 'HEAD' || !isGzipAccepted(request) || reply.hasHeader('content-encoding')) return payload
  // Compress JSON streams, which are query rows. Other streams are files, which agents compare byte by byte.
  const isRows = payload instanceof Readable && type.startsWith('application/json')
  const isText = (typeof payload === 'string' || payload instanceof Uint8Array) && /json|text/.test(type)
  if (!isRows && !(isText && payload.length >= worthCompressing)) return payload
  reply.header('Content-Encoding', 'gzip')
  reply.removeHeader('content-length')
  if (!isRows) return compressed(payload as string | Uint8Array, { level: 3 })
  // An error on either stream destroys the other; the response's own stream reports it.
  return pipeline(payload, createGzip({ level: 3 }), () => {})
}

async function slicePayload(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (typeof payload !== 'string' && !(payload instanceof Uint8Array)) return payload
  if (payload.length <= sliceBytes || request.method === 'HEAD') return payload
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  reply.header('content-length', bytes.length)
  return Readable.from(splitSlices(bytes))
}

function* splitSlices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes)
}

/** Logs one line per request, without query, headers or body, which may contain secrets. */
const logObserver: RequestObserver = {
  ended({ method, path, status, ms, client }: EndedRequest, { log }) {
    log.info({ method, path, status, ms: Math.round(ms), client: formatClientName(client) }, 'request')
  },
}
