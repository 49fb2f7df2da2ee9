import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import type { OcspResponder } from '../../ca/ocsp-responder.ts'
import { getBody, joinBody } from '../bodies/request-body.ts'
import { createPuppetRefusal } from '../http/refusal.ts'

const requestType = 'application/ocsp-request'
const bodyLimit = budgets.request.ocsp.bound

/** `POST /ocsp` and `GET /ocsp/BASE64`: OCSP requests (RFC 6960, appendix A). */
export function addOcspRoutes(server: FastifyInstance, responder: OcspResponder): void {
  server.post('/ocsp', { bodyLimit }, async (request, reply) => {
    const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
    if (type !== requestType)
      throw createPuppetRefusal(415, `The content type of an OCSP request must be ${requestType}`)
    return sendOcspResponse(reply, responder, joinBody(getBody(request)))
  })

  server.get('/ocsp/*', async (request, reply) => {
    const text = readOcspRequest(request)
    if (text.length > bodyLimit) throw createPuppetRefusal(413, 'The OCSP request is too long')
    return sendOcspResponse(reply, responder, Buffer.from(text, 'base64'))
  })
}

/**
 * Uses the raw URL, because base64 may contain two slashes in a row, which the normalized path
 * merges.
 */
function readOcspRequest({ raw }: FastifyRequest): string {
  const { url = '' } = raw
  const [path = ''] = url.split('?')
  return decodeURIComponent(path.slice(path.indexOf('/ocsp/') + '/ocsp/'.length))
}

async function sendOcspResponse(
  reply: FastifyReply,
  responder: OcspResponder,
  question: Buffer,
): Promise<FastifyReply> {
  const { der, maxAge } = await responder.answer(question)
  const caching = maxAge > 0 ? `max-age=${maxAge}, public, no-transform, must-revalidate` : 'no-store'
  return reply.type('application/ocsp-response').header('cache-control', caching).send(der)
}
