import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { budgets } from '../base/budgets.ts'
import type { Admission } from './admission.ts'
import { authorize } from './auth/authorize.ts'
import { type Client, stranger } from './auth/client.ts'
import { bindPeers } from './auth/peer.ts'
import type { Rule } from './auth/rule.ts'
import { takeBodies } from './bodies/take-body.ts'
import { answerError, answerNotFound, bare } from './errors.ts'
import { parseParameters } from './parameters.ts'
import { bareRefusal, plainRefusal } from './refusal.ts'
import { queryOf, requestPath } from './request-path.ts'
import { secureContextOptions, type TlsOptions } from './tls-context.ts'

/** What the server in front of the routes needs to know. */
export interface HttpOptions {
  /** Key, certificate and authority; without them plain HTTP, for tests and sockets. */
  readonly tls?: TlsOptions
  readonly log: FastifyBaseLogger
  /** Asked for each request, so that a reload takes hold at once. */
  rules(): readonly Rule[]
  identify(request: FastifyRequest): Client | Promise<Client>
  /** How much one client may ask for; without it there is no bound. */
  readonly admission?: Pick<Admission, 'enter'>
  /** The version of Puppet whose protocol we speak. */
  readonly puppetVersion: string
}

const worthCompressing = 1024
/** Bytes that are encrypted in about a millisecond. */
const slice = 512 * 1024
const compressed = promisify(gzip)

/** A server without routes: it names the client, authorizes, words errors, logs, and compresses. */
export function createHttpServer(options: HttpOptions): FastifyInstance {
  const common = {
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: budgets.request.body.bound,
    requestTimeout: 300_000,
    forceCloseConnections: 'idle' as const,
    routerOptions: { ignoreDuplicateSlashes: true, maxParamLength: 8192 },
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => answerError(error, request, reply),
  }
  const https = options.tls && {
    ...secureContextOptions(options.tls),
    requestCert: true,
    rejectUnauthorized: false,
  }
  const server = (https ? Fastify({ ...common, https }) : Fastify(common)) as unknown as FastifyInstance
  bindPeers(server.server)
  takeBodies(server)
  server.addHook('onRequest', async (request, reply) => admit(request, reply, options))
  server.addHook('onSend', compress)
  server.addHook('onResponse', logRequest)
  server.setErrorHandler(answerError)
  server.setNotFoundHandler(answerNotFound)
  return server
}

/** Before anything else: a sound path, a name for the client, and leave to go on. */
async function admit(request: FastifyRequest, reply: FastifyReply, options: HttpOptions): Promise<unknown> {
  if (/^\/+puppet(-ca)?\//.test(request.url)) reply.header('X-Puppet-Version', options.puppetVersion)
  request.call = { path: '', query: new Map(), client: stranger(request.ip) }
  try {
    const path = requestPath(request.url)
    const query = parseParameters(queryOf(request.url))
    request.call = { path, query, client: await options.identify(request) }
    options.admission?.enter({ ...request.call, method: request.method, response: reply.raw })
    requireLeave(request, options.rules())
    return undefined
  } catch (error) {
    answerError(error, request, reply)
    return reply
  }
}

function requireLeave(request: FastifyRequest, rules: readonly Rule[]): void {
  const { path, query, client } = request.call
  const method = request.method.toLowerCase()
  const { allowed, reason } = authorize(rules, { path, method, query, client })
  if (allowed) return
  const who = client.certname ?? 'a client without a certificate'
  request.log.warn(`Forbidden request: ${who} (${client.address}) access to ${path} (method :${method}) ${reason}`)
  if (client.unchecked)
    throw plainRefusal(503, 'The certificate cannot be checked now. Please see the server logs for details.')
  throw bareRefusal(403, `Forbidden request: ${path} (method :${method}). Please see the server logs for details.`)
}

async function compress(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const type = String(reply.getHeader('content-type') ?? '')
  if (type === bare) reply.removeHeader('content-type')
  reply.header('Vary', 'Accept-Encoding, User-Agent')
  if (typeof payload !== 'string' && !(payload instanceof Uint8Array)) return payload
  if (payload.length < worthCompressing || request.method === 'HEAD') return payload
  if (!/json|text/.test(type) || !/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? '')))
    return inSlices(payload, reply)
  reply.header('Content-Encoding', 'gzip')
  reply.removeHeader('content-length')
  return inSlices(await compressed(payload, { level: 3 }), reply)
}

/** What is long is encrypted in slices, as fast as its client takes them. */
function inSlices(payload: string | Uint8Array, reply: FastifyReply): unknown {
  if (payload.length <= slice) return payload
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : viewOf(payload)
  reply.header('Content-Length', bytes.length)
  return Readable.from(slicesOfBytes(bytes), { objectMode: false, highWaterMark: slice })
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}

function* slicesOfBytes(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += slice) yield bytes.subarray(start, start + slice)
}

/** One line for each request; never its query, headers or body, which may hold secrets. */
async function logRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  request.log.info(
    {
      method: request.method,
      path: request.call.path,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      client: request.call.client.certname ?? request.call.client.address,
    },
    'request',
  )
}
