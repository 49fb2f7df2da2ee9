import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import { isIssue, isIssueIn, type PuppetError } from '../../base/issue.ts'
import { printable } from '../../base/text/printable.ts'
import { conflicts, overloads, refusals } from '../../ca/issues.ts'
import { requestIssues } from '../../ca/x509/certificate-request.ts'
import { issues as indirectorIssues } from '../../model/indirector/issues.ts'
import { ResponseError } from '../../network/client/errors.ts'
import { Refusal } from '../http/refusal.ts'
import { answerError } from '../https/errors.ts'
import { certificateIssues } from '../termini/certificates/issues.ts'
import { remoteIssues } from '../termini/remote-server.ts'

/** Sends a plain-text message, as the authority's endpoints do. */
export function plain(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).type('text/plain').send(message)
}

/** `Retry-After` in seconds; agents wait and retry. */
const retryAfterSeconds = 30

/** Maps errors to statuses: 400 for requests that are not permitted, 409 for conflicts. */
export function answerErrors(server: FastifyInstance): void {
  server.setErrorHandler<FastifyError | Refusal>((error, request, reply) => {
    // A Refusal is thrown before the endpoint is called.
    if (error instanceof Refusal) return answerError(error, request, reply)
    if (isIssue(error, requestIssues.REQUEST_UNREADABLE) || isIssueIn(error, refusals)) {
      request.log.info(`Rejected the request: ${printable(loggedPart(error.diagnostic.message))}`)
      return plain(reply, 400, error.diagnostic.message)
    }
    if (isIssueIn(error, conflicts)) return plain(reply, 409, error.diagnostic.message)
    if (isIssueIn(error, overloads))
      return plain(reply.header('retry-after', retryAfterSeconds), 503, error.diagnostic.message)
    if (error instanceof ResponseError) return plain(reply, error.status, error.reason)
    if (isIssue(error, remoteIssues.REMOTE_OVERLOADED))
      return plain(reply.header('retry-after', retryAfterSeconds), 503, error.diagnostic.message)
    if (isIssue(error, remoteIssues.REMOTE_AWAY)) {
      request.log.error({ err: error }, 'Another server was not asked')
      return plain(reply, 502, error.diagnostic.message)
    }
    if (isIssue(error, indirectorIssues.UNSUPPORTED_OPERATION) || isIssue(error, certificateIssues.NO_REQUEST_WAITS))
      return plain(reply, 404, error.diagnostic.message)
    if (error.statusCode !== undefined && error.statusCode < 500) return plain(reply, error.statusCode, error.message)
    request.log.error(error)
    return plain(reply, 500, `Internal Server Error: ${error.message}`)
  })
}

/** Maximum length of a message in the log: a request may contain thousands of names. */
const mostLogged = 1000

function loggedPart(message: string): string {
  const left = message.length - mostLogged
  return left > 0 ? `${message.slice(0, mostLogged)}… (${left} more characters)` : message
}

/** True for a refusal by the authority's policy, or a conflict with existing requests or certificates. */
export function isRefusal(error: unknown): error is PuppetError {
  return isIssueIn(error, refusals) || isIssueIn(error, conflicts)
}
