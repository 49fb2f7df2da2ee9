import { nullValue } from './x509/der.ts'
import type { Extension } from './x509/extensions.ts'
import type { KeyKind } from './x509/keys.ts'
import { catalogSigning, oids } from './x509/oids.ts'

/** Uses of server keys that do not belong to a node: signing catalogs, signing OCSP responses. */
export type SignerUse = 'catalogs' | 'ocsp'

/** Certificate profile of a use. */
export interface SignerProfile {
  readonly prefix: string
  /** The only extended key usage. */
  readonly purpose: string
  /** Lifetime in seconds. */
  readonly ttl: number
  readonly extensions: readonly Extension[]
}

/** P-256: a signature takes 0.05 ms. */
export const signerKey: KeyKind & { readonly type: 'ec' } = { type: 'ec', curve: 'prime256v1' }

const day = 86_400

/** Signer profiles. Catalogs stay valid after the certificate of their signer has expired. */
export const signerProfiles: Readonly<Record<SignerUse, SignerProfile>> = {
  catalogs: { prefix: '_catalogs.', purpose: catalogSigning, ttl: 365 * day, extensions: [] },
  // Short lifetime: clients do not check if the responder's own certificate is revoked (RFC 6960,
  // 4.2.2.2.1).
  ocsp: {
    prefix: '_ocsp.',
    purpose: oids.ocspSigning,
    ttl: 30 * day,
    extensions: [{ oid: oids.ocspNoCheck, critical: false, value: nullValue }],
  },
}

/**
 * Returns the name of a server's signer. No node can have this name, so cleaning up nodes never
 * revokes a signer: DNS host names contain no underscore.
 */
export function signerName(server: string, use: SignerUse = 'catalogs'): string {
  return `${signerProfiles[use].prefix}${server}`
}

/** Returns true for a name of a signer. */
export function isSignerName(name: string): boolean {
  return Object.values(signerProfiles).some(({ prefix }) => name.startsWith(prefix))
}
