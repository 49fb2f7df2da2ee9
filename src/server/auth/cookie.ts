import type { IncomingMessage } from 'node:http'
import type { DistinctHeaders } from './header-client.ts'

/**
 * The prefix `__Host-` makes a browser accept the cookie only from this host over TLS and send it
 * to no other host.
 */
const cookieName = '__Host-plumb-token'
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict'
const tokenPattern = /^[\w.~+/=-]{1,512}$/

/**
 * `Set-Cookie` header for a token, as a session cookie. `undefined` if the token has characters a
 * cookie cannot contain.
 */
export function formatTokenCookie(token: string): string | undefined {
  return tokenPattern.test(token) ? `${cookieName}=${token}; ${attributes}` : undefined
}

/** `Set-Cookie` header that deletes the token. */
export const noCookie = `${cookieName}=; Max-Age=0; ${attributes}`

/** Console paths that do not require a sign-in. */
const open = /^\/ui\/(?:sign-in$|sign-out$|assets\/)/

/** Returns true for console paths that require a sign-in. */
export function isSignInRequired(path: string): boolean {
  return /^\/ui(?:\/|$)/.test(path) && !open.test(path)
}

/**
 * Headers that identify the client. For paths below `/ui`, a request without a token header gets the token of its
 * cookie.
 */
export function convertCookieHeader({ headersDistinct }: IncomingMessage, path: string): DistinctHeaders {
  const token = isSignInRequired(path) ? findCookieToken(headersDistinct['cookie'] ?? []) : undefined
  if (token === undefined || headersDistinct['x-authentication'] || headersDistinct['authorization'])
    return headersDistinct
  return { ...headersDistinct, 'x-authentication': [token] }
}

/**
 * Token in the request's cookies; `undefined` if several cookies contain a token, because the choice would be
 * ambiguous.
 */
function findCookieToken(headers: readonly string[]): string | undefined {
  const prefix = `${cookieName}=`
  const found = headers
    .flatMap((header) => header.split(';'))
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
  const token = found[0]?.slice(prefix.length)
  return found.length === 1 && token !== undefined && tokenPattern.test(token) ? token : undefined
}
