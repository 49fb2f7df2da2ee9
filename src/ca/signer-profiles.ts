import { nullValue } from './x509/der.ts'
import type { Extension } from './x509/extensions.ts'
import type { KeyKind } from './x509/keys.ts'
import { catalogSigning, oids } from './x509/oids.ts'

/** Uses of server keys that belong to no node: to sign catalogs, or to sign OCSP responses. */
export type SignerUse = 'catalogs' | 'ocsp'

/** Certificate profile of a signer use. */
export interface SignerProfile {
  readonly prefix: string
  /** The only extended key usage of the certificate. */
  readonly purpose: string
  /** Lifetime in seconds. */
  readonly ttl: number
  readonly extensions: readonly Extension[]
}

/** Signer keys use the curve P-256, with which a signature takes 0.05 ms. */
export const signerKey: KeyKind & { readonly type: 'ec' } = { type: 'ec', curve: 'prime256v1' }

const day = 86_400

/** Signer profiles by use. Catalogs stay valid after the certificate of their signer has expired. */
export const signerProfiles: Readonly<Record<SignerUse, SignerProfile>> = {
  catalogs: { prefix: '_catalogs.', purpose: catalogSigning, ttl: 365 * day, extensions: [] },
  // The lifetime is short, since clients do not check if the responder's own certificate is revoked (RFC 6960,
  // 4.2.2.2.1).
  ocsp: {
    prefix: '_ocsp.',
    purpose: oids.ocspSigning,
    ttl: 30 * day,
    extensions: [{ oid: oids.ocspNoCheck, critical: false, value: nullValue }],
  },
}

/**
 * Returns the certname of a server's signer. The name contains an underscore, which DNS host names cannot contain. Thus
 * no node has this name, and cleaning up nodes never revokes a signer.
 */
export function getSignerName(server: string, use: SignerUse = 'catalogs'): string {
  return `${signerProfiles[use].prefix}${server}`
}

/** Returns true if the name belongs to a signer. */
export function isSignerName(name: string): boolean {
  return Object.values(signerProfiles).some(({ prefix }) => name.startsWith(prefix))
}
