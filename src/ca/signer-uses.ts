import { nullValue } from './x509/der.ts'
import type { Extension } from './x509/extensions.ts'
import type { KeyKind } from './x509/keys.ts'
import { catalogSigning, oids } from './x509/oids.ts'

/** Uses of keys that belong to a server and to no node: signing its catalogs, signing answers about revocation. */
export type SignerUse = 'catalogs' | 'ocsp'

/** A use as its certificate says it. */
export interface SignerProfile {
  readonly prefix: string
  /** The extended key usage, which is the only one. */
  readonly purpose: string
  /** Seconds. */
  readonly ttl: number
  readonly extensions: readonly Extension[]
}

/** P-256: a signature takes 0.05 ms. */
export const signerKey: KeyKind & { readonly type: 'ec' } = { type: 'ec', curve: 'prime256v1' }

const day = 86_400

/** The profiles of signers. A key for catalogs is used for months; what it has signed stays good beyond its end. */
export const signerProfiles: Readonly<Record<SignerUse, SignerProfile>> = {
  catalogs: { prefix: '_catalogs.', purpose: catalogSigning, ttl: 365 * day, extensions: [] },
  // Whoever asks does not ask whether the one who answers is revoked (RFC 6960, 4.2.2.2.1): so it does not live long.
  ocsp: {
    prefix: '_ocsp.',
    purpose: oids.ocspSigning,
    ttl: 30 * day,
    extensions: [{ oid: oids.ocspNoCheck, critical: false, value: nullValue }],
  },
}

/**
 * The name of a server's signer. No node gets such a one, so that whoever cleans up after nodes revokes no signer; names in
 * DNS with an underscore are none of hosts.
 */
export function signerName(server: string, use: SignerUse = 'catalogs'): string {
  return `${signerProfiles[use].prefix}${server}`
}

/** True of a name that only a signer has. */
export function isSignerName(name: string): boolean {
  return Object.values(signerProfiles).some(({ prefix }) => name.startsWith(prefix))
}
