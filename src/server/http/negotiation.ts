import type { FastifyRequest } from 'fastify'
import { puppetRefusal, type Refusal } from './refusal.ts'

/** A format that an answer can have: its media type, and the header's value that announces it. */
export interface Format {
  readonly mime: string
  readonly contentType: string
}

/** Plain JSON. */
export const json: Format = { mime: 'application/json', contentType: 'application/json;charset=utf-8' }
/** JSON under the name that it had in Puppet 3 to 7. */
export const pson: Format = { mime: 'text/pson', contentType: 'text/pson' }
/** JSON's data in fewer bytes. Puppet: network/formats.rb. */
export const msgpack: Format = { mime: 'application/x-msgpack', contentType: 'application/x-msgpack' }
/** Rich data as MessagePack; for catalogs alone. */
export const richMsgpack: Format = {
  mime: 'application/vnd.puppet.rich+msgpack',
  contentType: 'application/vnd.puppet.rich+msgpack',
}
/** Raw bytes. */
export const binary: Format = { mime: 'application/octet-stream', contentType: 'application/octet-stream' }
/** Rich data. The space is Puppet's. */
export const richJson: Format = {
  mime: 'application/vnd.puppet.rich+json',
  contentType: 'application/vnd.puppet.rich+json; charset=utf-8',
}

/**
 * The first supported format that the client names, in the client's order; `q` is not heeded. Puppet:
 * network/http/request.rb. Throws 400 without an Accept header, 406 when nothing fits.
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
 * The first format of text that the client takes in place of MessagePack, for data that MessagePack cannot hold. Puppet:
 * network/http/api/indirected_routes.rb. Throws 406 when nothing fits.
 */
export function negotiateText(accept: string | undefined, format: Format): Format {
  return negotiate(accept, format === richMsgpack ? [richJson] : [json, pson])
}

/** The refusal where no format fits. */
function notAcceptable(accept: string | undefined): Refusal {
  return puppetRefusal(406, `No supported formats are acceptable (Accept: ${accept})`, 'UNSUPPORTED_FORMAT')
}

/** True of the formats that are MessagePack. */
export function isMsgpack(format: Format): boolean {
  return format === msgpack || format === richMsgpack
}

/** True where the client takes answers that are compressed by gzip. */
export function takesGzip({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
}

/** Throws 400 or 415 unless a body of one of these types was sent. protocol.md 1.5. */
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
