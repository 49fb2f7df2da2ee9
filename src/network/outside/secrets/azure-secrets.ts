import { throwIssue } from '../../../base/issue.ts'
import { type ExactJson, getMember } from '../../../base/json/exact-json.ts'
import { checkJsonString } from '../../../base/json/json-checks.ts'
import { failureTtlMs, type OutsideResponse } from '../outside-response.ts'
import type { AzureApi } from './azure-api.ts'
import { failRejected, formatRejection, isMissing } from './bearer-token.ts'
import type { TokenResponse } from './cloud-connection.ts'
import { secretRefusals } from './issues.ts'
import { readBase64, readText } from './secret-members.ts'
import { parseSecretBody } from './secret-requests.ts'
import { type SecretStore, toDecryptedAnswer } from './secret-store.ts'

/** Version of the API for questions that give none. */
const keyApiVersion = '7.4'

/**
 * Secrets in Azure Key Vault. The member `address` of a question is the name of the vault, `namespace` the cloud, and
 * `path` the name of the secret, optionally with `/` and a version. `digest` returns the version of a secret without one.
 */
export function createAzureSecrets(azure: AzureApi, ttlMs: number, digest: (value: ExactJson) => string): SecretStore {
  return {
    async read(content) {
      const path = splitPath(content)
      const version = getMember(content, 'version')
      const wanted = path.length === 1 && typeof version === 'string' ? [...path, version] : path
      const apiVersion = String(getMember(getMember(content, 'credentials'), 'vault_api_version') ?? keyApiVersion)
      return toAnswer(await azure.call({ content, path: ['secrets', ...wanted], apiVersion }), ttlMs, digest)
    },
  }
}

/** Decryption with keys in Azure Key Vault. The member `path` of a question is the name and the version of the key. */
export function createAzureKeys(azure: AzureApi): SecretStore {
  return {
    async read(content) {
      const value = checkJsonString(getMember(content, 'ciphertext'), 'a ciphertext')
      const key = splitPath(content).filter((each) => each !== '')
      const body = { alg: 'RSA-OAEP-256', value }
      const call = { content, path: ['keys', ...key, 'decrypt'], apiVersion: keyApiVersion, body }
      const response = await azure.call(call)
      if (response.status !== 200) return failRejected(response, [response.token])
      return toDecryptedAnswer(readBase64(parseSecretBody(response), 'value', 'base64url'), value)
    },
  }
}

/** Returns a name and an optional version. Throws SECRET_OPTION for the path of another operation. */
function splitPath(content: ExactJson): readonly string[] {
  const path = checkJsonString(getMember(content, 'path'), 'a name')
  const segments = path.split('/')
  if (segments.length <= 2 && segments[1] !== 'versions') return segments
  return throwIssue(secretRefusals.SECRET_OPTION, { name: 'secret_name', value: path })
}

/** Statuses of a vault that forbids a secret. After any other, such as that of an overloaded vault, the value is unknown. */
const rejections = new Set([400, 401, 403])

function toAnswer(response: TokenResponse, ttlMs: number, digest: (value: ExactJson) => string): OutsideResponse {
  const { status, token } = response
  if (isMissing(response)) return { answer: { absent: true }, ttlMs }
  if (rejections.has(status) && response.text.trimStart().startsWith('{'))
    return { answer: { status, errors: formatRejection(response, [token]) }, ttlMs: failureTtlMs }
  if (status !== 200) return failRejected(response, [token])
  const body = parseSecretBody(response)
  const text = readText(body, 'value')
  const id = String(getMember(body, 'id') ?? '')
  const version = /\/secrets\/[^/]+\/([^/]+)$/.exec(id)?.[1] ?? digest(text)
  return { answer: { data: { text }, version }, ttlMs }
}
