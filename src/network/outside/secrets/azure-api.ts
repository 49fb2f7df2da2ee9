import { throwIssue } from '../../../base/issue.ts'
import { type ExactJson, getMember } from '../../../base/json/exact-json.ts'
import { checkJsonObject, checkJsonString } from '../../../base/json/json-checks.ts'
import { AzureTokens, findAzureCloud } from './azure-tokens.ts'
import type { CredentialSources } from './credential-sources.ts'
import type { FindEndpoint } from './endpoints.ts'
import { secretRefusals } from './issues.ts'
import { computeCredentialsId } from './secret-question.ts'
import { createServerIdentity, type SecretRequests, type SecretResponse } from './secret-requests.ts'
import { requireStore, type SecretSettings } from './secret-store.ts'

/** A request to a key vault. */
export interface AzureCall {
  /** The question of the compiler: `address` is the name of the vault, `namespace` the cloud. */
  readonly content: ExactJson
  /** Segments of the path. */
  readonly path: readonly string[]
  readonly apiVersion: string
  readonly body?: ExactJson
}

/** A response, and the token that the request contained. */
export interface AzureResponse extends SecretResponse {
  readonly token: string
}

/** Sends requests to Azure Key Vault, with a token of the credentials of a level or of this server. */
export class AzureApi {
  readonly #settings: SecretSettings
  readonly #endpoints: FindEndpoint
  readonly #requests: SecretRequests
  readonly #tokens: AzureTokens
  readonly #authorities: readonly string[] | undefined

  constructor(settings: SecretSettings, endpoints: FindEndpoint, requests: SecretRequests, sources: CredentialSources) {
    this.#settings = settings
    this.#endpoints = endpoints
    this.#requests = requests
    this.#tokens = new AzureTokens(endpoints, requests, sources)
    this.#authorities = sources.authorities
  }

  /** Throws SECRET_STORE_OFF, SECRET_OPTION, and errors of `AzureTokens`. */
  async call({ content, path, apiVersion, body: given }: AzureCall): Promise<AzureResponse> {
    requireStore('azure', this.#settings)
    const vault = checkVaultName(checkJsonString(getMember(content, 'address'), 'a vault'))
    const cloud = findAzureCloud(getMember(content, 'namespace'))
    const steps = path.map(checkSegment).join('/')
    const url = this.#endpoints(
      'azure-vault',
      { vault, domain: cloud.vaults },
      `/${steps}?api-version=${encodeURIComponent(apiVersion)}`,
    )
    const credentials = getMember(content, 'credentials') ?? {}
    const key = `${cloud.login} ${computeCredentialsId(credentials)}`
    const token = await this.#tokens.find(key, cloud, checkJsonObject(credentials, 'credentials'))
    const body = given === undefined ? undefined : JSON.stringify(given)
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const request = { method: body === undefined ? ('GET' as const) : ('POST' as const), headers, body }
    const response = await this.#requests.send(url, request, createServerIdentity(this.#authorities))
    if (response.status === 401) this.#tokens.forget(key)
    return { ...response, token }
  }
}

/** Rejects a name that would lead to another host, which would receive the token. */
function checkVaultName(name: string): string {
  if (/^[a-zA-Z0-9-]{1,127}$/.test(name)) return name
  return throwIssue(secretRefusals.SECRET_OPTION, { name: 'vault_name', value: name })
}

function checkSegment(segment: string): string {
  if (segment !== '' && segment !== '.' && segment !== '..') return encodeURIComponent(segment)
  return throwIssue(secretRefusals.SECRET_OPTION, { name: 'secret_name', value: segment })
}
