import type { AltNameKind } from '../../ca/x509/extensions.ts'

/** The subject alternative names of a certificate by kind; no rule reads the texts of `other`. */
export type AltNames = Readonly<Partial<Record<AltNameKind, readonly string[]>>>

/** Who asks, as far as it was proven. */
export interface Client {
  /** The common name of a certificate that our authority signed and did not revoke. */
  readonly certname: string | undefined
  /** Extensions of that certificate: by short name where Puppet has one, otherwise by OID. */
  readonly extensions: Readonly<Record<string, string>>
  /** Its extensions for auth.conf, by OID and by name; `undefined` is a value that is not a UTF8String or plain ASCII. */
  readonly extensionValues: ReadonlyMap<string, string | undefined>
  /** Alternative names of that certificate, for rules of auth.conf. */
  readonly altNames: AltNames
  readonly address: string
  /** Why a certificate that was shown does not count. */
  readonly refused: string | undefined
  /** True for a certificate that could not be checked, by our own fault. */
  readonly unchecked: boolean
  /** The name on a certificate of our authority that is revoked, and whose key the client proved to have. */
  readonly revoked?: string
  /** The token that it presented, and what that may do. */
  readonly token?: { readonly name: string; readonly scopes: readonly string[] }
  /** Why a token that was presented does not count. */
  readonly refusedToken?: string
}

/** One who showed no certificate. */
export function stranger(address: string, refused?: string): Client {
  const none = { certname: undefined, extensions: {}, extensionValues: new Map(), altNames: {} }
  return { ...none, address, refused, unchecked: false }
}

/** A client in the words of a log: by its certificate, its token, or its address. */
export function nameForLog({ certname, token, address }: Client): string {
  return certname ?? (token ? `token '${token.name}'` : address)
}

/** True for a certificate of an administrator: a client that the default rules let into the authority. */
export function isAdministrator({ certname, extensionValues }: Client): boolean {
  return certname !== undefined && extensionValues.get('pp_cli_auth') === 'true'
}
