import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { bodyOf, textOf } from '../bodies/take-body.ts'
import { plain } from './errors.ts'

/** Bounds the bodies of endpoints that say no bound of their own. */
export function boundBodies(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    route.bodyLimit ??= budgets.request.certnames.bound
  })
}

/** Lets pass only bodies of this type, or of none. */
export function only(type: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const given = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
    if (given === undefined || given === '' || given === type) return
    plain(
      reply,
      415,
      `Unsupported Media Type: Client sent a mime-type (${given}) that doesn't correspond to a format we support`,
    )
  }
}

/** The name in the path, which a wildcard takes whole. */
export function nameIn(request: FastifyRequest): string {
  return (request.params as Readonly<Record<string, string>>)['*'] ?? ''
}

/** The text of the body; nothing for none. */
export function textIn(request: FastifyRequest): string {
  return textOf(bodyOf(request))
}

/** The JSON object of the body, or `undefined`. */
export function objectIn(request: FastifyRequest): Readonly<Record<string, unknown>> | undefined {
  try {
    const body: unknown = JSON.parse(textIn(request))
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : undefined
  } catch {
    return undefined
  }
}

/** A list of texts, or `undefined`. */
export function namesOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined
}
