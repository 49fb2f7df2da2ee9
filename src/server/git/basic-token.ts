import type { DistinctHeaders } from '../auth/header-client.ts'
import { isGitPath } from './git-path.ts'

/**
 * Converts the password of `Authorization: Basic` to a token header on git paths, because git has
 * no other way to ask for a token; the user name is ignored. On other paths the header may be a
 * proxy's and is unchanged.
 */
export function convertBasicHeader(headers: DistinctHeaders, path: string): DistinctHeaders {
  const given = headers['authorization'] ?? []
  if (!isGitPath(path) || !given.some(isBasicHeader)) return headers
  const passwords = given.filter(isBasicHeader).map(readBasicPassword)
  return {
    ...headers,
    authorization: given.filter((each) => !isBasicHeader(each)),
    'x-authentication': [...(headers['x-authentication'] ?? []), ...passwords],
  }
}

function isBasicHeader(header: string): boolean {
  return /^basic(?: |$)/i.test(header)
}

/** The password in a header. If the header contains no password, returns an empty text, which is an invalid token. */
function readBasicPassword(header: string): string {
  const text = Buffer.from(header.slice('basic '.length).trim(), 'base64').toString('latin1')
  const colon = text.indexOf(':')
  return colon === -1 ? '' : text.slice(colon + 1)
}
