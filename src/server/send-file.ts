import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OpenFile } from '../environments/environments.ts'
import { binary } from './negotiation.ts'

/** Sends a file's bytes as they come; nothing but its size is held. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, { size, stream }: OpenFile): FastifyReply {
  void reply.type(binary.contentType).header('Content-Length', size)
  if (request.method !== 'HEAD') return reply.send(stream)
  stream.destroy()
  return reply.send()
}
