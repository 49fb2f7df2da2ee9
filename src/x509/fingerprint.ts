import { createHash } from 'node:crypto'

/** The digests that Puppet shows. */
export type FingerprintAlgorithm = 'SHA1' | 'SHA256' | 'SHA512'

/** Upper-case hexadecimal bytes, with colons between. */
export function fingerprint(der: Uint8Array, algorithm: FingerprintAlgorithm = 'SHA256'): string {
  const digest = createHash(algorithm.toLowerCase()).update(der).digest('hex')
  return digest.toUpperCase().replace(/..(?=.)/g, '$&:')
}
