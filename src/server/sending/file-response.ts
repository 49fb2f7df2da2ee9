import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { discardContent } from '../../base/bytes/content.ts'
import type { OpenFile } from '../../code/environments/environments.ts'
import { binaryMedia } from '../http/negotiation.ts'
import type { RemoteFile } from '../termini/remote-puppet.ts'
import { type ByteRange, parseByteRange, streamRange } from './byte-range.ts'

/** Streams a file, or the requested range of it. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: OpenFile | RemoteFile): FastifyReply {
  const { size, identity, content } = file
  void reply.type(binaryMedia.contentType)
  if (size !== undefined) void reply.header('Content-Length', size)
  const validator = identity === undefined ? undefined : `"${identity}"`
  if (validator !== undefined) void reply.headers({ ETag: validator, 'Accept-Ranges': 'bytes' })
  // If the client has disconnected, the stream must be discarded, since it may hold a process.
  const takesBytes = request.method !== 'HEAD' && !reply.raw.destroyed
  const range =
    takesBytes && validator !== undefined && size !== undefined
      ? parseByteRange(request.headers, { size, validator })
      : undefined
  if (range !== undefined && range !== 'none') return sendPart(reply, file, range)
  if (takesBytes && range === undefined) return reply.send(content)
  discardContent(content)
  if (range === 'none') void reply.code(416).headers({ 'Content-Range': `bytes */${size}`, 'Content-Length': 0 })
  return reply.send()
}

function sendPart(reply: FastifyReply, { size, content }: OpenFile | RemoteFile, range: ByteRange): FastifyReply {
  const { first, last } = range
  void reply
    .code(206)
    .headers({ 'Content-Range': `bytes ${first}-${last}/${size}`, 'Content-Length': last - first + 1 })
  if (!(content instanceof Readable)) return reply.send(content.subarray(first, last + 1))
  const part = Readable.from(streamRange(content, range), { objectMode: false })
  part.once('close', () => content.destroy())
  return reply.send(part)
}

const slice = 256 * 1024

/**
 * Sends bytes that may be shared with other requests; large ones are copied in slices as the client
 * reads.
 */
export function sendPieces(reply: FastifyReply, pieces: readonly Uint8Array[]): FastifyReply {
  const size = pieces.reduce((sum, { length }) => sum + length, 0)
  if (size <= slice) return reply.send(Buffer.concat(pieces))
  return reply.header('Content-Length', size).send(Readable.from(splitPieces(pieces), { objectMode: false }))
}

function* splitPieces(pieces: readonly Uint8Array[]): Generator<Buffer> {
  for (const piece of pieces)
    for (let start = 0; start < piece.length; start += slice) yield Buffer.from(piece.subarray(start, start + slice))
}
