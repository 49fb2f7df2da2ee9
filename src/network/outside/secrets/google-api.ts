import { createPrivateKey, sign } from 'node:crypto'
import { throwIssue } from '../../../base/issue.ts'
import { type ExactJson, getMember } from '../../../base/json/exact-json.ts'
import { parseJson } from '../../../base/json/json-text.ts'
import { parseTokenResponse } from './bearer-token.ts'
import type { CredentialSources } from './credential-sources.ts'
import type { FindEndpoint } from './endpoints.ts'
import { type Expiring, HeldCredentials } from './held-credentials.ts'
import { secretRefusals } from './issues.ts'
import { createServerIdentity, type SecretRequests, type SecretResponse } from './secret-requests.ts'
import { requireStore, type SecretSettings } from './secret-store.ts'

/** A request to an API of Google Cloud. */
export interface GoogleCall {
  readonly service: 'google-secrets' | 'google-kms'
  /** Path, such as `projects/p/secrets/s/versions/latest:access`. */
  readonly path: string
  readonly body?: ExactJson
  /** Credentials of the question; `credentials_file` is the JSON file of a service account. */
  readonly credentials: ExactJson | undefined
}

/** A response, and the token that the request contained. */
export interface GoogleResponse extends SecretResponse {
  readonly token: string
}

const tokenPath = '/computeMetadata/v1/instance/service-accounts/default/token'

/**
 * Sends requests to Google Cloud, with a token of a service account: that of a JSON file in the options, of the file in
 * the variable `GOOGLE_APPLICATION_CREDENTIALS`, or of this machine.
 */
export class GoogleApi {
  readonly #settings: SecretSettings
  readonly #endpoints: FindEndpoint
  readonly #requests: SecretRequests
  readonly #sources: CredentialSources
  readonly #held = new HeldCredentials<string>()

  constructor(settings: SecretSettings, endpoints: FindEndpoint, requests: SecretRequests, sources: CredentialSources) {
    this.#settings = settings
    this.#endpoints = endpoints
    this.#requests = requests
    this.#sources = sources
  }

  /** Throws SECRET_STORE_OFF, SECRET_OPTION, SECRET_FILE, SECRET_FILE_MEMBER, SECRET_REJECTED, SECRET_NO_TOKEN. */
  async call({ service, path, body: given, credentials }: GoogleCall): Promise<GoogleResponse> {
    requireStore('google', this.#settings)
    const named = getMember(credentials, 'credentials_file')
    const file = typeof named === 'string' ? named : this.#sources.environment['GOOGLE_APPLICATION_CREDENTIALS']
    const key = file ?? ''
    const token = await this.#held.find(key, () => (file === undefined ? this.#askMachine() : this.#logIn(file)))
    const url = this.#endpoints(service, {}, `/v1/${checkPath(path)}`)
    const body = given === undefined ? undefined : JSON.stringify(given)
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const request = { method: body === undefined ? ('GET' as const) : ('POST' as const), headers, body }
    const response = await this.#requests.send(url, request, createServerIdentity(this.#sources.authorities))
    if (response.status === 401) this.#held.forget(key)
    return { ...response, token }
  }

  async #askMachine(): Promise<Expiring<string>> {
    const url = this.#endpoints('google-metadata', {}, tokenPath)
    const request = { method: 'GET' as const, headers: { 'metadata-flavor': 'Google' } }
    return parseTokenResponse(await this.#requests.send(url, request, createServerIdentity(undefined)), [])
  }

  async #logIn(path: string): Promise<Expiring<string>> {
    const url = this.#endpoints('google-login', {}, '/token')
    const assertion = signAssertion(readServiceAccount(path, this.#sources), Math.floor(Date.now() / 1000))
    const body = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const request = { method: 'POST' as const, headers, body: body.toString() }
    const identity = createServerIdentity(this.#sources.authorities)
    return parseTokenResponse(await this.#requests.send(url, request, identity), [assertion])
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
  const read = (name: string): string => {
    const value = getMember(parseAccount(text), name)
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

/** Rejects a path that leads to another resource than it names. */
function checkPath(path: string): string {
  if (/^projects(?:\/[\w.:~-]+)+$/.test(path) && !path.split('/').some((each) => /^\.+$/.test(each))) return path
  return throwIssue(secretRefusals.SECRET_OPTION, { name: 'resource', value: path })
}
