import { throwIssue } from '../../../base/issue.ts'
import type { CredentialSources } from './credential-sources.ts'
import { secretRefusals, vaultRefusals } from './issues.ts'
import type { SecretIdentity } from './secret-requests.ts'
import type { VaultRequest } from './vault-connections.ts'
import type { VaultCredentials } from './vault-question.ts'

/** A token, or the request that obtains one. */
export type VaultLogin =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'request'; readonly request: Pick<VaultRequest, 'path' | 'body'> }
  /** The token is `IGNORE-VAULT`, with which the module hiera_vault looks nothing up. */
  | { readonly kind: 'ignored' }

type LoginMethod = (given: VaultCredentials, sources: CredentialSources) => VaultLogin

/** Login methods by the value of `auth_method`. */
const methods: Readonly<Record<string, LoginMethod>> = {
  token({ token: given }, sources) {
    const token = sources.environment['VAULT_TOKEN'] ?? (given === undefined ? undefined : readValue(given, sources))
    if (token === undefined) return throwIssue(vaultRefusals.VAULT_NO_TOKEN, {})
    return token === 'IGNORE-VAULT' ? { kind: 'ignored' } : { kind: 'token', token }
  },
  approle(given, sources) {
    const role_id = readValue(requireOption('approle', 'role_id', given), sources)
    const { secret_id, approle_path_segment: segment = 'approle' } = given
    const body = { role_id, ...(secret_id !== undefined && { secret_id: readValue(secret_id, sources) }) }
    return createLoginRequest(segment, body)
  },
  kubernetes(given, sources) {
    const role = requireOption('kubernetes', 'kubernetes_role', given)
    const { kubernetes_path_segment: segment = 'kubernetes', jwt_file: file = serviceAccountToken } = given
    const jwt = readCredentialFile(file, sources)
    return createLoginRequest(segment, { role, jwt })
  },
  cert({ cert_path_segment: segment = 'cert', cert_role: name }) {
    return createLoginRequest(segment, name === undefined ? {} : { name })
  },
}

/** File in which Kubernetes provides the token of a pod. */
const serviceAccountToken = '/var/run/secrets/kubernetes.io/serviceaccount/token'

/** Returns how to log in. Throws errors of `vaultRefusals` and `secretRefusals`. */
export function chooseLogin(given: VaultCredentials, sources: CredentialSources): VaultLogin {
  const { auth_method: method = 'token' } = given
  const choose = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (!choose) return throwIssue(vaultRefusals.VAULT_AUTH_METHOD, { method, known: Object.keys(methods) })
  return choose(given, sources)
}

/** Returns the TLS identity and the trusted CAs of connections with these credentials. Throws SECRET_FILE. */
export function readVaultIdentity(given: VaultCredentials, sources: CredentialSources): SecretIdentity {
  const { ssl_pem_file: pem, ssl_ca_cert: ca, auth_method: method } = given
  const readFile = (path: string) => sources.readSecretFile(path) ?? throwIssue(secretRefusals.SECRET_FILE, { path })
  const authorities = ca === undefined ? sources.authorities : [readFile(ca)]
  if (pem !== undefined) return { path: pem, cert: readFile(pem), key: readFile(pem), authorities }
  if (method === 'cert') return { ...sources.readHostIdentity(), authorities }
  return { path: '', cert: undefined, key: undefined, authorities }
}

function createLoginRequest(segment: string, body: NonNullable<VaultRequest['body']>): VaultLogin {
  const parts = segment.split('/').filter((part) => part !== '')
  const mount = parts.join('/').replace(/^(?:v1\/)?auth\//, '')
  return { kind: 'request', request: { path: `auth/${mount}/login`, body } }
}

function requireOption(method: string, name: keyof VaultCredentials, given: VaultCredentials): string {
  return given[name] ?? throwIssue(vaultRefusals.VAULT_OPTION, { method, name })
}

/** Returns the text of the file if the value is an absolute path, otherwise the value. Throws SECRET_FILE…. */
function readValue(given: string, sources: CredentialSources): string {
  return given.startsWith('/') ? readCredentialFile(given, sources) : given
}

/**
 * Reads a credential. Rejects private keys, which the allowed directories contain, too: a hiera.yaml must not send them
 * to a server. Throws SECRET_FILE, SECRET_FILE_CONTENT.
 */
function readCredentialFile(path: string, sources: CredentialSources): string {
  const text = sources.readSecretFile(path)?.trim() ?? throwIssue(secretRefusals.SECRET_FILE, { path })
  if (/[\r\n]|PRIVATE KEY|SECRET-KEY/i.test(text)) throwIssue(secretRefusals.SECRET_FILE_CONTENT, { path })
  return text
}
