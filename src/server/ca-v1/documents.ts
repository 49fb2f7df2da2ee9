import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Document } from '../../ca/certificate-authority.ts'

/** The text, or 304 when the client has it already. */
export function document(request: FastifyRequest, reply: FastifyReply, { pem, modified }: Document): FastifyReply {
  const since = Date.parse(request.headers['if-modified-since'] ?? '')
  reply.header('last-modified', modified.toUTCString()).type('text/plain')
  if (Math.floor(modified.getTime() / 1000) * 1000 <= since) return reply.code(304).send()
  return reply.send(pem)
}
