import { throwIssue } from '../../../base/issue.ts'
import { getMember } from '../../../base/json/exact-json.ts'
import type { Expiring } from './held-credentials.ts'
import { hideTexts } from './hidden-texts.ts'
import { secretFailures } from './issues.ts'
import { failMember } from './secret-members.ts'
import { parseSecretBody, type SecretResponse } from './secret-requests.ts'

/**
 * Reads the response of a server that issues tokens (RFC 6749, 5.1). `hidden` is the credentials that were sent. Throws
 * SECRET_REJECTED, SECRET_NOT_JSON, SECRET_MEMBER.
 */
export function parseTokenResponse(response: SecretResponse, hidden: readonly string[]): Expiring<string> {
  if (response.status !== 200) return failRejected(response, hidden)
  const body = parseSecretBody(response)
  const token = getMember(body, 'access_token')
  if (typeof token !== 'string' || token === '' || /[^\x21-\x7e]/.test(token)) return failMember('access_token')
  return { credentials: token, expires: Date.now() + Number(getMember(body, 'expires_in') ?? Number.NaN) * 1000 }
}

/** Throws SECRET_REJECTED with the text of a rejection. */
export function failRejected(response: SecretResponse, hidden: readonly string[]): never {
  return throwIssue(secretFailures.SECRET_REJECTED, { why: formatRejection(response, hidden) })
}

/** Returns the text of a rejection if it is JSON, otherwise the status. */
export function formatRejection({ text, status }: SecretResponse, hidden: readonly string[]): string {
  return /^\s*[[{]/.test(text) ? hideTexts(text, hidden) : `status ${status}`
}

/** Returns true for the response of a store about a missing secret; the page of a proxy contains no `error`. */
export function isMissing(response: SecretResponse): boolean {
  return response.status === 404 && getMember(parseSecretBody(response), 'error') !== undefined
}
