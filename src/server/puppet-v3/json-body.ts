import type { FastifyRequest } from 'fastify'
import { isTooMuch } from '../../base/bounded-json.ts'
import { errorText } from '../../ruby-semantics/errno.ts'
import type { BodyReader, Read } from '../bodies/body-reader.ts'
import type { ReadingName } from '../bodies/readings.ts'
import { bodyOf, clientOf } from '../bodies/take-body.ts'
import { requireContentType } from '../negotiation.ts'
import { puppetRefusal, Refusal } from '../refusal.ts'

/** The value of a JSON body. Throws 400, 413 or 415 in Puppet's words. protocol.md 1.5. */
export async function jsonBody<Name extends ReadingName>(
  request: FastifyRequest,
  reader: BodyReader,
  name: Name,
  argument = '',
): Promise<Read<Name>> {
  requireContentType(request.headers['content-type'], 'application/json', 'text/json', 'text/pson')
  try {
    return await reader.read(name, bodyOf(request), argument, clientOf(request))
  } catch (error) {
    if (error instanceof Refusal || isTooMuch(error)) throw error
    throw puppetRefusal(400, `The request body is invalid: Could not intern from json: ${errorText(error)}`)
  }
}
