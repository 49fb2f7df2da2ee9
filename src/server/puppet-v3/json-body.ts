import type { FastifyRequest } from 'fastify'
import { bufferView } from '../../base/bytes/buffer-view.ts'
import { isTooMuch } from '../../base/json/bounded-json.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import type { BodyReader, Read } from '../bodies/body-reader.ts'
import type { ReadingName } from '../bodies/readings.ts'
import { bodyOf, clientOf } from '../bodies/take-body.ts'
import { json, msgpack, pson, requireContentType } from '../http/negotiation.ts'
import { puppetRefusal, Refusal } from '../http/refusal.ts'

/**
 * Parses a body in JSON or MessagePack; returns its value and JSON text. Throws 400, 413 or 415
 * with Puppet's messages. protocol.md 1.5.
 */
export async function jsonBody<Name extends ReadingName>(
  request: FastifyRequest,
  reader: BodyReader,
  name: Name,
  argument = '',
): Promise<Read<Name>> {
  const mime = requireContentType(request.headers['content-type'], json.mime, 'text/json', pson.mime, msgpack.mime)
  const client = clientOf(request)
  try {
    const body = bodyOf(request)
    if (mime !== msgpack.mime) return await reader.read(name, body, argument, client)
    const { value: text } = await reader.read('jsonOfMsgpack', body, '', client)
    return await reader.read(name, bufferView(text), argument, client)
  } catch (error) {
    if (error instanceof Refusal || isTooMuch(error)) throw error
    const format = mime === msgpack.mime ? 'msgpack' : 'json'
    throw puppetRefusal(400, `The request body is invalid: Could not intern from ${format}: ${errorText(error)}`)
  }
}
