import type { ExactJson } from '../../../base/json/exact-json.ts'
import { checkJsonObject, checkJsonString } from '../../../base/json/json-checks.ts'
import { type AwsApi, toAwsFailure } from './aws-api.ts'
import { readBase64 } from './secret-members.ts'
import { type SecretStore, toDecryptedAnswer } from './secret-store.ts'

/**
 * Decryption with AWS KMS. The member `address` of a question is the region, `path` the ARN of the key (empty if the
 * ciphertext names it), `ciphertext` base64, and `context` the encryption context.
 */
export function createAwsKms(aws: AwsApi): SecretStore {
  return {
    async read(content) {
      const { address, path, ciphertext, context, credentials } = checkJsonObject(content, 'a request to AWS')
      const encrypted = checkJsonString(ciphertext, 'a ciphertext')
      const key = checkJsonString(path, 'a key')
      const response = await aws.call({
        ...{ service: 'kms', target: 'TrentService.Decrypt', credentials },
        region: checkJsonString(address, 'a region'),
        body: {
          CiphertextBlob: encrypted,
          ...(key !== '' && { KeyId: key }),
          ...(context !== undefined && { EncryptionContext: context as ExactJson }),
        },
      })
      if (response.status !== 200) return toAwsFailure(response)
      return toDecryptedAnswer(readBase64(response.body, 'Plaintext'), encrypted)
    },
  }
}
