import { createHash, createHmac } from 'node:crypto'

/** Keys that sign requests to AWS. */
export interface AwsKeys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Token of temporary keys. */
  readonly sessionToken?: string | undefined
}

/** A request to sign. */
export interface AwsRequest {
  readonly url: URL
  readonly service: string
  readonly region: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly time: Date
}

/**
 * Returns the headers of a signed POST request: those given, and `host`, `x-amz-date`, `x-amz-content-sha256`,
 * `x-amz-security-token` and `authorization`. The method is AWS Signature Version 4. The URL must have no query.
 */
export function signAwsRequest(
  { url, service, region, headers, body, time }: AwsRequest,
  { accessKeyId, secretAccessKey, sessionToken }: AwsKeys,
): Readonly<Record<string, string>> {
  const stamp = `${time.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
  const day = stamp.slice(0, 8)
  const digest = computeDigest(body)
  const signed: Record<string, string> = {
    ...headers,
    ...{ host: url.host, 'x-amz-date': stamp, 'x-amz-content-sha256': digest },
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
  }
  const names = Object.keys(signed).sort()
  const canonical = [
    ...['POST', url.pathname, ''],
    ...[names.map((name) => `${name}:${signed[name]!.trim()}\n`).join(''), names.join(';'), digest],
  ].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', stamp, scope, computeDigest(canonical)].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(computeMac, `AWS4${secretAccessKey}`)
  const signature = createHmac('sha256', key).update(text).digest('hex')
  const credential = `Credential=${accessKeyId}/${scope}`
  const authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`
  return { ...signed, authorization }
}

function computeDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function computeMac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
