import { throwIssue } from '../../../base/issue.ts'
import { type ExactJson, getMember } from '../../../base/json/exact-json.ts'
import { checkJsonString } from '../../../base/json/json-checks.ts'
import { isMissing } from './bearer-token.ts'
import type { TokenResponse } from './cloud-connection.ts'
import type { GoogleApi } from './google-api.ts'
import { hideTexts } from './hidden-texts.ts'
import { secretFailures, secretRefusals } from './issues.ts'
import { failMember, findVersionNumber, formatNumberedVersion, readBase64, readText } from './secret-members.ts'
import { parseSecretBody } from './secret-requests.ts'
import { type SecretStore, toDecryptedAnswer } from './secret-store.ts'

/**
 * Secrets in Google Secret Manager. The member `address` of a question is the project, `path` the name of the secret. The
 * time of creation, which is a part of the version, is in the metadata of a version. A role that may only access values
 * may not read it; the version then contains the keyed digest of the value instead, which `digest` returns.
 */
export function createGoogleSecrets(
  google: GoogleApi,
  ttlMs: number,
  digest: (value: ExactJson) => string,
): SecretStore {
  return {
    async read(content) {
      const [project, name] = ['address', 'path'].map((each) => checkJsonString(getMember(content, each), each))
      const call = (version: string) => {
        const path = ['projects', project!, 'secrets', name!, 'versions', version]
        return google.call({ service: 'google-secrets', path, credentials: getMember(content, 'credentials') })
      }
      const wanted = String(findVersionNumber(getMember(content, 'version')) ?? 'latest')
      // Metadata is read first: if the secret is created again meanwhile, the next request has another version.
      const described = await call(wanted)
      if (isMissing(described)) return { answer: { absent: true }, ttlMs }
      if (described.status !== 200 && described.status !== 403) return failGoogle(described)
      const metadata = described.status === 200 ? parseSecretBody(described) : undefined
      const response = await call(`${metadata ? readNumber(metadata) : wanted}:access`)
      if (isMissing(response)) return { answer: { absent: true }, ttlMs }
      if (response.status !== 200) return failGoogle(response)
      const body = parseSecretBody(response)
      const base64 = readBase64(getMember(body, 'payload'), 'data')
      const created = metadata ? readText(metadata, 'createTime') : digest(base64)
      return { answer: { data: { base64 }, version: formatNumberedVersion(readNumber(body), created) }, ttlMs }
    },
  }
}

/** Returns the number at the end of the name of a version. */
function readNumber(body: ExactJson | undefined): number {
  const full = readText(body, 'name')
  return findVersionNumber(full.slice(full.lastIndexOf('/') + 1)) ?? failMember('name')
}

/** Decryption with Google Cloud KMS. The member `path` of a question is the resource of the key. */
export function createGoogleKms(google: GoogleApi): SecretStore {
  return {
    async read(content) {
      const [path, ciphertext] = ['path', 'ciphertext'].map((name) => checkJsonString(getMember(content, name), name))
      const call = { path: splitKey(path!), body: { ciphertext: ciphertext! } }
      const credentials = getMember(content, 'credentials')
      const response = await google.call({ service: 'google-kms', ...call, credentials })
      if (response.status !== 200) return failGoogle(response)
      return toDecryptedAnswer(readBase64(parseSecretBody(response), 'plaintext'), ciphertext!)
    },
  }
}

/** Returns the path of the decryption with a key. Throws SECRET_OPTION for another resource. */
function splitKey(path: string): readonly string[] {
  if (/^projects\/[^/]+\/locations\/[^/]+\/keyRings\/[^/]+\/cryptoKeys\/[\w-]+$/.test(path))
    return `${path}:decrypt`.split('/')
  return throwIssue(secretRefusals.SECRET_OPTION, { name: 'resource', value: path })
}

/** Throws SECRET_REJECTED with the message of Google. */
function failGoogle(response: TokenResponse): never {
  const message = getMember(getMember(parseSecretBody(response), 'error'), 'message')
  const why = typeof message === 'string' ? hideTexts(message, [response.token]) : `status ${response.status}`
  return throwIssue(secretFailures.SECRET_REJECTED, { why })
}
