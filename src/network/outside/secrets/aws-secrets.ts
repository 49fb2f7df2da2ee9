import { throwIssue } from '../../../base/issue.ts'
import { type ExactJson, getMember } from '../../../base/json/exact-json.ts'
import { checkJsonObject, checkJsonString, checkOptionalString } from '../../../base/json/json-checks.ts'
import { failureTtlMs, type OutsideResponse } from '../outside-response.ts'
import { AwsCredentials } from './aws-credentials.ts'
import { type AwsKeys, signAwsRequest } from './aws-signature.ts'
import type { CredentialSources } from './credential-sources.ts'
import { secretRefusals } from './issues.ts'
import { parseSecretBody, type SecretRequests } from './secret-requests.ts'
import type { SecretSettings, SecretStore } from './secret-store.ts'

/** Secrets in AWS Secrets Manager. The member `address` of a question is the region, and `path` the name of the secret. */
export class AwsSecrets implements SecretStore {
  readonly #settings: SecretSettings
  readonly #requests: SecretRequests
  readonly #sources: CredentialSources
  readonly #credentials: AwsCredentials

  constructor(settings: SecretSettings, requests: SecretRequests, sources: CredentialSources) {
    this.#settings = settings
    this.#requests = requests
    this.#sources = sources
    this.#credentials = new AwsCredentials(requests, sources)
  }

  /** Throws SECRET_STORE_OFF, SECRET_OPTION, SECRET_NO_CREDENTIALS. */
  async read(content: ExactJson): Promise<OutsideResponse> {
    const { external_lookups: allowed, external_aws_endpoint: endpoint, external_lookup_ttl: ttl } = this.#settings
    if (!allowed.includes('aws')) return throwIssue(secretRefusals.SECRET_STORE_OFF, { store: 'aws' })
    const { address, path, version, credentials } = checkJsonObject(content, 'a request to AWS')
    const region = checkRegion(checkJsonString(address, 'a region') || (this.#sources.environment['AWS_REGION'] ?? ''))
    const url = new URL(endpoint === '' ? `https://secretsmanager.${region}.${findDomain(region)}/` : endpoint)
    const body = JSON.stringify({
      SecretId: checkJsonString(path, 'a name'),
      ...(typeof version === 'string' && { VersionId: version }),
    })
    const headers = {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'secretsmanager.GetSecretValue',
    }
    const keys = readGivenKeys(credentials) ?? (await this.#credentials.find())
    const signed = signAwsRequest({ url, service: 'secretsmanager', region, headers, body, time: new Date() }, keys)
    const identity = { path: '', cert: undefined, key: undefined, authorities: this.#sources.authorities }
    const response = await this.#requests.send(url, { method: 'POST', headers: signed, body }, identity)
    return toAnswer(response.status, parseSecretBody(response), ttl * 1000)
  }
}

function toAnswer(status: number, body: ExactJson | undefined, ttlMs: number): OutsideResponse {
  if (status === 200) {
    const [text, binary] = [getMember(body, 'SecretString'), getMember(body, 'SecretBinary')]
    const data = binary === undefined ? { text: text ?? null } : { base64: binary }
    return { answer: { data, version: getMember(body, 'VersionId') ?? null }, ttlMs }
  }
  const kind = String(getMember(body, '__type') ?? `status ${status}`).replace(/^.*#/, '')
  if (kind === 'ResourceNotFoundException') return { answer: { absent: true }, ttlMs }
  // The text of an error about a signature repeats the signed headers, which contain the session token.
  const text = kind.includes('Signature') ? undefined : (getMember(body, 'message') ?? getMember(body, 'Message'))
  const message = text ?? kind
  return { answer: { status, kind, errors: String(message) }, ttlMs: failureTtlMs }
}

function readGivenKeys(given: unknown): AwsKeys | undefined {
  const { aws_access_key, aws_secret_key } = checkJsonObject(given ?? {}, 'credentials')
  const accessKeyId = checkOptionalString(aws_access_key, 'aws_access_key')
  const secretAccessKey = checkOptionalString(aws_secret_key, 'aws_secret_key')
  return accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey }
}

/** Rejects a region that would lead to another host. */
function checkRegion(region: string): string {
  if (/^[a-z]{2,8}(?:-[a-z]{2,16}){1,3}-\d{1,2}$/.test(region)) return region
  return throwIssue(secretRefusals.SECRET_OPTION, { name: 'region', value: region })
}

function findDomain(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
}
