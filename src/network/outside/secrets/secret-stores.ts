import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../../base/budgets/budgets.ts'
import { isCatalogIssue, throwIssue } from '../../../base/issue.ts'
import { createExactObject, type ExactJson, getMember } from '../../../base/json/exact-json.ts'
import { formatExactJson } from '../../../base/json/json-text.ts'
import { failureTtlMs, type OutsideResponse } from '../outside-response.ts'
import { AwsApi } from './aws-api.ts'
import { createAwsKms } from './aws-kms.ts'
import { createAwsParameters } from './aws-parameters.ts'
import { createAwsSecrets } from './aws-secrets.ts'
import { AzureApi } from './azure-api.ts'
import { createAzureKeys, createAzureSecrets } from './azure-secrets.ts'
import { createCredentialSources } from './credential-sources.ts'
import { createEndpoints } from './endpoints.ts'
import { GoogleApi } from './google-api.ts'
import { createGoogleKms, createGoogleSecrets } from './google-secrets.ts'
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

  /** Throws SECRET_ENDPOINT. */
  constructor(settings: SecretSettings, authorities: readonly string[] | undefined, timeMs?: number) {
    const requests = new SecretRequests(timeMs)
    const sources = createCredentialSources(settings, authorities)
    const digest = (value: ExactJson) =>
      createHmac('sha256', this.#digestKey).update(formatExactJson(value)).digest('hex').slice(0, 32)
    const connection = { settings, endpoints: createEndpoints(settings.external_secret_endpoints), requests, sources }
    const [aws, azure, google] = [new AwsApi(connection), new AzureApi(connection), new GoogleApi(connection)]
    const ttlMs = settings.external_lookup_ttl * 1000
    this.#stores = {
      vault: new VaultSecrets(settings, requests, sources, digest),
      aws: createAwsSecrets(aws, ttlMs),
      'aws-parameters': createAwsParameters(aws, ttlMs),
      'aws-kms': createAwsKms(aws),
      azure: createAzureSecrets(azure, ttlMs, digest),
      'azure-keys': createAzureKeys(azure),
      google: createGoogleSecrets(google, ttlMs, digest),
      'google-kms': createGoogleKms(google),
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
