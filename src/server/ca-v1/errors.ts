import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import { isCatalogIssue, isIssue, type PuppetError } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { authorityConflicts, authorityOutages, authorityOverloads, requestRefusals } from '../../ca/issues.ts'
import { certificateRequestIssues } from '../../ca/x509/certificate-request.ts'
import { indirectorIssues } from '../../model/indirector/issues.ts'
import { ResponseError } from '../../network/client/errors.ts'
import { Refusal } from '../http/refusal.ts'
import { sendError } from '../https/errors.ts'
import { certificateIssues } from '../termini/certificates/issues.ts'
import { remoteServerIssues } from '../termini/remote-server.ts'

/** Sends a plain-text message, as the authority's endpoints do. */
export function sendPlainText(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).type('text/plain').send(message)
}

/** Value of `Retry-After` in seconds; agents wait and retry. */
const retryAfterSeconds = 30

/** Maps errors to statuses: 400 for requests that are not permitted, 409 for conflicts. */
export function setAuthorityErrorHandler(server: FastifyInstance): void {
  server.setErrorHandler<FastifyError | Refusal>((error, request, reply) => {
    // A Refusal is thrown before the endpoint is called.
    if (error instanceof Refusal) return sendError(error, request, reply)
    if (isIssue(error, certificateRequestIssues.REQUEST_UNREADABLE) || isCatalogIssue(error, requestRefusals)) {
      request.log.info(`Rejected the request: ${toPrintable(truncateForLog(error.diagnostic.message))}`)
      return sendPlainText(reply, 400, error.diagnostic.message)
    }
    if (isCatalogIssue(error, authorityConflicts)) return sendPlainText(reply, 409, error.diagnostic.message)
    if (isCatalogIssue(error, authorityOverloads))
      return sendPlainText(reply.header('retry-after', retryAfterSeconds), 503, error.diagnostic.message)
    if (isCatalogIssue(error, authorityOutages)) {
      request.log.error({ err: error }, 'The certificate authority is unavailable')
      const message = 'The certificate authority is unavailable. Please try again later.'
      return sendPlainText(reply.header('retry-after', retryAfterSeconds), 503, message)
    }
    if (error instanceof ResponseError) return sendPlainText(reply, error.status, error.reason)
    if (isIssue(error, remoteServerIssues.REMOTE_OVERLOADED))
      return sendPlainText(reply.header('retry-after', retryAfterSeconds), 503, error.diagnostic.message)
    if (isIssue(error, remoteServerIssues.REMOTE_AWAY)) {
      request.log.error({ err: error }, 'Could not query another server')
      return sendPlainText(reply, 502, error.diagnostic.message)
    }
    if (isIssue(error, indirectorIssues.UNSUPPORTED_OPERATION) || isIssue(error, certificateIssues.NO_REQUEST_WAITS))
      return sendPlainText(reply, 404, error.diagnostic.message)
    if (error.statusCode !== undefined && error.statusCode < 500)
      return sendPlainText(reply, error.statusCode, error.message)
    request.log.error(error)
    return sendPlainText(reply, 500, `Internal Server Error: ${error.message}`)
  })
}

/** Maximum length of a message in the log: a request may contain thousands of names. */
const mostLogged = 1000

function truncateForLog(message: string): string {
  const left = message.length - mostLogged
  return left > 0 ? `${message.slice(0, mostLogged)}… (${left} more characters)` : message
}

/** True for a refusal by the authority's policy, or a conflict with existing requests or certificates. */
export function isAuthorityRefusal(error: unknown): error is PuppetError {
  return isCatalogIssue(error, requestRefusals) || isCatalogIssue(error, authorityConflicts)
}
