import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../../base/budgets/budgets.ts'
import { hasIssueCode, PuppetError, throwIssue } from '../../../base/issue.ts'
import { type ExactJson, getMember } from '../../../base/json/exact-json.ts'
import { formatExactJson } from '../../../base/json/json-text.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import { parseOutsideEntry, readAllowedPath } from '../allowed-folders.ts'
import { failureTtlMs, type OutsideResponse } from '../outside-response.ts'
import { vaultRefusals } from './issues.ts'
import { describeVaultFailure, VaultConnections, type VaultResponse } from './vault-connections.ts'
import type { CredentialSources } from './vault-login.ts'
import {
  computeCredentialsId,
  parseVaultQuestion,
  type VaultCredentials,
  type VaultQuestion,
} from './vault-question.ts'
import { formatVaultErrors, VaultSessions } from './vault-sessions.ts'

/** Settings of connections to Vault. */
export type VaultSettings = Pick<
  Settings,
  'external_vault_addresses' | 'eyaml_keydirs' | 'hostcert' | 'hostprivkey' | 'external_lookup_ttl'
>

/**
 * Reads secrets from Vault for the compiler. An answer has the form `{"data", "version"}`, `{"absent": true}`,
 * `{"ignored": true}`, `{"status", "errors"}` for a rejected request, `{"refused"}` if settings or options forbid the
 * request, or `{"failure"}`.
 */
export class VaultSecrets {
  readonly #sessions: VaultSessions
  readonly #ttlMs: number
  /** Key of the digests of secrets without versions. It exists in this process only. */
  readonly #digestKey = randomBytes(32)
  /** Credentials by id, so that a recorded question can be repeated. */
  readonly #credentials = new LRUCache<string, VaultCredentials>({ max: budgets.outside.vaultSessions.bound })

  constructor(settings: VaultSettings, authorities: readonly string[] | undefined, timeMs?: number) {
    const connections = new VaultConnections(settings.external_vault_addresses, timeMs)
    this.#sessions = new VaultSessions(connections, createCredentialSources(settings, authorities))
    this.#ttlMs = settings.external_lookup_ttl * 1000
  }

  /** Answers a question of the compiler. Throws WIRE_SHAPE for a malformed question. */
  async read(content: ExactJson): Promise<OutsideResponse> {
    const asked = parseVaultQuestion(this.#withCredentials(content))
    try {
      const query = asked.isList ? '?list=true' : asked.version === undefined ? '' : `?version=${asked.version}`
      const response = await this.#sessions.send(asked, { method: 'GET', path: asked.path, query })
      return response ? this.#toAnswer(response, asked) : { answer: { ignored: true }, ttlMs: this.#ttlMs }
    } catch (error) {
      const isRefusal = error instanceof PuppetError && hasIssueCode(error.diagnostic, ...Object.values(vaultRefusals))
      const said = describeVaultFailure(error)
      return { answer: isRefusal ? { refused: said } : { failure: said }, ttlMs: failureTtlMs }
    }
  }

  /** Replaces the id in a recorded question by the credentials. */
  #withCredentials(content: ExactJson): ExactJson {
    const given = getMember(content, 'credentials')
    if (typeof given !== 'string') {
      this.#credentials.set(computeCredentialsId(given ?? {}), (given ?? {}) as VaultCredentials)
      return content
    }
    const credentials = this.#credentials.get(given) as ExactJson | undefined
    if (credentials === undefined) throw new Error('The credentials of the recorded request are unknown')
    const members = ['address', 'namespace', 'path', 'list'].map((name) => [name, getMember(content, name)] as const)
    return { ...Object.fromEntries(members.filter(([, value]) => value !== undefined)), credentials } as ExactJson
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
    return { answer: { data, version: `lease ${this.#digest(lease)}` }, ttlMs: leaseMs }
  }

  /** Returns the version of a secret of KV v2; otherwise a keyed digest. */
  #findVersion(data: ExactJson): ExactJson {
    const version = getMember(getMember(data, 'metadata'), 'version')
    return getMember(data, 'data') !== undefined && version !== undefined ? version : this.#digest(data)
  }

  #digest(value: ExactJson): string {
    return createHmac('sha256', this.#digestKey).update(formatExactJson(value)).digest('hex').slice(0, 32)
  }
}

function createCredentialSources(
  { eyaml_keydirs: folders, hostcert, hostprivkey }: VaultSettings,
  authorities: readonly string[] | undefined,
): CredentialSources {
  return {
    authorities,
    environmentToken: process.env['VAULT_TOKEN'],
    readSecretFile(path) {
      const entry = parseOutsideEntry(readAllowedPath(path, folders) as ExactJson)
      return entry?.kind === 'file' ? Buffer.from(entry.bytes).toString() : undefined
    },
    readHostIdentity() {
      try {
        return { path: hostcert, cert: readFileSync(hostcert, 'utf8'), key: readFileSync(hostprivkey, 'utf8') }
      } catch (error) {
        return throwIssue(vaultRefusals.VAULT_CERTIFICATE, { path: hostcert, reason: (error as Error).message })
      }
    },
  }
}
