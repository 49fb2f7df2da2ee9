import type { FastifyRequest } from 'fastify'
import { parseJson } from '../../base/json-text.ts'
import { requireContentType } from '../negotiation.ts'
import { puppetRefusal } from '../refusal.ts'

/** The model that a JSON body is. Throws 400 or 415 in Puppet's words. protocol.md 1.5. */
export function jsonBody<Model>(request: FastifyRequest, parse: (body: unknown) => Model): Promise<Model> {
  return readBody(request, async (text) => parse(parseJson(new TextDecoder().decode(text))))
}

/** The same, for one that is read from its bytes. */
export async function readBody<Model>(
  request: FastifyRequest,
  read: (text: Uint8Array) => Promise<Model>,
): Promise<Model> {
  requireContentType(request.headers['content-type'], 'application/json', 'text/json', 'text/pson')
  try {
    return await read((request.body as Buffer | undefined) ?? Buffer.alloc(0))
  } catch (error) {
    throw puppetRefusal(400, `The request body is invalid: Could not intern from json: ${(error as Error).message}`)
  }
}
