import { throwIssue } from '../../../base/issue.ts'
import { type ExactJson, getMember } from '../../../base/json/exact-json.ts'
import { secretFailures } from './issues.ts'

/**
 * Returns a text in the response of a store. Throws SECRET_MEMBER, because a response without the text, such as that of
 * a proxy, does not mean that the secret is empty or missing.
 */
export function readText(body: ExactJson | undefined, name: string): string {
  const text = getMember(body, name)
  return typeof text === 'string' ? text : failMember(name)
}

/** Returns base64 in the response of a store, of the alphabet `base64url` if it is given. Throws SECRET_MEMBER. */
export function readBase64(
  body: ExactJson | undefined,
  name: string,
  alphabet: 'base64' | 'base64url' = 'base64',
): string {
  const bare = readText(body, name).replace(/={1,2}$/, '')
  const bytes = Buffer.from(bare, alphabet)
  return bare !== '' && bytes.toString(alphabet).replace(/={1,2}$/, '') === bare
    ? bytes.toString('base64')
    : failMember(name)
}

/** Throws SECRET_MEMBER. */
export function failMember(name: string): never {
  return throwIssue(secretFailures.SECRET_MEMBER, { name })
}

/**
 * Returns the version of a secret whose versions are numbered. After the secret is deleted and created again, the numbers
 * start at 1 again, so that the time of creation is a part of the version.
 */
export function formatNumberedVersion(number: string | number, created: string): string {
  return `${number} ${created}`
}

/** Returns the number in a version of `formatNumberedVersion`, or a number that the question gives. */
export function findVersionNumber(version: unknown): number | undefined {
  const [, digits] = /^(\d{1,15})(?: |$)/.exec(String(version)) ?? []
  return digits === undefined ? undefined : Number(digits)
}
