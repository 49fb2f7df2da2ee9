import { createPrivateKey, sign } from 'node:crypto'
import { throwIssue } from '../../../base/issue.ts'
import { type ExactJson, getMember } from '../../../base/json/exact-json.ts'
import { parseJson } from '../../../base/json/json-text.ts'
import { parseTokenResponse } from './bearer-token.ts'
import { type CloudConnection, sendForm, sendWithToken, type TokenResponse } from './cloud-connection.ts'
import type { CredentialSources } from './credential-sources.ts'
import { type Expiring, HeldCredentials } from './held-credentials.ts'
import { secretRefusals } from './issues.ts'
import { createServerIdentity } from './secret-requests.ts'
import { requireStore } from './secret-store.ts'

/** A request to an API of Google Cloud. */
export interface GoogleCall {
  readonly service: 'google-secrets' | 'google-kms'
  /** Segments of the path, such as `projects`, `p`, `secrets`, `s`, `versions`, `latest:access`. */
  readonly path: readonly string[]
  readonly body?: ExactJson
  /** Credentials of the question; `credentials_file` is the JSON file of a service account. */
  readonly credentials: ExactJson | undefined
}

const tokenPath = '/computeMetadata/v1/instance/service-accounts/default/token'

/**
 * Sends requests to Google Cloud, with a token of a service account: that of a JSON file in the options, of the file in
 * the variable `GOOGLE_APPLICATION_CREDENTIALS`, or of this machine.
 */
export class GoogleApi {
  readonly #connection: CloudConnection
  readonly #held = new HeldCredentials<string>()

  constructor(connection: CloudConnection) {
    this.#connection = connection
  }

  /** Throws SECRET_STORE_OFF, SECRET_OPTION, SECRET_FILE, SECRET_FILE_MEMBER, SECRET_REJECTED, SECRET_MEMBER. */
  async call({ service, path, body, credentials }: GoogleCall): Promise<TokenResponse> {
    requireStore('google', this.#connection.settings)
    const named = getMember(credentials, 'credentials_file')
    const { GOOGLE_APPLICATION_CREDENTIALS: own } = this.#connection.sources.environment
    // An empty text is no file: the key of the machine's identity is empty, too.
    const file = (typeof named === 'string' && named) || own || ''
    const source = { held: this.#held, key: file, fetch: () => (file === '' ? this.#askMachine() : this.#logIn(file)) }
    const url = this.#connection.endpoints(service, {}, `/v1/${path.map(checkSegment).join('/')}`)
    return sendWithToken(this.#connection, url, source, body)
  }

  async #askMachine(): Promise<Expiring<string>> {
    const url = this.#connection.endpoints('google-metadata', {}, tokenPath)
    const request = { method: 'GET' as const, headers: { 'metadata-flavor': 'Google' } }
    return parseTokenResponse(await this.#connection.requests.send(url, request, createServerIdentity(undefined)), [])
  }

  async #logIn(path: string): Promise<Expiring<string>> {
    const url = this.#connection.endpoints('google-login', {}, '/token')
    const assertion = signAssertion(readServiceAccount(path, this.#connection.sources), Math.floor(Date.now() / 1000))
    const form = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }
    return parseTokenResponse(await sendForm(this.#connection, url, form), [assertion])
  }
}

interface ServiceAccount {
  readonly path: string
  readonly email: string
  readonly keyId: string
  readonly key: string
}

function readServiceAccount(path: string, sources: CredentialSources): ServiceAccount {
  const text = sources.readSecretFile(path) ?? throwIssue(secretRefusals.SECRET_FILE, { path })
  const account = parseAccount(text)
  const read = (name: string): string => {
    const value = getMember(account, name)
    return typeof value === 'string' ? value : throwIssue(secretRefusals.SECRET_FILE_MEMBER, { path, name })
  }
  return { path, email: read('client_email'), keyId: read('private_key_id'), key: read('private_key') }
}

/** Parses the file; a syntax error is that of a file without members, because its message could contain a part of it. */
function parseAccount(text: string): ExactJson | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Returns a signed JWT (RFC 7523) that Google exchanges for a token. Throws SECRET_FILE_MEMBER. */
function signAssertion({ path, email, keyId, key }: ServiceAccount, time: number): string {
  const claims = {
    ...{ iss: email, scope: 'https://www.googleapis.com/auth/cloud-platform' },
    ...{ aud: 'https://oauth2.googleapis.com/token', iat: time, exp: time + 3600 },
  }
  const parts = [{ alg: 'RS256', typ: 'JWT', kid: keyId }, claims]
  const text = parts.map((each) => Buffer.from(JSON.stringify(each)).toString('base64url')).join('.')
  try {
    return `${text}.${sign('sha256', Buffer.from(text), createPrivateKey(key)).toString('base64url')}`
  } catch {
    return throwIssue(secretRefusals.SECRET_FILE_MEMBER, { path, name: 'private_key' })
  }
}

/** Rejects a segment that leads to another resource than it names. */
function checkSegment(segment: string): string {
  if (/^[\w.:~-]+$/.test(segment) && !/^\.+$/.test(segment)) return segment
  return throwIssue(secretRefusals.SECRET_OPTION, { name: 'resource', value: segment })
}
