import { createSecureContext } from 'node:tls'
import { budgets } from '../../../base/budgets/budgets.ts'
import { createPuppetError, PuppetError, throwIssue } from '../../../base/issue.ts'
import { parseBoundedJson } from '../../../base/json/bounded-json.ts'
import type { ExactJson } from '../../../base/json/exact-json.ts'
import { awaitWithTimeout } from '../../../base/time/promise-timeout.ts'
import { Dispatcher, readBytes } from '../../client/dispatcher.ts'
import { describeFailure } from '../http.ts'
import { secretFailures, secretRefusals } from './issues.ts'

/** Certificate, key and CAs of connections, as PEM. */
export interface SecretIdentity {
  /** Path of the certificate, for messages. */
  readonly path: string
  readonly cert: string | undefined
  readonly key: string | undefined
  readonly authorities: readonly string[] | undefined
}

/** Returns the identity of connections without a client certificate, which trust these CAs. */
export function createServerIdentity(authorities: readonly string[] | undefined): SecretIdentity {
  return { path: '', cert: undefined, key: undefined, authorities }
}

/** A request to a server that stores secrets. */
export interface SecretRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** A response; `body` is undefined if the body is empty. */
export interface SecretResponse {
  readonly status: number
  readonly location: string | undefined
  /** The header `WWW-Authenticate`. */
  readonly challenge: string | undefined
  readonly text: string
}

const { secretTime, secretBody, secretItems, secretConnections, httpHeaders } = budgets.outside

/** Sends requests, within limits of time and size. Servers are always verified; redirects are not followed. */
export class SecretRequests {
  readonly #dispatchers = new Map<string, Dispatcher>()
  readonly #timeMs: number

  constructor(timeMs: number = secretTime.bound) {
    this.#timeMs = timeMs
  }

  /** Throws an error of `secretFailures`, or an error of the connection. */
  async send(url: URL, request: SecretRequest, identity: SecretIdentity): Promise<SecretResponse> {
    const late = new AbortController()
    const expire = () => {
      late.abort()
      return createPuppetError(secretFailures.SECRET_TOO_SLOW, { seconds: this.#timeMs / 1000 })
    }
    const sent = this.#exchange(url, request, identity, late.signal)
    return awaitWithTimeout(sent, this.#timeMs, expire)
  }

  async #exchange(
    url: URL,
    { method, headers, body: given }: SecretRequest,
    identity: SecretIdentity,
    signal: AbortSignal,
  ): Promise<SecretResponse> {
    const all = { 'accept-encoding': 'identity', ...headers }
    const {
      body,
      statusCode,
      headers: received,
    } = await this.#openDispatcher(identity).request(url, {
      ...{ method, headers: all, signal, body: given },
    })
    const bytes = await readBytes(body, secretBody.bound + 1)
    if (bytes.length > secretBody.bound) throwIssue(secretFailures.SECRET_TOO_LARGE, { most: secretBody.bound })
    return {
      status: statusCode,
      location: received.location,
      challenge: received['www-authenticate'],
      text: bytes.toString(),
    }
  }

  #openDispatcher(identity: SecretIdentity): Dispatcher {
    const key = JSON.stringify(identity)
    const known = this.#dispatchers.get(key)
    if (known) return known
    if (this.#dispatchers.size >= secretConnections.bound) this.#close()
    const opened = new Dispatcher({
      ...{ connectTimeoutMs: this.#timeMs, readTimeoutMs: this.#timeMs, keepAliveMs: 4000 },
      ...{ maxHeaderBytes: httpHeaders.bound, tls: () => createTlsIdentity(identity) },
    })
    this.#dispatchers.set(key, opened)
    return opened
  }

  /** Closes idle connections. */
  #close(): void {
    for (const each of this.#dispatchers.values()) each.close()
    this.#dispatchers.clear()
  }
}

/** Parses the JSON of a response; `undefined` for an empty body. Throws SECRET_NOT_JSON. */
export function parseSecretBody({ text, status }: Pick<SecretResponse, 'text' | 'status'>): ExactJson | undefined {
  if (text === '') return undefined
  try {
    return parseBoundedJson(text, { characters: secretBody.bound, items: secretItems.bound })
  } catch {
    return throwIssue(secretFailures.SECRET_NOT_JSON, { status })
  }
}

/** Returns the text of a failed request for messages. */
export function describeSecretFailure(error: unknown): string {
  if (error instanceof PuppetError) return error.diagnostic.message
  return describeFailure(error, undefined).failure.trim()
}

function createTlsIdentity({ path, cert, key, authorities }: SecretIdentity) {
  const options = { ...(authorities && { ca: [...authorities] }), ...(cert !== undefined && { cert, key }) }
  try {
    return { minVersion: 'TLSv1.2' as const, secureContext: createSecureContext({ minVersion: 'TLSv1.2', ...options }) }
  } catch (error) {
    return throwIssue(secretRefusals.SECRET_CERTIFICATE, { path, reason: (error as Error).message })
  }
}
