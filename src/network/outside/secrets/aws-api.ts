import { throwIssue } from '../../../base/issue.ts'
import { type ExactJson, getMember } from '../../../base/json/exact-json.ts'
import { checkJsonObject, checkOptionalString } from '../../../base/json/json-checks.ts'
import { failureTtlMs, type OutsideResponse } from '../outside-response.ts'
import { AwsCredentials } from './aws-credentials.ts'
import { type AwsKeys, signAwsRequest } from './aws-signature.ts'
import type { CloudConnection } from './cloud-connection.ts'
import { hideTexts } from './hidden-texts.ts'
import { secretRefusals } from './issues.ts'
import { createServerIdentity, parseSecretBody } from './secret-requests.ts'
import { requireStore } from './secret-store.ts'

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
  /** Secrets of the request, which no message may repeat. */
  readonly hidden: readonly string[]
  readonly status: number
  readonly body: ExactJson | undefined
}

/** Sends signed requests to the APIs of AWS, with the keys of a level or of this server. */
export class AwsApi {
  readonly #connection: CloudConnection
  readonly #credentials: AwsCredentials

  constructor(connection: CloudConnection) {
    this.#connection = connection
    this.#credentials = new AwsCredentials(connection.requests, connection.sources)
  }

  /** Throws SECRET_STORE_OFF, SECRET_OPTION, SECRET_NO_CREDENTIALS, SECRET_CREDENTIALS. */
  async call({ service, target, region: given, body: content, credentials }: AwsCall): Promise<AwsResponse> {
    const { settings, endpoints, requests, sources } = this.#connection
    requireStore('aws', settings)
    const region = checkRegion(given || (sources.environment['AWS_REGION'] ?? ''))
    const url = endpoints(service, { region, domain: findDomain(region) }, '/')
    const body = JSON.stringify(content)
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target }
    const send = async (keys: AwsKeys): Promise<AwsResponse> => {
      const signed = signAwsRequest({ url, service, region, headers, body, time: new Date() }, keys)
      const identity = createServerIdentity(sources.authorities)
      const response = await requests.send(url, { method: 'POST', headers: signed, body }, identity)
      const hidden = [keys.secretAccessKey, keys.sessionToken ?? '']
      return { status: response.status, body: parseSecretBody(response), hidden }
    }
    const own = readGivenKeys(credentials)
    return own ? send(own) : this.#credentials.use(send, isAboutKeys)
  }
}

/** Returns the name of an error of AWS, such as `ThrottlingException`. */
export function getAwsErrorKind({ status, body }: AwsResponse): string {
  const type = getMember(body, '__type')
  return typeof type === 'string' ? type.slice(type.lastIndexOf('#') + 1) : `status ${status}`
}

/** Returns true if AWS does not know the keys of a request, or no longer. */
function isAboutKeys(response: AwsResponse): boolean {
  return /^(?:ExpiredToken(?:Exception)?|InvalidClientTokenId|UnrecognizedClientException)$/.test(
    getAwsErrorKind(response),
  )
}

/** Returns the answer for a rejected request. */
export function toAwsFailure(response: AwsResponse): OutsideResponse {
  const { status, body, hidden } = response
  const kind = hideTexts(getAwsErrorKind(response), [])
  // The text of an error about a signature repeats the signed headers, which contain the session token.
  const text = kind.includes('Signature') ? undefined : (getMember(body, 'message') ?? getMember(body, 'Message'))
  return {
    answer: { status, kind, errors: text === undefined ? kind : hideTexts(String(text), hidden) },
    ttlMs: failureTtlMs,
  }
}

function readGivenKeys(given: unknown): AwsKeys | undefined {
  const { aws_access_key, aws_secret_key } = checkJsonObject(given ?? {}, 'credentials')
  const accessKeyId = checkOptionalString(aws_access_key, 'aws_access_key')
  const secretAccessKey = checkOptionalString(aws_secret_key, 'aws_secret_key')
  return accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined
}

/** Rejects a region that would lead to another host. */
function checkRegion(region: string): string {
  if (/^[a-z]{2,8}(?:-[a-z]{2,16}){1,3}-\d{1,2}$/.test(region)) return region
  return throwIssue(secretRefusals.SECRET_OPTION, { name: 'region', value: region })
}

function findDomain(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
}
