import { createHash } from 'node:crypto'
import { budgets } from '../../../base/budgets/budgets.ts'
import { throwIssue } from '../../../base/issue.ts'
import { type ExactJson, getMember } from '../../../base/json/exact-json.ts'
import { checkJsonObject, checkJsonString, checkOptionalString } from '../../../base/json/json-checks.ts'
import { formatExactJson, parseJson } from '../../../base/json/json-text.ts'
import { vaultRefusals } from './issues.ts'

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
  /** Version of a secret in a KV v2 mount; by default the newest. */
  readonly version: number | undefined
  readonly credentials: VaultCredentials
  /** Milliseconds for which the response may be reused. */
  readonly ttlMs: number | undefined
}

/** Parses a question of the compiler. Throws WIRE_SHAPE, VAULT_PATH. */
export function parseVaultQuestion(content: ExactJson): VaultQuestion {
  const { address, namespace, path, list, version, credentials, ttl } = checkJsonObject(content, 'a Vault request')
  const given = checkJsonObject(credentials ?? {}, 'credentials')
  const texts = credentialOptions.flatMap((name) => {
    const text = checkOptionalString(given[name], name)
    return text === undefined ? [] : [[name, text] as const]
  })
  return {
    address: checkJsonString(address, 'an address'),
    namespace: checkOptionalString(namespace, 'a namespace'),
    path: checkVaultPath(checkJsonString(path, 'a path')),
    isList: list === true,
    version: version === undefined ? undefined : Number(version),
    credentials: Object.fromEntries(texts),
    ttlMs: ttl === undefined ? undefined : Number(ttl) * 1000,
  }
}

/** Rejects paths that a server could resolve to another path, and control characters. */
function checkVaultPath(path: string): string {
  const isOdd = path.split('/').some((segment) => segment === '.' || segment === '..')
  if (isOdd || /[\x00-\x1f\x7f]/.test(path)) throwIssue(vaultRefusals.VAULT_PATH, { path })
  return path
}

/**
 * Returns the form of a question that is recorded with a catalog: a digest replaces the credentials, and the lifetime is
 * omitted. `credentials` then identifies them in the process that has used them.
 */
export function toRecordedVaultQuestion(content: ExactJson): ExactJson {
  const kept = ['address', 'namespace', 'path', 'list'].flatMap((name) => {
    const value = getMember(content, name)
    return value === undefined || value === null ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(kept), credentials: computeCredentialsId(getMember(content, 'credentials') ?? {}) }
}

/**
 * Returns the text under which a response is cached: the same for a question and for its recorded form, so that a secret
 * with a lease is read once.
 */
export function getVaultCacheKey(content: ExactJson): string {
  const given = getMember(content, 'credentials')
  const recorded = typeof given === 'string' ? content : toRecordedVaultQuestion(content)
  return formatExactJson({ vault: recorded, version: getMember(content, 'version') ?? null })
}

/** Returns an id for credentials: 128 bits of their SHA-256, in hexadecimal. */
export function computeCredentialsId(credentials: ExactJson): string {
  return createHash('sha256').update(formatExactJson(credentials)).digest('hex').slice(0, 32)
}

/** Returns the recorded form of a response: the version of a secret, and never its value. */
export function toRecordedVaultAnswer(answer: ExactJson): ExactJson {
  const version = getMember(answer, 'version')
  return version === undefined ? answer : { version }
}

/** Returns the version of a secret in a recorded answer; `undefined` for other questions, and for a missing secret. */
export function readSecretVersion(question: string, answer: string): string | undefined {
  if (!isVaultQuestion(question)) return undefined
  const version = getMember(parseJson(answer), 'version')
  return version === undefined ? undefined : String(version)
}

/** Returns true for the text of a question to Vault. */
export function isVaultQuestion(question: string): boolean {
  return question.startsWith('{"vault":')
}

/** Returns the location of the secret in the text of a recorded question, with at most 1,000 characters per member. */
export function readVaultLocation(question: string): { address: string; namespace?: string; path: string } {
  const content = getMember(parseJson(question), 'vault')
  const read = (name: string) => {
    const text = getMember(content, name)
    return typeof text === 'string' ? text.slice(0, budgets.audit.text.bound) : undefined
  }
  const namespace = read('namespace')
  return { address: read('address') ?? '', path: read('path') ?? '', ...(namespace !== undefined && { namespace }) }
}
