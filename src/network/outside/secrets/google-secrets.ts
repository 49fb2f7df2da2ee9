import { throwIssue } from '../../../base/issue.ts'
import { getMember } from '../../../base/json/exact-json.ts'
import { checkJsonString } from '../../../base/json/json-checks.ts'
import { hideTexts } from './bearer-token.ts'
import type { TokenResponse } from './cloud-connection.ts'
import type { GoogleApi } from './google-api.ts'
import { secretFailures } from './issues.ts'
import { parseSecretBody } from './secret-requests.ts'
import { type SecretStore, toDecryptedAnswer } from './secret-store.ts'

/** Secrets in Google Secret Manager. The member `address` of a question is the project, `path` the name of the secret. */
export function createGoogleSecrets(google: GoogleApi, ttlMs: number): SecretStore {
  return {
    async read(content) {
      const [project, name] = ['address', 'path'].map((each) => checkJsonString(getMember(content, each), each))
      const wanted = getMember(content, 'version')
      const version = typeof wanted === 'string' ? wanted : 'latest'
      const path = `projects/${project}/secrets/${name}/versions/${version}:access`
      const credentials = getMember(content, 'credentials')
      const response = await google.call({ service: 'google-secrets', path, credentials })
      if (response.status === 404) return { answer: { absent: true }, ttlMs }
      if (response.status !== 200) return failGoogle(response)
      const body = parseSecretBody(response)
      const base64 = checkJsonString(getMember(getMember(body, 'payload'), 'data') ?? '', 'data')
      const full = checkJsonString(getMember(body, 'name'), 'a name')
      return { answer: { data: { base64 }, version: full.slice(full.lastIndexOf('/') + 1) }, ttlMs }
    },
  }
}

/** Decryption with Google Cloud KMS. The member `path` of a question is the resource of the key. */
export function createGoogleKms(google: GoogleApi): SecretStore {
  return {
    async read(content) {
      const [path, ciphertext] = ['path', 'ciphertext'].map((name) => checkJsonString(getMember(content, name), name))
      const call = { path: `${path!}:decrypt`, body: { ciphertext: ciphertext! } }
      const credentials = getMember(content, 'credentials')
      const response = await google.call({ service: 'google-kms', ...call, credentials })
      if (response.status !== 200) return failGoogle(response)
      const plain = checkJsonString(getMember(parseSecretBody(response), 'plaintext'), 'a plain text')
      return toDecryptedAnswer(plain, ciphertext!)
    },
  }
}

/** Throws SECRET_REJECTED with the message of Google. */
function failGoogle(response: TokenResponse): never {
  const message = getMember(getMember(parseSecretBody(response), 'error'), 'message')
  const why = typeof message === 'string' ? hideTexts(message, [response.token]) : `status ${response.status}`
  return throwIssue(secretFailures.SECRET_REJECTED, { why })
}
