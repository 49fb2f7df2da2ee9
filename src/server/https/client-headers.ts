import type { FastifyRequest } from 'fastify'
import { headersWithCookie } from '../auth/cookie.ts'
import type { DistinctHeaders } from '../auth/header-client.ts'
import { headersWithBasic } from '../git/basic-token.ts'

/**
 * Headers that identify the client. A console cookie and the password of git's basic authentication
 * are converted to token headers.
 */
export function clientHeaders({ raw, call: { path } }: FastifyRequest): DistinctHeaders {
  return headersWithBasic(headersWithCookie(raw, path), path)
}
