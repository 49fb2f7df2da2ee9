import type { FastifyRequest } from 'fastify'
import { toBufferView } from '../../base/bytes/buffer-view.ts'
import { isJsonLimitError } from '../../base/json/bounded-json.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { ReadingName } from '../bodies/body-parsers.ts'
import type { BodyReader, ReadResult } from '../bodies/body-reader.ts'
import { getBody, getRequestAccount } from '../bodies/request-body.ts'
import { jsonMedia, msgpackMedia, psonMedia, requireContentType } from '../http/negotiation.ts'
import { createPuppetRefusal, Refusal } from '../http/refusal.ts'

/**
 * Parses a body in JSON or MessagePack; returns its value and JSON text. Throws 400, 413 or 415
 * with Puppet's messages. protocol.md 1.5.
 */
export async function parseJsonBody<Name extends ReadingName>(
  request: FastifyRequest,
  reader: BodyReader,
  name: Name,
  argument = '',
): Promise<ReadResult<Name>> {
  const mime = requireContentType(
    request.headers['content-type'],
    jsonMedia.mime,
    'text/json',
    psonMedia.mime,
    msgpackMedia.mime,
  )
  const client = getRequestAccount(request)
  try {
    const body = getBody(request)
    if (mime !== msgpackMedia.mime) return await reader.read(name, body, argument, client)
    const { value: text } = await reader.read('jsonOfMsgpack', body, '', client)
    return await reader.read(name, toBufferView(text), argument, client)
  } catch (error) {
    if (error instanceof Refusal || isJsonLimitError(error)) throw error
    const format = mime === msgpackMedia.mime ? 'msgpack' : 'json'
    throw createPuppetRefusal(
      400,
      `The request body is invalid: Could not intern from ${format}: ${formatError(error)}`,
    )
  }
}
