import { throwIssue } from '../../../base/issue.ts'
import { getMember } from '../../../base/json/exact-json.ts'
import type { Expiring } from './held-credentials.ts'
import { secretFailures } from './issues.ts'
import { parseSecretBody, type SecretResponse } from './secret-requests.ts'

/** Characters of a rejection in messages. */
const mostCharacters = 1000

/**
 * Reads the response of a server that issues tokens (RFC 6749, 5.1). `hidden` is the credentials that were sent. Throws
 * SECRET_REJECTED, SECRET_NOT_JSON.
 */
export function parseTokenResponse(response: SecretResponse, hidden: readonly string[]): Expiring<string> {
  if (response.status !== 200) return failRejected(response, hidden)
  const body = parseSecretBody(response)
  const token = getMember(body, 'access_token')
  if (typeof token !== 'string' || token === '' || /[^\x21-\x7e]/.test(token))
    return throwIssue(secretFailures.SECRET_NO_TOKEN, {})
  return { credentials: token, expires: Date.now() + Number(getMember(body, 'expires_in') ?? 0) * 1000 }
}

/** Throws SECRET_REJECTED with the text of a rejection. */
export function failRejected(response: SecretResponse, hidden: readonly string[]): never {
  return throwIssue(secretFailures.SECRET_REJECTED, { why: formatRejection(response, hidden) })
}

/** Returns the text of a rejection if it is JSON, otherwise the status. */
export function formatRejection({ text, status }: SecretResponse, hidden: readonly string[]): string {
  return /^\s*[[{]/.test(text) ? hideTexts(text, hidden) : `status ${status}`
}

/** Returns the start of a text of a server, without the credentials and tokens that the server repeats. */
export function hideTexts(text: string, hidden: readonly string[]): string {
  const shown = hidden.reduce((kept, each) => (each === '' ? kept : kept.replaceAll(each, '[redacted]')), text)
  return shown.trim().slice(0, mostCharacters)
}
