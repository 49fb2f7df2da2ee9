import type { FastifyRequest } from 'fastify'
import { convertCookieHeader } from '../auth/cookie.ts'
import type { DistinctHeaders } from '../auth/header-client.ts'
import { convertBasicHeader } from '../git/basic-token.ts'

/**
 * Headers that identify the client. A console cookie and the password of git's basic authentication
 * are converted to token headers.
 */
export function getClientHeaders({ raw, call: { path } }: FastifyRequest): DistinctHeaders {
  return convertBasicHeader(convertCookieHeader(raw, path), path)
}
