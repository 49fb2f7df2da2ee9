import type { ExactJson } from '../../../base/json/exact-json.ts'
import { checkJsonObject, checkJsonString, checkOptionalString } from '../../../base/json/json-checks.ts'
import { findVersionNumber } from './secret-members.ts'

/** Options of hiera.yaml that select how to log in to Vault. The names are those of the module vault_lookup. */
export const credentialOptions = [
  ...['token', 'auth_method', 'role_id', 'secret_id', 'approle_path_segment', 'cert_path_segment', 'cert_role'],
  ...['kubernetes_path_segment', 'kubernetes_role', 'jwt_file', 'ssl_pem_file', 'ssl_ca_cert'],
] as const

/** Credentials as configured: values, or absolute paths of files that contain the values. */
export type VaultCredentials = Readonly<Partial<Record<(typeof credentialOptions)[number], string>>>

/** A request to read or list one path. */
export interface VaultQuestion {
  readonly address: string
  readonly namespace: string | undefined
  readonly path: string
  /** True to list the names below the path. */
  readonly isList: boolean
  /** A text to decrypt by a POST request to the path; undefined to read the path. */
  readonly ciphertext: string | undefined
  /** Version of a secret in a KV v2 mount; by default the newest. */
  readonly version: number | undefined
  readonly credentials: VaultCredentials
  /** Milliseconds for which the response may be reused. */
  readonly ttlMs: number | undefined
}

/** Parses a question of the compiler. Throws WIRE_SHAPE. */
export function parseVaultQuestion(content: ExactJson): VaultQuestion {
  const { address, namespace, path, list, ciphertext, version, credentials, ttl } = checkJsonObject(
    content,
    'a Vault request',
  )
  const given = checkJsonObject(credentials ?? {}, 'credentials')
  const texts = credentialOptions.flatMap((name) => {
    const text = checkOptionalString(given[name], name)
    return text === undefined ? [] : [[name, text] as const]
  })
  return {
    address: checkJsonString(address, 'an address'),
    namespace: checkOptionalString(namespace, 'a namespace'),
    path: checkJsonString(path, 'a path'),
    isList: list === true,
    ciphertext: checkOptionalString(ciphertext, 'a ciphertext'),
    version: findVersionNumber(version),
    credentials: Object.fromEntries(texts),
    ttlMs: ttl === undefined ? undefined : Number(ttl) * 1000,
  }
}
