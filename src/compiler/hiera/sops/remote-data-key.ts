import { throwIssue } from '../../../base/issue.ts'
import type { ExactJson } from '../../../base/json/exact-json.ts'
import type { EvaluationHost } from '../../../language/host.ts'
import type { Hash } from '../../../language/values/hash.ts'
import { credentialOptions as vaultOptions } from '../../../network/outside/secrets/vault-question.ts'
import { awsKeyOptions } from '../aws/hiera-aws-sm.ts'
import { askSecret, findAskingFailure, findSecretBytes, pickTexts } from '../secrets/ask-secret.ts'
import { sopsIssues } from './issues.ts'
import type { RemoteKey, RemoteKind } from './remote-keys.ts'

/** Options of a level with the credentials of each kind of service. Without them, those of the server are used. */
const credentialOptions: Readonly<Record<RemoteKind, readonly string[]>> = {
  kms: awsKeyOptions,
  gcp_kms: ['credentials_file'],
  azure_kv: ['service_principal_credentials', 'metadata_api_version'],
  hc_vault: vaultOptions,
}

/** Credentials by the kind of service. */
export type ServiceCredentials = Readonly<Record<string, ExactJson>>

/** Reads the credentials in the options of a level. */
export function readCredentials(options: Hash): ServiceCredentials {
  return Object.fromEntries(
    Object.entries(credentialOptions).map(([kind, names]) => [kind, pickTexts(options, names)] as const),
  )
}

/** Asks the service of a recipient for the decrypted data key. Throws SOPS_SERVICE. */
export function askDataKey(key: RemoteKey, credentials: ServiceCredentials, host: EvaluationHost): Buffer {
  const { kind, obstacle } = key
  if (obstacle !== undefined) return throwIssue(sopsIssues.SOPS_SERVICE, { kind, why: obstacle })
  const answer = ask(key, credentials, host)
  const why = findAskingFailure(answer) ?? 'no answer'
  return findSecretBytes(answer) ?? throwIssue(sopsIssues.SOPS_SERVICE, { kind, why })
}

/** Returns true if the service still decrypts the data key. */
export function isAnswered(key: RemoteKey, credentials: ServiceCredentials, host: EvaluationHost): boolean {
  return findSecretBytes(ask(key, credentials, host)) !== undefined
}

function ask({ kind, question }: RemoteKey, credentials: ServiceCredentials, host: EvaluationHost): ExactJson {
  return askSecret(host, { ...question, credentials: credentials[kind] ?? {} })
}
