import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PemDocument } from '../termini/certificates/index.ts'

/** Sends the PEM text, or 304 if the client's copy is current. */
export function sendPemDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { pem, modified }: PemDocument,
): FastifyReply {
  reply.type('text/plain')
  if (modified === undefined) return reply.send(pem)
  const since = Date.parse(request.headers['if-modified-since'] ?? '')
  reply.header('last-modified', modified.toUTCString())
  if (Math.floor(modified.getTime() / 1000) * 1000 <= since) return reply.code(304).send()
  return reply.send(pem)
}
