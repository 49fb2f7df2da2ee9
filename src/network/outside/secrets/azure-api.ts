import { throwIssue } from '../../../base/issue.ts'
import { type ExactJson, getMember } from '../../../base/json/exact-json.ts'
import { checkJsonObject, checkJsonString } from '../../../base/json/json-checks.ts'
import { AzureTokens, findAzureCloud } from './azure-tokens.ts'
import { type CloudConnection, sendWithToken, type TokenResponse } from './cloud-connection.ts'
import { HeldCredentials } from './held-credentials.ts'
import { secretRefusals } from './issues.ts'
import { computeCredentialsId } from './secret-question.ts'
import { requireStore } from './secret-store.ts'

/** A request to a key vault. */
export interface AzureCall {
  /** The question of the compiler: `address` is the name of the vault, `namespace` the cloud. */
  readonly content: ExactJson
  /** Segments of the path. */
  readonly path: readonly string[]
  readonly apiVersion: string
  readonly body?: ExactJson
}

/** Sends requests to Azure Key Vault, with a token of the credentials of a level or of this server. */
export class AzureApi {
  readonly #connection: CloudConnection
  readonly #tokens: AzureTokens
  readonly #held = new HeldCredentials<string>()

  constructor(connection: CloudConnection) {
    this.#connection = connection
    this.#tokens = new AzureTokens(connection)
  }

  /** Throws SECRET_STORE_OFF, SECRET_OPTION, and errors of `AzureTokens`. */
  async call({ content, path, apiVersion, body }: AzureCall): Promise<TokenResponse> {
    requireStore('azure', this.#connection.settings)
    const vault = checkVaultName(checkJsonString(getMember(content, 'address'), 'a vault'))
    const cloud = findAzureCloud(getMember(content, 'namespace'))
    const steps = path.map(checkSegment).join('/')
    const url = this.#connection.endpoints(
      'azure-vault',
      { vault, domain: cloud.vaults },
      `/${steps}?api-version=${encodeURIComponent(apiVersion)}`,
    )
    const given = getMember(content, 'credentials') ?? {}
    const credentials = checkJsonObject(given, 'credentials')
    const key = `${cloud.login} ${computeCredentialsId(given)}`
    const source = { held: this.#held, key, fetch: () => this.#tokens.fetch(cloud, credentials) }
    return sendWithToken(this.#connection, url, source, body)
  }
}

/** Rejects a name that is no name of a host, or that would lead to another host, which would receive the token. */
function checkVaultName(name: string): string {
  if (name.length <= 63 && /^[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*$/.test(name)) return name
  return throwIssue(secretRefusals.SECRET_OPTION, { name: 'vault_name', value: name })
}

function checkSegment(segment: string): string {
  if (segment !== '' && segment !== '.' && segment !== '..') return encodeURIComponent(segment)
  return throwIssue(secretRefusals.SECRET_OPTION, { name: 'secret_name', value: segment })
}
