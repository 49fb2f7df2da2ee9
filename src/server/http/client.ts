import type { AltNameKind } from '../../ca/x509/extensions.ts'

/** Subject alternative names of a certificate, by kind. Rules do not compare names of the kind `other`. */
export type AltNames = Readonly<Partial<Record<AltNameKind, readonly string[]>>>

/** The authenticated identity of a client. */
export interface Client {
  /** Common name of a valid certificate that our authority signed. */
  readonly certname: string | undefined
  /** Extensions of the client's certificate, by short name if Puppet has one, otherwise by OID. */
  readonly extensions: Readonly<Record<string, string>>
  /**
   * Extension values for rules of auth.conf, by OID and by name; `undefined` if the value is
   * neither a UTF8String nor plain ASCII.
   */
  readonly extensionValues: ReadonlyMap<string, string | undefined>
  /** Alternative names of the client's certificate, for rules of auth.conf. */
  readonly altNames: AltNames
  readonly address: string
  /** Reason why the presented certificate was rejected. */
  readonly refused: string | undefined
  /** True if the server could not check the certificate. */
  readonly unchecked: boolean
  /** Common name of a revoked certificate whose key the client proved to have. */
  readonly revoked?: string
  /** The presented token, with its scopes. */
  readonly token?: { readonly name: string; readonly scopes: readonly string[] }
  /** Reason why the presented token was rejected. */
  readonly refusedToken?: string
}

/** A client without a valid certificate. */
export function createUnauthenticatedClient(address: string, refused?: string): Client {
  const none = { certname: undefined, extensions: {}, extensionValues: new Map(), altNames: {} }
  return { ...none, address, refused, unchecked: false }
}

/** Name of a client for the log: certname, token name, or address. */
export function formatClientName({ certname, token, address }: Client): string {
  return certname ?? (token ? `token '${token.name}'` : address)
}

/**
 * True for a certificate with `pp_cli_auth`, which the default rules allow to manage the authority.
 */
export function isAdministrator({ certname, extensionValues }: Client): boolean {
  return certname !== undefined && extensionValues.get('pp_cli_auth') === 'true'
}
