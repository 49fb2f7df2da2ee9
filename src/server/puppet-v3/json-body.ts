import type { FastifyRequest } from 'fastify'
import { parseJson } from '../../base/json-text.ts'
import { requireContentType } from '../negotiation.ts'
import { puppetRefusal } from '../refusal.ts'

/** The model that a JSON body is. Throws 400 or 415 in Puppet's words. protocol.md 1.5. */
export function jsonBody<Model>(request: FastifyRequest, parse: (body: unknown) => Model): Model {
  requireContentType(request.headers['content-type'], 'application/json', 'text/json', 'text/pson')
  const body = (request.body as Buffer | undefined)?.toString('utf8') ?? ''
  try {
    return parse(parseJson(body))
  } catch (error) {
    throw puppetRefusal(400, `The request body is invalid: Could not intern from json: ${(error as Error).message}`)
  }
}
