import { createHash } from 'node:crypto'

/** The digests that Puppet shows. */
export const digests = ['MD5', 'SHA1', 'SHA224', 'SHA256', 'SHA384', 'SHA512'] as const

/** The name of one of them. */
export type FingerprintAlgorithm = (typeof digests)[number]

/** Upper-case hexadecimal bytes, with colons between. */
export function fingerprint(der: Uint8Array, algorithm: FingerprintAlgorithm = 'SHA256'): string {
  const digest = createHash(algorithm.toLowerCase()).update(der).digest('hex')
  return digest.toUpperCase().replace(/..(?=.)/g, '$&:')
}
