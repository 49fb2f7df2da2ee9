import { type ExactJson, getMember } from '../../../base/json/exact-json.ts'
import { checkJsonObject, checkJsonString } from '../../../base/json/json-checks.ts'
import { type AwsApi, getAwsErrorKind, toAwsFailure } from './aws-api.ts'
import { readBase64, readText } from './secret-members.ts'
import type { SecretStore } from './secret-store.ts'

/**
 * Secrets in AWS Secrets Manager. The member `address` of a question is the region, and `path` the name of the secret.
 */
export function createAwsSecrets(aws: AwsApi, ttlMs: number): SecretStore {
  return {
    async read(content) {
      const { address, path, version, credentials } = checkJsonObject(content, 'a request to AWS')
      const response = await aws.call({
        ...{ service: 'secretsmanager', target: 'secretsmanager.GetSecretValue', credentials },
        region: checkJsonString(address, 'a region'),
        body: {
          SecretId: checkJsonString(path, 'a name'),
          ...(typeof version === 'string' && { VersionId: version }),
        },
      })
      const { status, body } = response
      if (status === 200) return { answer: { data: readData(body), version: readText(body, 'VersionId') }, ttlMs }
      if (getAwsErrorKind(response) === 'ResourceNotFoundException') return { answer: { absent: true }, ttlMs }
      return toAwsFailure(response)
    },
  }
}

function readData(body: ExactJson | undefined): ExactJson {
  const isBinary = typeof getMember(body, 'SecretBinary') === 'string'
  return isBinary ? { base64: readBase64(body, 'SecretBinary') } : { text: readText(body, 'SecretString') }
}
