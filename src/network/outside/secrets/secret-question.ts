import { createHash } from 'node:crypto'
import { budgets } from '../../../base/budgets/budgets.ts'
import { type ExactJson, getMember } from '../../../base/json/exact-json.ts'
import { formatExactJson, parseJson } from '../../../base/json/json-text.ts'

/** Members of a question that identify a secret, and contain no credentials. */
export const recordedMembers = ['store', 'address', 'namespace', 'path', 'list', 'ciphertext', 'context'] as const

/**
 * Returns the form of a question that is recorded with a catalog: a digest replaces the credentials, and the lifetime is
 * omitted. `credentials` then identifies them in the process that has used them.
 */
export function toRecordedSecretQuestion(content: ExactJson): ExactJson {
  const kept = recordedMembers.flatMap((name) => {
    const value = getMember(content, name)
    return value === undefined || value === null ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(kept), credentials: computeCredentialsId(getMember(content, 'credentials') ?? {}) }
}

/**
 * Returns the text under which a response is cached: the same for a question and for its recorded form, so that a secret
 * with a lease is read once.
 */
export function getSecretCacheKey(content: ExactJson): string {
  const given = getMember(content, 'credentials')
  const recorded = typeof given === 'string' ? content : toRecordedSecretQuestion(content)
  return formatExactJson({ secret: recorded, version: getMember(content, 'version') ?? null })
}

/** Returns an id for credentials: 128 bits of their SHA-256, in hexadecimal. */
export function computeCredentialsId(credentials: ExactJson): string {
  return computeDigest(credentials)
}

/** Returns 128 bits of the SHA-256 of a value, in hexadecimal. */
export function computeDigest(value: ExactJson): string {
  return createHash('sha256').update(formatExactJson(value)).digest('hex').slice(0, 32)
}

/** Returns the recorded form of a response: the version of a secret, and never its value. */
export function toRecordedSecretAnswer(answer: ExactJson): ExactJson {
  const version = getMember(answer, 'version')
  return version === undefined ? answer : { version }
}

/** Returns the version of a secret in a recorded answer; `undefined` for other questions, and for a missing secret. */
export function readSecretVersion(question: string, answer: string): string | undefined {
  if (!isSecretQuestion(question)) return undefined
  const version = getMember(parseJson(answer), 'version')
  return version === undefined ? undefined : String(version)
}

/** Returns true for the text of a question about a secret. */
export function isSecretQuestion(question: string): boolean {
  return question.startsWith('{"secret":')
}

/** Returns the location of the secret in the text of a recorded question, with at most 1,000 characters per member. */
export function readSecretLocation(question: string): { address: string; namespace?: string; path: string } {
  const content = getMember(parseJson(question), 'secret')
  const read = (name: string) => {
    const text = getMember(content, name)
    return typeof text === 'string' ? text.slice(0, budgets.audit.text.bound) : undefined
  }
  const namespace = read('namespace')
  return { address: read('address') ?? '', path: read('path') ?? '', ...(namespace !== undefined && { namespace }) }
}
