import type { FastifyReply, FastifyRequest } from 'fastify'
import { isIssue, PuppetError } from '../../base/issue.ts'
import { isJsonLimitError } from '../../base/json/bounded-json.ts'
import { globIssues } from '../../base/text/glob.ts'
import { walkIssues } from '../../code/environments/tree-walk.ts'
import { gitIssues } from '../../code/git/issues.ts'
import { poolIssues } from '../../compiler/workers/issues.ts'
import { indirectorIssues as requestIssues } from '../../model/indirector/issues.ts'
import { ResponseError } from '../../network/client/errors.ts'
import { createRetryRefusal } from '../bodies/body-memory.ts'
import { isParameterLimitError } from '../http/parameters.ts'
import { createBareRefusal, createPlainRefusal, createPuppetRefusal, Refusal } from '../http/refusal.ts'
import { isVersionedCodeError } from '../termini/catalog/versioned-code.ts'
import { bucketIssues } from '../termini/file-bucket-file/issues.ts'
import { isClassifierFailure } from '../termini/node/exec.ts'
import { remoteServerIssues } from '../termini/remote-server.ts'
import { reportIssues } from '../termini/report/issues.ts'
import { requestEnvironmentIssues } from '../termini/request-environment.ts'

/** Value of `Retry-After` in seconds for responses if no git process could be started. */
const secondsUntilGit = '10'

/**
 * Placeholder for "no content type"; removed before sending, because Fastify would add a default.
 */
export const noContentType = 'x-none/x-none'

const indirected = /^\/puppet\/v3\//
/** HTTP methods Puppet supports; other methods are rejected. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE'])

/** Indirections with routes; any other name below `/puppet/v3/` gets 404. */
const indirections = new Set([
  'catalog',
  'compile',
  'facts',
  'node',
  'report',
  'file_bucket_file',
  'file_content',
  'file_metadata',
  'file_metadatas',
  'static_file_content',
  'environments',
  'environment_classes',
  'environment_modules',
  'environment_transports',
  'tasks',
  'plans',
])

/** Sends an error in the format of the protocol; an unexpected error is logged with its stack. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = toRefusal(error, request)
  if (refusal.status >= 500 && !(error instanceof Refusal)) logFailure(error, request)
  sendRefusal(refusal, reply)
}

/** Answers a request that matches no route. protocol.md 1.6 and 1.7. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply): void {
  const { path } = request.call
  sendRefusal(
    indirected.test(path) ? createIndirectionRefusal(path, request.method) : createNotFoundRefusal(path, request),
    reply,
  )
}

function sendRefusal({ status, contentType, body, headers }: Refusal, reply: FastifyReply): void {
  void reply
    .code(status)
    .headers(headers)
    .header('content-type', contentType ?? noContentType)
    .send(body)
}

function createIndirectionRefusal(path: string, method: string): Refusal {
  const name = path.split('/')[3] ?? ''
  if (!/^\w+$/.test(name))
    return createPuppetRefusal(400, `The indirection name must be purely alphanumeric, not '${name}'`)
  if (!methods.has(method) || indirections.has(name))
    return createPuppetRefusal(405, `No support for http method ${method}`, 'UNSUPPORTED_METHOD')
  return createPuppetRefusal(404, `Could not find indirection '${name}'`, 'HANDLER_NOT_FOUND')
}

function createNotFoundRefusal(path: string, request: FastifyRequest): Refusal {
  if (!/\bjson\b/.test(request.headers.accept ?? '')) return createPlainRefusal(404, `Not Found: ${path}`)
  return new Refusal(404, 'application/json', JSON.stringify({ message: 'Not Found', url: path, status: '404' }))
}

function toRefusal(error: unknown, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof PuppetError) return toIssueRefusal(error)
  const { code, statusCode = 500, message } = error as Partial<Error & { code: string; statusCode: number }>
  if (code === 'FST_ERR_BAD_URL') return createBareRefusal(400, 'Invalid path')
  if (statusCode >= 400 && statusCode < 500) return toClientRefusal(statusCode, message ?? '')
  if (indirected.test(request.call?.path ?? '')) return createPuppetRefusal(500, message ?? String(error))
  return createPlainRefusal(500, `Internal Server Error: ${message ?? String(error)}`)
}

/** The refusal for an error Fastify detected in a request. */
function toClientRefusal(status: number, message: string): Refusal {
  if (status === 413) return createPuppetRefusal(413, 'The request body is too large')
  if (status === 415) return createPuppetRefusal(415, message, 'UNSUPPORTED_MEDIA_TYPE')
  return createPuppetRefusal(400, message)
}

