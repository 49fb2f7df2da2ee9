import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OpenFile } from '../environments/environments.ts'
import { binary } from './negotiation.ts'

/** Sends a file's bytes as they come; nothing but its size is held. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, { size, stream }: OpenFile): FastifyReply {
  void reply.type(binary.contentType).header('Content-Length', size)
  // Who hung up meanwhile takes nothing; a stream may hold a process.
  if (request.method !== 'HEAD' && !reply.raw.destroyed) return reply.send(stream)
  stream.destroy()
  return reply.send()
}

const slice = 256 * 1024

/** Sends bytes that others may hold, too: of what is long, a slice at a time is copied, as its client takes it. */
export function sendPieces(reply: FastifyReply, pieces: readonly Uint8Array[]): FastifyReply {
  const size = pieces.reduce((sum, { length }) => sum + length, 0)
  if (size <= slice) return reply.send(Buffer.concat(pieces))
  return reply.header('Content-Length', size).send(Readable.from(slicesOf(pieces), { objectMode: false }))
}

function* slicesOf(pieces: readonly Uint8Array[]): Generator<Buffer> {
  for (const piece of pieces)
    for (let start = 0; start < piece.length; start += slice) yield Buffer.from(piece.subarray(start, start + slice))
}
