import type { IncomingMessage } from 'node:http'
import type { DistinctHeaders } from './header-client.ts'

/** `__Host-`: a browser takes it from this host alone, over TLS, and shows it to no other. */
const cookieName = '__Host-plumb-token'
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict'
const tokenPattern = /^[\w.~+/=-]{1,512}$/

/** `Set-Cookie` with a token; it ends with the browser. `undefined` for a token that a cookie cannot hold. */
export function cookieOf(token: string): string | undefined {
  return tokenPattern.test(token) ? `${cookieName}=${token}; ${attributes}` : undefined
}

/** `Set-Cookie` that takes the token away. */
export const noCookie = `${cookieName}=; Max-Age=0; ${attributes}`

/** Pages that are there for those who are not signed in. */
const open = /^\/ui\/(?:sign-in$|sign-out$|assets\/)/

/** True of a path of the console that only those see who are signed in. */
export function isInside(path: string): boolean {
  return /^\/ui(?:\/|$)/.test(path) && !open.test(path)
}

/** The headers that name a client: below `/ui`, and nowhere else, the cookie's token stands for one of the header's. */
export function headersWithCookie({ headersDistinct }: IncomingMessage, path: string): DistinctHeaders {
  const token = isInside(path) ? tokenIn(headersDistinct['cookie'] ?? []) : undefined
  if (token === undefined || headersDistinct['x-authentication'] || headersDistinct['authorization'])
    return headersDistinct
  return { ...headersDistinct, 'x-authentication': [token] }
}

/** The token in a request's cookies; the only one, for of two it would not be clear whose it is. */
function tokenIn(headers: readonly string[]): string | undefined {
  const prefix = `${cookieName}=`
  const found = headers
    .flatMap((header) => header.split(';'))
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
  const token = found[0]?.slice(prefix.length)
  return found.length === 1 && token !== undefined && tokenPattern.test(token) ? token : undefined
}
