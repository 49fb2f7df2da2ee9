import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { streamBody } from '../bodies/request-body.ts'
import { createPlainRefusal, createPuppetRefusal, Refusal } from '../http/refusal.ts'

/**
 * Streams a body and decompresses gzip, which git uses in negotiations. Throws 413 if the
 * decompressed size exceeds `maxBytes`, 415 for another encoding, 400 for invalid or incomplete
 * gzip.
 */
export async function* streamPlainBody(request: FastifyRequest, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of decompressBody(request)) {
    size += chunk.length
    if (size > maxBytes) throw createPlainRefusal(413, `The request exceeds ${maxBytes} bytes\n`)
    yield chunk
  }
}

async function* decompressBody(request: FastifyRequest): AsyncGenerator<Buffer> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity') return yield* streamBody(request)
  if (encoding !== 'gzip' && encoding !== 'x-gzip')
    throw createPuppetRefusal(415, `Unsupported Content-Encoding '${encoding}'`, 'UNSUPPORTED_MEDIA_TYPE')
  const gunzip = createGunzip()
  pipeline(Readable.from(streamBody(request)), gunzip, () => {}) // errors reach the reader of gunzip
  try {
    yield* gunzip as AsyncIterable<Buffer>
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw createPlainRefusal(400, 'The request is not gzip\n')
  }
}

/** Reads a whole body into memory. Throws like `streamPlainBody`. */
export async function readPlainBody(request: FastifyRequest, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of streamPlainBody(request, maxBytes)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
