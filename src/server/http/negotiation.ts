import type { FastifyRequest } from 'fastify'
import { createPuppetRefusal, type Refusal } from './refusal.ts'

/** Format of a response: media type and `Content-Type` value. */
export interface MediaFormat {
  readonly mime: string
  readonly contentType: string
}

/** Plain JSON. */
export const jsonMedia: MediaFormat = { mime: 'application/json', contentType: 'application/json;charset=utf-8' }
/** JSON under the media type of Puppet 3 to 7. */
export const psonMedia: MediaFormat = { mime: 'text/pson', contentType: 'text/pson' }
/** MessagePack. Puppet: network/formats.rb. */
export const msgpackMedia: MediaFormat = { mime: 'application/x-msgpack', contentType: 'application/x-msgpack' }
/** Rich data as MessagePack; for catalogs only. */
export const richMsgpackMedia: MediaFormat = {
  mime: 'application/vnd.puppet.rich+msgpack',
  contentType: 'application/vnd.puppet.rich+msgpack',
}
/** Binary data without a known format. */
export const binaryMedia: MediaFormat = { mime: 'application/octet-stream', contentType: 'application/octet-stream' }
/** Rich data as JSON. Puppet also sends the space in the content type. */
export const richJsonMedia: MediaFormat = {
  mime: 'application/vnd.puppet.rich+json',
  contentType: 'application/vnd.puppet.rich+json; charset=utf-8',
}

/**
 * The first supported format in the client's order; `q` values are ignored. Puppet:
 * network/http/request.rb. Throws 400 without an Accept header, 406 if no format is acceptable.
 */
export function negotiateFormat(
  accept: string | undefined,
  supported: readonly [MediaFormat, ...MediaFormat[]],
): MediaFormat {
  if (accept === undefined || accept.trim() === '')
    throw createPuppetRefusal(400, 'Missing required Accept header', 'MISSING_HEADER_FIELD')
  for (const part of accept.split(',')) {
    const wanted = parseMediaType(part)
    if (wanted === '*/*') return supported[0]
    const format = supported.find(({ mime }) => mime === wanted)
    if (format) return format
  }
  throw createNotAcceptable(accept)
}

/**
 * The first text format that the client accepts, for data that MessagePack cannot represent.
 * Puppet: network/http/api/indirected_routes.rb. Throws 406 if none is acceptable.
 */
export function negotiateTextFormat(accept: string | undefined, format: MediaFormat): MediaFormat {
  return negotiateFormat(accept, format === richMsgpackMedia ? [richJsonMedia] : [jsonMedia, psonMedia])
}

/** The 406 response for a request that accepts no supported format. */
function createNotAcceptable(accept: string | undefined): Refusal {
  return createPuppetRefusal(406, `No supported formats are acceptable (Accept: ${accept})`, 'UNSUPPORTED_FORMAT')
}

/** True for MessagePack formats. */
export function isMsgpack(format: MediaFormat): boolean {
  return format === msgpackMedia || format === richMsgpackMedia
}

/** True if the client accepts gzip. */
export function isGzipAccepted({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
}

/**
 * Returns the media type of the body. Throws 400 if it is missing, 415 if it is not supported.
 * protocol.md 1.5.
 */
export function requireContentType(header: string | undefined, ...supported: readonly string[]): string {
  if (header === undefined || header.trim() === '')
    throw createPuppetRefusal(
      400,
      "No Content-Type header was received, it isn't possible to unserialize the request",
      'MISSING_HEADER_FIELD',
    )
  const mime = parseMediaType(header)
  if (!supported.includes(mime))
    throw createPuppetRefusal(
      415,
      `Client sent a mime-type (${header}) that doesn't correspond to a format we support`,
      'UNSUPPORTED_MEDIA_TYPE',
    )
  return mime
}

function parseMediaType(header: string): string {
  return header.split(';')[0]!.trim().toLowerCase()
}
