import type { FastifyRequest } from 'fastify'
import { puppetRefusal, type Refusal } from './refusal.ts'

/** Format of a response: media type and `Content-Type` value. */
export interface Format {
  readonly mime: string
  readonly contentType: string
}

/** Plain JSON. */
export const json: Format = { mime: 'application/json', contentType: 'application/json;charset=utf-8' }
/** JSON under the media type of Puppet 3 to 7. */
export const pson: Format = { mime: 'text/pson', contentType: 'text/pson' }
/** MessagePack. Puppet: network/formats.rb. */
export const msgpack: Format = { mime: 'application/x-msgpack', contentType: 'application/x-msgpack' }
/** Rich data as MessagePack; for catalogs only. */
export const richMsgpack: Format = {
  mime: 'application/vnd.puppet.rich+msgpack',
  contentType: 'application/vnd.puppet.rich+msgpack',
}
/** Raw bytes. */
export const binary: Format = { mime: 'application/octet-stream', contentType: 'application/octet-stream' }
/** Rich data as JSON. Puppet also sends the space in the content type. */
export const richJson: Format = {
  mime: 'application/vnd.puppet.rich+json',
  contentType: 'application/vnd.puppet.rich+json; charset=utf-8',
}

/**
 * The first supported format in the client's order; `q` values are ignored. Puppet:
 * network/http/request.rb. Throws 400 without an Accept header, 406 if no format is acceptable.
 */
export function negotiate(accept: string | undefined, supported: readonly [Format, ...Format[]]): Format {
  if (accept === undefined || accept.trim() === '')
    throw puppetRefusal(400, 'Missing required Accept header', 'MISSING_HEADER_FIELD')
  for (const part of accept.split(',')) {
    const wanted = mediaType(part)
    if (wanted === '*/*') return supported[0]
    const format = supported.find(({ mime }) => mime === wanted)
    if (format) return format
  }
  throw notAcceptable(accept)
}

/**
 * The first text format that the client accepts, for data that MessagePack cannot represent.
 * Puppet: network/http/api/indirected_routes.rb. Throws 406 if none is acceptable.
 */
export function negotiateText(accept: string | undefined, format: Format): Format {
  return negotiate(accept, format === richMsgpack ? [richJson] : [json, pson])
}

/** The refusal if no format is acceptable. */
function notAcceptable(accept: string | undefined): Refusal {
  return puppetRefusal(406, `No supported formats are acceptable (Accept: ${accept})`, 'UNSUPPORTED_FORMAT')
}

/** True for MessagePack formats. */
export function isMsgpack(format: Format): boolean {
  return format === msgpack || format === richMsgpack
}

/** True if the client accepts gzip. */
export function takesGzip({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
}

/**
 * Returns the media type of the body. Throws 400 if it is missing, 415 if it is not supported.
 * protocol.md 1.5.
 */
export function requireContentType(header: string | undefined, ...supported: readonly string[]): string {
  if (header === undefined || header.trim() === '')
    throw puppetRefusal(
      400,
      "No Content-Type header was received, it isn't possible to unserialize the request",
      'MISSING_HEADER_FIELD',
    )
  const mime = mediaType(header)
  if (!supported.includes(mime))
    throw puppetRefusal(
      415,
      `Client sent a mime-type (${header}) that doesn't correspond to a format we support`,
      'UNSUPPORTED_MEDIA_TYPE',
    )
  return mime
}

function mediaType(header: string): string {
  return header.split(';')[0]!.trim().toLowerCase()
}
