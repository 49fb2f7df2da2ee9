import { randomInt } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isIssue } from '../../base/issue.ts'
import { isEnvironmentName } from '../../code/environments/environment-name.ts'
import { CompileError } from '../../compiler/workers/compile-error.ts'
import { poolIssues } from '../../compiler/workers/issues.ts'
import { getClientCertificateDer } from '../auth/client-certificate.ts'
import { createRetryRefusal } from '../bodies/body-memory.ts'
import { type CatalogForm, parseFormFacts } from '../bodies/body-parsers.ts'
import type { BodyReader } from '../bodies/body-reader.ts'
import { getBody, getBodySize, getRequestAccount, isEmptyBody } from '../bodies/request-body.ts'
import {
  isGzipAccepted,
  isMsgpack,
  jsonMedia,
  type MediaFormat,
  msgpackMedia,
  negotiateFormat,
  psonMedia,
  requireContentType,
  richJsonMedia,
  richMsgpackMedia,
} from '../http/negotiation.ts'
import { getParameter, mergeParameters, type RequestParameters } from '../http/parameters.ts'
import { createPlainRefusal, createPuppetRefusal, Refusal } from '../http/refusal.ts'
import { sendData } from '../sending/data-response.ts'
import type { Services } from '../services/services.ts'
import type { CatalogDocument } from '../termini/catalog/index.ts'
import { requireCertname } from './key.ts'
import { getProvenClient } from './trusted-client.ts'

/** Options of the catalog route. */
export interface CatalogOptions {
  readonly certname: string
  /** Upper limit of `Retry-After` in seconds, read for each refusal. */
  readonly max_retry_delay: number
  readonly catalog_secrets: 'plain' | 'encrypt'
}

/** Media types of a catalog. The first is used if the client accepts any type. */
const catalogMedia: readonly [MediaFormat, ...MediaFormat[]] = [
  richJsonMedia,
  jsonMedia,
  psonMedia,
  richMsgpackMedia,
  msgpackMedia,
]

/** `GET` and `POST /puppet/v3/catalog/CERTNAME`. protocol.md 3. */
export function addCatalogRoutes(
  server: FastifyInstance,
  { catalog, bodyReader, seal, askings }: Services,
  options: CatalogOptions,
): void {
  server.route({
    method: ['GET', 'POST'],
    url: '/puppet/v3/catalog/*',
    async handler(request, reply) {
      const key = requireCertname(request)
      const form = await parseCatalogForm(request, key, bodyReader)
      const parameters = form ? mergeParameters(request.call.query, form.parameters) : request.call.query
      const environment = requireCatalogEnvironment(parameters)
      const format = negotiateFormat(request.headers.accept, catalogMedia)
      const { certname, extensions } = request.call.client
      const facts = form?.facts ?? parseFormFacts(key, parameters)
      const wantsEncryption = (given: typeof parameters) =>
        options.catalog_secrets === 'encrypt' && getParameter(given, 'encrypted_secrets') === 'true'
      const isStatic = getParameter(parameters, 'static_catalog') === 'true'
      const checksumTypes = getParameter(parameters, 'checksum_type')
      const isOwn = certname === key && format === richJsonMedia
      const recordRequest = (belongsTo: string) =>
        isOwn && askings.note(key, { environment, belongsTo, extensions, static: isStatic, checksumTypes }, facts)
      const found = await catalog
        .find({
          key,
          node: certname,
          environment,
          ignoreCache: true,
          facts,
          trusted: getProvenClient(request),
          static: isStatic,
          checksumTypes,
          checkEnvironment: getParameter(parameters, 'check_environment') === 'true',
          rich: format === richJsonMedia || format === richMsgpackMedia,
          gzip: isGzipAccepted(request) && !isMsgpack(format),
          secretsFor: certname === key && wantsEncryption(parameters) ? getClientCertificateDer(request) : undefined,
          transactionUuid: getParameter(parameters, 'transaction_uuid'),
          jobId: getParameter(parameters, 'job_id'),
          requestId: request.id,
          asking: { bytes: getBodySize(getBody(request)), signal: createDisconnectSignal(reply) },
        })
        .catch((error: unknown) => {
          // Record the request although its compilation failed, since the next commit may correct the code. Assume
          // that the classifier chose the same environment as for the last request.
          if (error instanceof CompileError) recordRequest(askings.answeredWith(key, environment) ?? environment)
          throw toRetryRefusal(error, options.max_retry_delay) ?? error
        })
      if (!found) throw createPuppetRefusal(404, `Could not find catalog ${key}`, 'RESOURCE_NOT_FOUND')
      const asked = { node: key, client: certname, transaction: getParameter(parameters, 'transaction_uuid') }
      // The signature covers the JSON, so it is sent only with JSON.
      const sealed = await seal.headersFor(found, asked)
      reply.headers({ 'X-Puppet-Compiler-Name': options.certname, ...(isMsgpack(format) ? {} : sealed) })
      if (found.origin) void reply.header('X-Plumb-Catalog', found.origin)
      if (found.origin) recordRequest(found.environment)
      if (isMsgpack(format)) return sendData(request, reply, { pieces: [found.body], format }, bodyReader)
      return sendJsonCatalog(reply, found, format)
    },
  })
}

function sendJsonCatalog(reply: FastifyReply, { body, gzipped }: CatalogDocument, format: MediaFormat): FastifyReply {
  if (gzipped) void reply.header('Content-Encoding', 'gzip')
  // A copy, because sockets cannot send shared memory.
  return reply.type(format.contentType).send(gzipped ? Buffer.from(gzipped) : body)
}

/** Signal that aborts when the client disconnects before the response is complete. */
export function createDisconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  if (raw.destroyed) controller.abort()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort()
  })
  return controller.signal
}

/**
 * Parses the form of a POST. Another content type is refused with 415; otherwise the catalog would
 * be compiled without the facts in the body.
 */
async function parseCatalogForm(
  request: FastifyRequest,
  node: string,
  reader: BodyReader,
): Promise<CatalogForm | undefined> {
  if (request.method !== 'POST') return undefined
  const body = getBody(request)
  if (isEmptyBody(body)) return undefined
  requireContentType(request.headers['content-type'], 'application/x-www-form-urlencoded')
  return (await reader.read('catalogForm', body, node, getRequestAccount(request))).value
}

/**
 * Refuses a missing or invalid environment in plain text, as Puppet Server does, with `null` for a missing one.
 * protocol.md 3.
 */
function requireCatalogEnvironment(parameters: RequestParameters): string {
  const name = getParameter(parameters, 'environment') ?? 'null'
  if (!parameters.has('environment') || !isEnvironmentName(name))
    throw createPlainRefusal(400, `The environment must be purely alphanumeric, not '${name}'`)
  return name
}

/**
 * A refusal that asks the agent to retry, if the compile queue is full or exported resources cannot be collected;
 * `undefined` for other errors.
 */
export function toRetryRefusal(error: unknown, maxRetryDelay: number): Refusal | undefined {
  if (error instanceof CompileError && error.isTemporary) return createRetryRefusal(503, error.message)
  if (!isIssue(error, poolIssues.COMPILE_QUEUE_FULL, poolIssues.NODE_QUEUE_FULL)) return undefined
  const status = isIssue(error, poolIssues.NODE_QUEUE_FULL) ? 429 : 503
  const delay = String(randomInt(Math.max(1, Math.min(maxRetryDelay, 2 ** 31))))
  return new Refusal(status, 'text/plain;charset=utf-8', error.message, { 'Retry-After': delay, Connection: 'close' })
}
