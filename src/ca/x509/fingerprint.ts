import { createHash } from 'node:crypto'

/** Digest algorithms that Puppet displays. */
export const digests = ['MD5', 'SHA1', 'SHA224', 'SHA256', 'SHA384', 'SHA512'] as const

/** Name of a digest algorithm. */
export type FingerprintAlgorithm = (typeof digests)[number]

/** Returns a fingerprint as upper-case hexadecimal bytes, separated by colons. */
export function computeFingerprint(der: Uint8Array, algorithm: FingerprintAlgorithm = 'SHA256'): string {
  const digest = createHash(algorithm.toLowerCase()).update(der).digest('hex')
  return digest.toUpperCase().replace(/..(?=.)/g, '$&:')
}
