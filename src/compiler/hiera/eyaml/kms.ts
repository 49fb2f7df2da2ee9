import { throwIssue } from '../../../base/issue.ts'
import { decodeLosslessUtf8 } from '../../../base/text/byte-text.ts'
import type { EvaluationHost } from '../../../language/host.ts'
import type { Hash } from '../../../language/values/hash.ts'
import { awsKeyOptions } from '../aws/hiera-aws-sm.ts'
import { askSecret, findAskingFailure, findSecretBytes, pickTexts } from '../secrets/ask-secret.ts'
import { eyamlIssues } from './issues.ts'

/** Decrypts a `KMS` value of hiera-eyaml-kms with AWS KMS, which finds the key in the value. Throws EYAML_KMS. */
export function decryptWithKms(bytes: Buffer, options: Hash, host: EvaluationHost): string {
  const answer = askSecret(host, {
    ...{ store: 'aws-kms', address: pickTexts(options, ['kms_aws_region'])['kms_aws_region'] ?? '', path: '' },
    ...{ ciphertext: bytes.toString('base64'), credentials: pickTexts(options, awsKeyOptions) },
  })
  const text = findSecretBytes(answer)
  return text
    ? decodeLosslessUtf8(text)
    : throwIssue(eyamlIssues.EYAML_KMS, { why: findAskingFailure(answer) ?? 'no answer' })
}
