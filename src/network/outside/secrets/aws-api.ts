import { throwIssue } from '../../../base/issue.ts'
import { type ExactJson, getMember } from '../../../base/json/exact-json.ts'
import { checkJsonObject, checkOptionalString } from '../../../base/json/json-checks.ts'
import { failureTtlMs, type OutsideResponse } from '../outside-response.ts'
import { AwsCredentials } from './aws-credentials.ts'
import { type AwsKeys, signAwsRequest } from './aws-signature.ts'
import type { CredentialSources } from './credential-sources.ts'
import type { FindEndpoint } from './endpoints.ts'
import { secretRefusals } from './issues.ts'
import { createServerIdentity, parseSecretBody, type SecretRequests } from './secret-requests.ts'
import { requireStore, type SecretSettings } from './secret-store.ts'

/** A call of an operation of AWS. */
export interface AwsCall {
  readonly service: 'secretsmanager' | 'ssm' | 'kms'
  /** Name of the operation in the header `x-amz-target`. */
  readonly target: string
  /** If it is empty, the region is that of the variable `AWS_REGION`. */
  readonly region: string
  readonly body: ExactJson
  /** Keys in the options of the level. */
  readonly credentials: unknown
}

/** A response of AWS. */
export interface AwsResponse {
  readonly status: number
  readonly body: ExactJson | undefined
}

/** Sends signed requests to the APIs of AWS, with the keys of a level or of this server. */
export class AwsApi {
  readonly #settings: SecretSettings
  readonly #endpoints: FindEndpoint
  readonly #requests: SecretRequests
  readonly #sources: CredentialSources
  readonly #credentials: AwsCredentials

  constructor(settings: SecretSettings, endpoints: FindEndpoint, requests: SecretRequests, sources: CredentialSources) {
    this.#settings = settings
    this.#endpoints = endpoints
    this.#requests = requests
    this.#sources = sources
    this.#credentials = new AwsCredentials(requests, sources)
  }

  /** Throws SECRET_STORE_OFF, SECRET_OPTION, SECRET_NO_CREDENTIALS. */
  async call({ service, target, region: given, body: content, credentials }: AwsCall): Promise<AwsResponse> {
    requireStore('aws', this.#settings)
    const region = checkRegion(given || (this.#sources.environment['AWS_REGION'] ?? ''))
    const url = this.#endpoints(service, { region, domain: findDomain(region) }, '/')
    const body = JSON.stringify(content)
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target }
    const keys = readGivenKeys(credentials) ?? (await this.#credentials.find())
    const signed = signAwsRequest({ url, service, region, headers, body, time: new Date() }, keys)
    const identity = createServerIdentity(this.#sources.authorities)
    const response = await this.#requests.send(url, { method: 'POST', headers: signed, body }, identity)
    return { status: response.status, body: parseSecretBody(response) }
  }
}

/** Returns the name of an error of AWS, such as `ThrottlingException`. */
export function getAwsErrorKind({ status, body }: AwsResponse): string {
  return String(getMember(body, '__type') ?? `status ${status}`).replace(/^.*#/, '')
}

/** Returns the answer for a rejected request. */
export function toAwsFailure(response: AwsResponse): OutsideResponse {
  const kind = getAwsErrorKind(response)
  const { status, body } = response
  // The text of an error about a signature repeats the signed headers, which contain the session token.
  const text = kind.includes('Signature') ? undefined : (getMember(body, 'message') ?? getMember(body, 'Message'))
  return { answer: { status, kind, errors: String(text ?? kind) }, ttlMs: failureTtlMs }
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