/** Converts another server's refusal to one with the same status and message. */
function toRemoteRefusal({ status, reason }: ResponseError): Refusal {
  const body = JSON.stringify({ message: reason, issue_kind: 'RUNTIME_ERROR' })
  return new Refusal(status, 'application/json;charset=utf-8', body)
}

function toIssueRefusal(error: PuppetError): Refusal {
  if (error instanceof ResponseError && error.status >= 400 && error.status < 500) return toRemoteRefusal(error)
  const refuseWithStatus = (status: Parameters<typeof createPuppetRefusal>[0]) =>
    createPuppetRefusal(status, error.message, 'RUNTIME_ERROR', getNodeHint(error))
  if (isJsonLimitError(error) || isParameterLimitError(error)) return refuseWithStatus(413)
  if (isVersionedCodeError(error)) return createPlainRefusal(500, `Internal Server Error: ${error.message}`)
  if (isIssue(error, bucketIssues.BUCKET_BUSY, remoteServerIssues.REMOTE_OVERLOADED))
    return createRetryRefusal(503, error.message)
  if (isIssue(error, gitIssues.GIT_NOT_STARTED, gitIssues.GIT_NOT_SPOOLED))
    return new Refusal(503, 'text/plain;charset=utf-8', error.message, { 'Retry-After': secondsUntilGit })
  if (isIssue(error, poolIssues.COMPILE_QUEUE_FULL, poolIssues.COMPILE_POOL_CLOSED))
    return new Refusal(503, 'text/plain;charset=utf-8', error.message, { Connection: 'close' })
  return refuseWithStatus(statuses.find(({ issues }) => isIssue(error, ...issues))?.status ?? 500)
}

/** HTTP statuses by issue; other issues get 500. */
const statuses = [
  { status: 400, issues: [requestIssues.INVALID_KEY, globIssues.GLOB_TOO_LONG, globIssues.GLOB_TOO_COSTLY] },
  { status: 404, issues: [requestEnvironmentIssues.ENVIRONMENT_NOT_FOUND, bucketIssues.BUCKET_DAMAGED] },
  {
    status: 413,
    issues: [
      bucketIssues.BUCKET_FILE_SIZE,
      bucketIssues.BUCKET_DIFF_SIZE,
      bucketIssues.BUCKET_DIFF_COST,
      walkIssues.SEARCH_TOO_LARGE,
    ],
  },
  { status: 502, issues: [remoteServerIssues.REMOTE_AWAY] },
  { status: 507, issues: [bucketIssues.BUCKET_DISK_FULL, reportIssues.REPORT_DISK_FULL] },
] as const

/**
 * The hint to send to the node. Hints of a node classifier contain its output and are only logged.
 */
function getNodeHint(error: PuppetError): string | undefined {
  return isClassifierError(error) ? undefined : error.diagnostic.hint
}

function isClassifierError(error: PuppetError): boolean {
  return isClassifierFailure(error) || (error.cause instanceof PuppetError && isClassifierError(error.cause))
}

function logFailure(error: unknown, request: FastifyRequest): void {
  const hint = error instanceof PuppetError ? error.diagnostic.hint : undefined
  if (!(error instanceof PuppetError)) request.log.error({ err: error }, 'internal error')
  else request.log.error(hint === undefined ? error.message : `${error.message} (hint: ${hint})`)
}
