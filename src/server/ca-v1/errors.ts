import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import { PuppetError } from '../../base/issue.ts'
import { conflictCodes, overloadCodes, refusalCodes } from '../../ca/issues.ts'
import { answerError } from '../errors.ts'
import { Refusal } from '../refusal.ts'

/** Answers with a bare message, as the authority's endpoints do. */
export function plain(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).type('text/plain').send(message)
}

/** Agents wait so long, and then try again by themselves. */
const retryAfterSeconds = 30

/** The status of an error that the client caused: what may not be is 400, what cannot be now is 409. */
export function answerErrors(server: FastifyInstance): void {
  server.setErrorHandler<FastifyError | Refusal>((error, request, reply) => {
    // What the server found wrong before the endpoint was asked.
    if (error instanceof Refusal) return answerError(error, request, reply)
    if (error instanceof PuppetError) {
      const { code, message } = error.diagnostic
      if (code === 'REQUEST_UNREADABLE' || refusalCodes.has(code)) return plain(reply, 400, message)
      if (conflictCodes.has(code)) return plain(reply, 409, message)
      if (overloadCodes.has(code)) return plain(reply.header('retry-after', retryAfterSeconds), 503, message)
    }
    if (error.statusCode !== undefined && error.statusCode < 500) return plain(reply, error.statusCode, error.message)
    request.log.error(error)
    return plain(reply, 500, `Internal Server Error: ${error.message}`)
  })
}

/** Whether the authority's policy, or what there is, speaks against it. */
export function isRefusal(error: unknown): error is PuppetError {
  if (!(error instanceof PuppetError)) return false
  return refusalCodes.has(error.diagnostic.code) || conflictCodes.has(error.diagnostic.code)
}
