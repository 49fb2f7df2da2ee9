import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { getBody, getBodyText } from '../bodies/request-body.ts'
import { sendPlainText } from './errors.ts'

/** Sets the default body limit of the endpoints. */
export function limitBodies(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    route.bodyLimit ??= budgets.request.certnames.bound
  })
}

/** Rejects bodies of another content type; a missing type is accepted. */
export function requireBodyType(type: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const given = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
    if (given === undefined || given === '' || given === type) return
    sendPlainText(
      reply,
      415,
      `Unsupported Media Type: Client sent a mime-type (${given}) that doesn't correspond to a format we support`,
    )
  }
}

/** Certname in the request path: the part that the route's wildcard matches. */
export function getPathCertname(request: FastifyRequest): string {
  return (request.params as Readonly<Record<string, string>>)['*'] ?? ''
}

/** Text of the body; empty if there is none. */
export function getRequestText(request: FastifyRequest): string {
  return getBodyText(getBody(request))
}

/** The body, if it is a JSON object; otherwise `undefined`. */
export function parseRequestObject(request: FastifyRequest): Readonly<Record<string, unknown>> | undefined {
  try {
    const body: unknown = JSON.parse(getRequestText(request))
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : undefined
  } catch {
    return undefined
  }
}

/** The value, if it is a list of strings; otherwise `undefined`. */
export function toNameList(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined
}
