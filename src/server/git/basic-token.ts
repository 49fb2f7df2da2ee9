import type { DistinctHeaders } from '../auth/header-client.ts'
import { isGitPath } from './git-path.ts'

/**
 * The headers that name a client: where git asks, the password of `Authorization: Basic` is a token, for git knows no other
 * way to show one that a person can type; the user's name is nothing to us. Elsewhere it is a proxy's, as ever.
 */
export function headersWithBasic(headers: DistinctHeaders, path: string): DistinctHeaders {
  const given = headers['authorization'] ?? []
  if (!isGitPath(path) || !given.some(isBasic)) return headers
  const passwords = given.filter(isBasic).map(passwordIn)
  return {
    ...headers,
    authorization: given.filter((each) => !isBasic(each)),
    'x-authentication': [...(headers['x-authentication'] ?? []), ...passwords],
  }
}

function isBasic(header: string): boolean {
  return /^basic(?: |$)/i.test(header)
}

/** The password; empty where there is none, which no token is. */
function passwordIn(header: string): string {
  const text = Buffer.from(header.slice('basic '.length).trim(), 'base64').toString('latin1')
  const colon = text.indexOf(':')
  return colon === -1 ? '' : text.slice(colon + 1)
}
