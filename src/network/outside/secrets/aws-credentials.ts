import { throwIssue } from '../../../base/issue.ts'
import { type ExactJson, getMember } from '../../../base/json/exact-json.ts'
import type { AwsKeys } from './aws-signature.ts'
import type { CredentialSources } from './credential-sources.ts'
import { type Expiring, HeldCredentials } from './held-credentials.ts'
import { secretFailures } from './issues.ts'
import { createServerIdentity, parseSecretBody, type SecretRequest, type SecretRequests } from './secret-requests.ts'

/** Address of the metadata service of EC2. */
const metadataService = 'http://169.254.169.254'

/**
 * Finds the keys of this server, in the order of AWS's own programs: the variables `AWS_ACCESS_KEY_ID` and
 * `AWS_SECRET_ACCESS_KEY`, the role of the container (ECS, EKS Pod Identity), and the role of the machine (EC2, with
 * IMDSv2). Temporary keys are reused until five minutes before they expire.
 */
export class AwsCredentials {
  readonly #requests: SecretRequests
  readonly #sources: CredentialSources
  readonly #held = new HeldCredentials<AwsKeys>()

  constructor(requests: SecretRequests, sources: CredentialSources) {
    this.#requests = requests
    this.#sources = sources
  }

  /** Sends a request with the keys; see `HeldCredentials.use`. Throws SECRET_NO_CREDENTIALS, SECRET_CREDENTIALS. */
  use<Response>(
    send: (keys: AwsKeys) => Promise<Response>,
    isRejected: (response: Response) => boolean,
  ): Promise<Response> {
    const { environment } = this.#sources
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment
    if (accessKeyId && secretAccessKey)
      return send({ accessKeyId, secretAccessKey, sessionToken: environment['AWS_SESSION_TOKEN'] })
    return this.#held.use({ key: '', fetch: () => this.#fetch() }, send, isRejected)
  }

  async #fetch(): Promise<Expiring<AwsKeys>> {
    const found = await this.#fetchRole().catch(() => undefined)
    const text = (name: string) => String(getMember(found, name) ?? '')
    const credentials = {
      accessKeyId: text('AccessKeyId'),
      secretAccessKey: text('SecretAccessKey'),
      sessionToken: text('Token'),
    }
    if (credentials.accessKeyId === '' || credentials.secretAccessKey === '')
      return throwIssue(secretFailures.SECRET_NO_CREDENTIALS, { store: 'AWS' })
    return { credentials, expires: Date.parse(text('Expiration')) }
  }

  async #fetchRole(): Promise<ExactJson | undefined> {
    const { environment } = this.#sources
    const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: path, AWS_CONTAINER_CREDENTIALS_FULL_URI: full } = environment
    const container = path === undefined ? full : `http://169.254.170.2${path}`
    if (container !== undefined) {
      // The file takes precedence, and is read each time, because EKS replaces it.
      const file = environment['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE']
      const authorization = file ? this.#sources.readOwnFile(file) : environment['AWS_CONTAINER_AUTHORIZATION_TOKEN']
      return this.#get(container, authorization === undefined ? {} : { authorization })
    }
    const service = environment['AWS_EC2_METADATA_SERVICE_ENDPOINT']?.replace(/\/$/, '') ?? metadataService
    const put = { method: 'PUT', headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '300' } } as const
    const { text: token } = await this.#send(`${service}/latest/api/token`, put)
    const headers = { 'x-aws-ec2-metadata-token': token }
    const roles = `${service}/latest/meta-data/iam/security-credentials/`
    const { text: role } = await this.#send(roles, { method: 'GET', headers })
    return this.#get(`${roles}${encodeURIComponent(role.split('\n')[0] ?? '')}`, headers)
  }

  async #get(url: string, headers: Readonly<Record<string, string>>): Promise<ExactJson | undefined> {
    return parseSecretBody(await this.#send(url, { method: 'GET', headers }))
  }

  #send(url: string, request: SecretRequest) {
    return this.#requests.send(new URL(url), request, createServerIdentity(undefined))
  }
}
