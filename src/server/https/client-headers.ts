import type { FastifyRequest } from 'fastify'
import { headersWithCookie } from '../auth/cookie.ts'
import type { DistinctHeaders } from '../auth/header-client.ts'
import { headersWithBasic } from '../git/basic-token.ts'

/** The headers that name a client: in the console a cookie stands for a token, and where git asks a password. */
export function clientHeaders({ raw, call: { path } }: FastifyRequest): DistinctHeaders {
  return headersWithBasic(headersWithCookie(raw, path), path)
}
