import type { ExactJson } from '../../../base/json/exact-json.ts'
import type { CredentialSources } from './credential-sources.ts'
import type { FindEndpoint } from './endpoints.ts'
import type { CredentialSource, HeldCredentials } from './held-credentials.ts'
import { createServerIdentity, type SecretRequests, type SecretResponse } from './secret-requests.ts'
import type { SecretSettings } from './secret-store.ts'

/** The settings, addresses, connections and credentials for requests to a cloud. */
export interface CloudConnection {
  readonly settings: SecretSettings
  readonly endpoints: FindEndpoint
  readonly requests: SecretRequests
  readonly sources: CredentialSources
}

/** A response, and the token that the request contained. */
export interface TokenResponse extends SecretResponse {
  readonly token: string
}

/** Tokens of a cloud, and the source of those of a request. */
export interface TokenSource extends CredentialSource<string> {
  readonly held: HeldCredentials<string>
}

/**
 * Sends a request with a token: a GET request, or a POST request with JSON. After the status 401 for a token of an
 * earlier request, the request is sent once with a fresh token.
 */
export function sendWithToken(
  connection: CloudConnection,
  url: URL,
  source: TokenSource,
  given: ExactJson | undefined,
): Promise<TokenResponse> {
  const send = (token: string) => sendOnce(connection, url, token, given)
  return source.held.use(source, send, ({ status }) => status === 401)
}

async function sendOnce(
  { requests, sources }: CloudConnection,
  url: URL,
  token: string,
  given: ExactJson | undefined,
): Promise<TokenResponse> {
  const authorization = { authorization: `Bearer ${token}` }
  const request =
    given === undefined
      ? ({ method: 'GET', headers: authorization } as const)
      : ({
          method: 'POST',
          headers: { ...authorization, 'content-type': 'application/json' },
          body: JSON.stringify(given),
        } as const)
  return { ...(await requests.send(url, request, createServerIdentity(sources.authorities))), token }
}

/** Sends a form to a server that issues tokens. */
export function sendForm(
  { requests, sources }: CloudConnection,
  url: URL,
  form: Readonly<Record<string, string>>,
): Promise<SecretResponse> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(form).toString()
  return requests.send(url, { method: 'POST', headers, body }, createServerIdentity(sources.authorities))
}
