import { type ExactJson, getMember } from '../../../base/json/exact-json.ts'
import { failureTtlMs, type OutsideResponse } from '../outside-response.ts'
import type { CredentialSources } from './credential-sources.ts'
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
    const request = { method: 'POST', path: asked.path, body: { ciphertext } } as const
    const response = await this.#sessions.send(asked, request)
    const plain = getMember(getMember(response?.body, 'data'), 'plaintext')
    if (typeof plain === 'string') return toDecryptedAnswer(plain, ciphertext)
    const errors = response ? formatVaultErrors(response) : 'no token'
    return { answer: { failure: errors }, ttlMs: failureTtlMs }
  }

  #toAnswer(response: VaultResponse, { ttlMs = this.#ttlMs, isList }: VaultQuestion): OutsideResponse {
    const { status, body } = response
    if (status === 404) return { answer: { absent: true }, ttlMs }
    if (status < 200 || status > 299)
      return { answer: { status, errors: formatVaultErrors(response) }, ttlMs: failureTtlMs }
    const data = getMember(body, 'data')
    if (data === undefined || data === null) return { answer: { absent: true }, ttlMs }
    if (isList) return { answer: { names: getMember(data, 'keys') ?? [], version: this.#digest(data) }, ttlMs }
    const lease = getMember(body, 'lease_id')
    if (typeof lease !== 'string' || lease === '') return { answer: { data, version: this.#findVersion(data) }, ttlMs }
    // Vault revokes a leased secret at the end of the lease, so that another secret must be read before.
    const leaseMs = Number(getMember(body, 'lease_duration') ?? 0) * 667
    return { answer: { data, version: `lease ${this.#digest(lease)}` }, ttlMs: leaseMs, isLeased: true }
  }

  /**
   * Returns the version of a secret of KV v2; otherwise a keyed digest. A secret of another engine may have fields with
   * the names of KV v2, so that all its members are checked, and their types.
   */
  #findVersion(data: ExactJson): ExactJson {
    const metadata = getMember(data, 'metadata')
    const version = getMember(metadata, 'version')
    const isMetadata =
      typeof getMember(metadata, 'created_time') === 'string' && typeof getMember(metadata, 'destroyed') === 'boolean'
    const isVersion = typeof version === 'number' && Number.isSafeInteger(version) && version > 0
    return isMetadata && isVersion && getMember(data, 'data') !== undefined ? version : this.#digest(data)
  }
}
