import { throwIssue } from '../../../base/issue.ts'
import { type ExactJson, getMember, isExactObject } from '../../../base/json/exact-json.ts'
import { failureTtlMs, type OutsideResponse } from '../outside-response.ts'
import type { CredentialSources } from './credential-sources.ts'
import { vaultRefusals } from './issues.ts'
import { failMember, formatNumberedVersion, readBase64 } from './secret-members.ts'
import type { SecretRequests } from './secret-requests.ts'
import { type SecretSettings, type SecretStore, toDecryptedAnswer } from './secret-store.ts'
import { VaultConnections, type VaultResponse } from './vault-connections.ts'
import { parseVaultQuestion, type VaultQuestion } from './vault-question.ts'
import { formatVaultErrors, VaultSessions } from './vault-sessions.ts'

/** Secrets in HashiCorp Vault or OpenBao. */
export class VaultSecrets implements SecretStore {
  readonly #sessions: VaultSessions
  readonly #ttlMs: number
  readonly #digest: (value: ExactJson) => string

  /** `digest` returns the version of a secret without versions. */
  constructor(
    settings: SecretSettings,
    requests: SecretRequests,
    sources: CredentialSources,
    digest: (value: ExactJson) => string,
  ) {
    const connections = new VaultConnections(settings.external_vault_addresses, requests)
    this.#sessions = new VaultSessions(connections, sources)
    this.#ttlMs = settings.external_lookup_ttl * 1000
    this.#digest = digest
  }

  /** Throws WIRE_SHAPE for a malformed question, and errors of `vaultRefusals` and `vaultFailures`. */
  async read(content: ExactJson): Promise<OutsideResponse> {
    const asked = parseVaultQuestion(content)
    if (asked.ciphertext !== undefined) return this.#decrypt(asked, asked.ciphertext)
    const query = asked.isList ? '?list=true' : asked.version === undefined ? '' : `?version=${asked.version}`
    const response = await this.#sessions.send(asked, { method: 'GET', path: asked.path, query })
    return response ? this.#toAnswer(response, asked) : { answer: { ignored: true }, ttlMs: this.#ttlMs }
  }

  /** Decrypts with a key of the engine `transit`. */
  async #decrypt(asked: VaultQuestion, ciphertext: string): Promise<OutsideResponse> {
    const { path } = asked
    // In another engine, the request would write the text.
    if (!/\/decrypt\/[^/]+$/.test(path) || !/^vault:v\d+:[\w+/=-]+$/.test(ciphertext))
      throwIssue(vaultRefusals.VAULT_CIPHERTEXT, { path })
    const response = await this.#sessions.send(asked, { method: 'POST', path, body: { ciphertext } })
    if (response?.status === 200)
      return toDecryptedAnswer(readBase64(getMember(response.body, 'data'), 'plaintext'), ciphertext)
    const errors = response ? formatVaultErrors(response) : 'no token'
    return { answer: { failure: errors }, ttlMs: failureTtlMs }
  }

  #toAnswer(response: VaultResponse, { ttlMs = this.#ttlMs, isList }: VaultQuestion): OutsideResponse {
    const { status, body } = response
    // The response of Vault about a missing secret has a list of errors, or the metadata of a deleted version.
    if (status === 404) return isExactObject(body) ? { answer: { absent: true }, ttlMs } : failMember('errors')
    if (status < 200 || status > 299)
      return { answer: { status, errors: formatVaultErrors(response) }, ttlMs: failureTtlMs }
    const data = getMember(body, 'data')
    if (!isExactObject(data)) return failMember('data')
    if (isList) return { answer: { names: readNames(data), version: this.#digest(data) }, ttlMs }
    const lease = getMember(body, 'lease_id')
    if (typeof lease !== 'string' || lease === '') return { answer: { data, version: this.#findVersion(data) }, ttlMs }
    // Vault revokes a leased secret at the end of the lease, so that another secret must be read before.
    const leaseMs = Math.max(Number(getMember(body, 'lease_duration') ?? 0) || 0, 0) * 667
    return { answer: { data, version: `lease ${this.#digest(lease)}` }, ttlMs: leaseMs, isLeased: true }
  }

  /**
   * Returns the version of a secret of KV v2, with its time of creation; otherwise a keyed digest. A secret of another
   * engine may have fields with the names of KV v2, so that all its members are checked, and their types.
   */
  #findVersion(data: ExactJson): ExactJson {
    const metadata = getMember(data, 'metadata')
    const version = getMember(metadata, 'version')
    const created = getMember(metadata, 'created_time')
    const isMetadata = typeof created === 'string' && !Number.isNaN(Date.parse(created))
    const isVersion = typeof version === 'number' && Number.isSafeInteger(version) && version > 0
    const isRest = typeof getMember(metadata, 'destroyed') === 'boolean' && getMember(data, 'data') !== undefined
    return isMetadata && isVersion && isRest ? formatNumberedVersion(version, created) : this.#digest(data)
  }
}

function readNames(data: ExactJson): readonly ExactJson[] {
  const names = getMember(data, 'keys')
  return Array.isArray(names) ? names : failMember('keys')
}
