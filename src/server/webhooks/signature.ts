import { createHash, timingSafeEqual } from 'node:crypto'
import { verify } from '@octokit/webhooks-methods'

/** True if a header contains the HMAC-SHA-256 of a body, as `sha256=HEX`. */
export async function hasSignature(body: string, secret: string, header: string | undefined): Promise<boolean> {
  if (header === undefined || body === '' || !/^sha256=[0-9a-f]{64}$/.test(header)) return false
  return verify(secret, body, header)
}

/** Compares two texts in constant time. */
export function isEqualText(one: string, other: string): boolean {
  const computeDigest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(computeDigest(one), computeDigest(other))
}

/** The value of a header; `undefined` if it is missing or repeated. */
export function getHeaderText(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
