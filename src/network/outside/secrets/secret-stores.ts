import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../../base/budgets/budgets.ts'
import { isCatalogIssue, throwIssue } from '../../../base/issue.ts'
import { createExactObject, type ExactJson, getMember } from '../../../base/json/exact-json.ts'
import { formatExactJson } from '../../../base/json/json-text.ts'
import { failureTtlMs, type OutsideResponse } from '../outside-response.ts'
import { AwsSecrets } from './aws-secrets.ts'
import { createCredentialSources } from './credential-sources.ts'
import { secretRefusals, vaultRefusals } from './issues.ts'
import { computeCredentialsId, recordedMembers } from './secret-question.ts'
import { describeSecretFailure, SecretRequests } from './secret-requests.ts'
import type { SecretSettings, SecretStore } from './secret-store.ts'
import { VaultSecrets } from './vault-secrets.ts'

/** Reads secrets from the stores that the settings allow, for the compiler. */
export class SecretStores {
  readonly #stores: Readonly<Record<string, SecretStore>>
  /** Key of the digests of secrets without versions. It exists in this process only. */
  readonly #digestKey = randomBytes(32)
  /** Credentials by id, so that a recorded question can be repeated. */
  readonly #credentials = new LRUCache<string, object>({ max: budgets.outside.secretSessions.bound })

  constructor(settings: SecretSettings, authorities: readonly string[] | undefined, timeMs?: number) {
    const requests = new SecretRequests(timeMs)
    const sources = createCredentialSources(settings, authorities)
    const digest = (value: ExactJson) =>
      createHmac('sha256', this.#digestKey).update(formatExactJson(value)).digest('hex').slice(0, 32)
    this.#stores = {
      vault: new VaultSecrets(settings, requests, sources, digest),
      aws: new AwsSecrets(settings, requests, sources),
    }
  }

  /** Answers a question of the compiler, also if the request fails. */
  async read(content: ExactJson): Promise<OutsideResponse> {
    try {
      const name = String(getMember(content, 'store'))
      const store = Object.hasOwn(this.#stores, name) ? this.#stores[name] : undefined
      if (!store) return throwIssue(secretRefusals.SECRET_STORE_OFF, { store: name })
      return await store.read(this.#withCredentials(content))
    } catch (error) {
      const isRefused = isCatalogIssue(error, secretRefusals) || isCatalogIssue(error, vaultRefusals)
      const said = describeSecretFailure(error)
      return { answer: isRefused ? { refused: said } : { failure: said }, ttlMs: failureTtlMs }
    }
  }

  /** Replaces the id in a recorded question by the credentials. */
  #withCredentials(content: ExactJson): ExactJson {
    const given = getMember(content, 'credentials')
    if (typeof given !== 'string') {
      this.#credentials.set(computeCredentialsId(given ?? {}), (given ?? {}) as object)
      return content
    }
    const credentials = this.#credentials.get(given) as ExactJson | undefined
    if (credentials === undefined) throw new Error('the credentials of the recorded request are unknown')
    const members = recordedMembers.flatMap((name): (readonly [string, ExactJson])[] => {
      const value = getMember(content, name)
      return value === undefined ? [] : [[name, value]]
    })
    return createExactObject([...members, ['credentials', credentials]])
  }
}
