import { isIssue, throwIssue } from '../../../base/issue.ts'
import type { ExactJson } from '../../../base/json/exact-json.ts'
import { Hash } from '../../../language/values/hash.ts'
import { parseYaml } from '../../../language/values/yaml.ts'
import { failRejected, parseTokenResponse } from './bearer-token.ts'
import { type CloudConnection, sendForm } from './cloud-connection.ts'
import type { Expiring } from './held-credentials.ts'
import { secretFailures, secretRefusals } from './issues.ts'
import { createServerIdentity } from './secret-requests.ts'

/** Domains of a cloud of Azure. */
export interface AzureCloud {
  readonly vaults: string
  readonly login: string
}

const clouds: Readonly<Record<string, AzureCloud>> = {
  AzureCloud: { vaults: 'vault.azure.net', login: 'login.microsoftonline.com' },
  AzureUSGovernment: { vaults: 'vault.usgovcloudapi.net', login: 'login.microsoftonline.us' },
  AzureChinaCloud: { vaults: 'vault.azure.cn', login: 'login.chinacloudapi.cn' },
}

/** Returns the cloud with a name of the option `cloud_type`; by default the public cloud. */
export function findAzureCloud(name: ExactJson | undefined): AzureCloud {
  const known = typeof name === 'string' && Object.hasOwn(clouds, name) ? clouds[name] : undefined
  return known ?? clouds['AzureCloud']!
}

const principalMembers = ['tenant_id', 'client_id', 'client_secret'] as const
type Principal = Readonly<Record<(typeof principalMembers)[number], string>>

/** Version of the metadata API for credentials that give none. */
const metadataVersion = '2018-02-01'

/**
 * Tokens for Azure Key Vault. Credentials are a service principal (three members, or a YAML file that contains them), the
 * managed identity of an Azure Arc machine, or that of this machine. Without credentials, the service principal is that of
 * the variables `AZURE_TENANT_ID`, `AZURE_CLIENT_ID` and `AZURE_CLIENT_SECRET`, if they are set.
 */
export class AzureTokens {
  readonly #connection: CloudConnection

  constructor(connection: CloudConnection) {
    this.#connection = connection
  }

  /** Throws SECRET_FILE, SECRET_FILE_MEMBER, SECRET_REJECTED, SECRET_MEMBER. */
  async fetch(cloud: AzureCloud, given: Readonly<Record<string, unknown>>): Promise<Expiring<string>> {
    const principal = this.#readPrincipal(given)
    if (principal) return this.#logIn(principal, cloud)
    const version = String(given['metadata_api_version'] ?? metadataVersion)
    return given['use_azure_arc_authentication'] === true
      ? this.#askArc(version, cloud)
      : this.#askMachine('azure-metadata', version, cloud, {})
  }

  #readPrincipal(given: Readonly<Record<string, unknown>>): Principal | undefined {
    const { service_principal_credentials: own, metadata_api_version: version } = given
    if (typeof own === 'string') return this.#readFile(own)
    if (own !== undefined) return checkPrincipal(own as Record<string, unknown>, 'service_principal_credentials')
    const { AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET } = this.#connection.sources.environment
    if (version !== undefined || !AZURE_TENANT_ID || !AZURE_CLIENT_ID || !AZURE_CLIENT_SECRET) return undefined
    return { tenant_id: AZURE_TENANT_ID, client_id: AZURE_CLIENT_ID, client_secret: AZURE_CLIENT_SECRET }
  }

  #readFile(path: string): Principal {
    const text = this.#connection.sources.readSecretFile(path) ?? throwIssue(secretRefusals.SECRET_FILE, { path })
    try {
      const members = parseYaml(text)
      if (members instanceof Hash) return checkPrincipal(Object.fromEntries(members), path)
    } catch (error) {
      // The message of a syntax error could contain a part of the file.
      if (isIssue(error, secretRefusals.SECRET_FILE_MEMBER)) throw error
    }
    return throwIssue(secretRefusals.SECRET_FILE_MEMBER, { path, name: 'tenant_id' })
  }

  async #logIn({ tenant_id, client_id, client_secret }: Principal, cloud: AzureCloud): Promise<Expiring<string>> {
    const url = this.#connection.endpoints(
      'azure-login',
      { login: cloud.login },
      `/${encodeURIComponent(tenant_id)}/oauth2/v2.0/token`,
    )
    const response = await sendForm(this.#connection, url, {
      ...{ grant_type: 'client_credentials', client_id, client_secret },
      scope: `https://${cloud.vaults}/.default`,
    })
    return parseTokenResponse(response, [client_secret])
  }

  /** Asks the agent of Azure Arc, which proves that it runs on this machine by a file that only administrators read. */
  async #askArc(version: string, cloud: AzureCloud): Promise<Expiring<string>> {
    const first = await this.#sendToMachine('azure-arc', version, cloud, {})
    if (first.status !== 401) return failRejected(first, [])
    if (first.challenge === undefined) return throwIssue(secretFailures.AZURE_NO_CHALLENGE, {})
    const path = first.challenge.replace(/^\s*Basic\s+realm=/, '')
    const challenge = this.#connection.sources.readArcKey(path) ?? throwIssue(secretFailures.AZURE_CHALLENGE, { path })
    return this.#askMachine('azure-arc', version, cloud, { authorization: `Basic ${challenge}` })
  }

  async #askMachine(
    service: 'azure-metadata' | 'azure-arc',
    version: string,
    cloud: AzureCloud,
    headers: Readonly<Record<string, string>>,
  ): Promise<Expiring<string>> {
    return parseTokenResponse(await this.#sendToMachine(service, version, cloud, headers), Object.values(headers))
  }

  #sendToMachine(
    service: 'azure-metadata' | 'azure-arc',
    version: string,
    { vaults }: AzureCloud,
    headers: Readonly<Record<string, string>>,
  ) {
    const query = new URLSearchParams({ 'api-version': version, resource: `https://${vaults}` }).toString()
    const url = this.#connection.endpoints(service, {}, `/metadata/identity/oauth2/token?${query}`)
    const request = { method: 'GET' as const, headers: { metadata: 'true', ...headers } }
    return this.#connection.requests.send(url, request, createServerIdentity(undefined))
  }
}

function checkPrincipal(given: Readonly<Record<string, unknown>>, path: string): Principal {
  const texts = principalMembers.map((name) => {
    const value = given[name]
    if (typeof value === 'string' && value !== '') return [name, value] as const
    return throwIssue(secretRefusals.SECRET_FILE_MEMBER, { path, name })
  })
  return Object.fromEntries(texts) as Principal
}
