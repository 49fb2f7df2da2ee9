import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { bytesOf } from '../bodies/take-body.ts'
import { plainRefusal, puppetRefusal, Refusal } from '../http/refusal.ts'

/**
 * Streams a body and decompresses gzip, which git uses in negotiations. Throws 413 if the
 * decompressed size exceeds `maxBytes`, 415 for another encoding, 400 for invalid or incomplete
 * gzip.
 */
export async function* plainBody(request: FastifyRequest, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of unpacked(request)) {
    size += chunk.length
    if (size > maxBytes) throw plainRefusal(413, `The request has more than ${maxBytes} bytes\n`)
    yield chunk
  }
}

async function* unpacked(request: FastifyRequest): AsyncGenerator<Buffer> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity') return yield* bytesOf(request)
  if (encoding !== 'gzip' && encoding !== 'x-gzip')
    throw puppetRefusal(415, `Unsupported Content-Encoding '${encoding}'`, 'UNSUPPORTED_MEDIA_TYPE')
  const gunzip = createGunzip()
  pipeline(Readable.from(bytesOf(request)), gunzip, () => {}) // // errors reach the reader of gunzip
  try {
    yield* gunzip as AsyncIterable<Buffer>
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw plainRefusal(400, 'The request is no gzip\n')
  }
}

/** Reads a whole body into memory. Throws like `plainBody`. */
export async function wholeBody(request: FastifyRequest, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of plainBody(request, maxBytes)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
