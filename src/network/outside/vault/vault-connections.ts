import { createSecureContext } from 'node:tls'
import { budgets } from '../../../base/budgets/budgets.ts'
import { createPuppetError, PuppetError, throwIssue } from '../../../base/issue.ts'
import { parseBoundedJson } from '../../../base/json/bounded-json.ts'
import type { ExactJson } from '../../../base/json/exact-json.ts'
import { awaitWithTimeout } from '../../../base/time/promise-timeout.ts'
import { Dispatcher, readBytes } from '../../client/dispatcher.ts'
import { describeFailure } from '../http.ts'
import { vaultFailures, vaultRefusals } from './issues.ts'

/** Certificate, key and CAs of connections to Vault, as PEM. */
export interface VaultIdentity {
  /** Path of the certificate, for messages. */
  readonly path: string
  readonly cert: string | undefined
  readonly key: string | undefined
  readonly authorities: readonly string[] | undefined
}

/** A request to the HTTP API of Vault. */
export interface VaultRequest {
  /** URL of the server, from hiera.yaml. */
  readonly address: string
  /** Path below `/v1/`. */
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly token?: string | undefined
  readonly namespace?: string | undefined
  readonly query?: string
  readonly body?: ExactJson
}

/** A response of Vault; `body` is undefined if the body is empty. */
export interface VaultResponse {
  readonly status: number
  readonly body: ExactJson | undefined
}

/** A response that refers to another server. */
interface VaultRedirect {
  readonly location: string
}

const { vaultTime, vaultBody, vaultConnections } = budgets.outside
const redirects = new Set([301, 302, 303, 307, 308])

/**
 * Sends requests to the servers of the setting external_vault_addresses. Servers are always verified. A redirect is
 * followed once, to a server of the setting only, because the request contains a token.
 */
export class VaultConnections {
  readonly #allowed: ReadonlySet<string>
  readonly #dispatchers = new Map<string, Dispatcher>()
  readonly #timeMs: number

  constructor(addresses: readonly string[], timeMs: number = vaultTime.bound) {
    this.#allowed = new Set(addresses.map((each) => normalizeAddress(each) ?? each))
    this.#timeMs = timeMs
  }

  /** Throws VAULT_ADDRESS if the setting does not allow the server. */
  checkAddress(address: string): URL {
    const normal = normalizeAddress(address)
    if (normal === undefined || !this.#allowed.has(normal)) return throwIssue(vaultRefusals.VAULT_ADDRESS, { address })
    return new URL(normal)
  }

  /** Throws an error of `vaultFailures`, or an error of the connection. */
  async send(request: VaultRequest, identity: VaultIdentity): Promise<VaultResponse> {
    const base = this.checkAddress(request.address)
    const path = request.path.split('/').map(encodeURIComponent).join('/')
    const url = new URL(`${base.href.replace(/\/$/, '')}/v1/${path}${request.query ?? ''}`)
    const late = new AbortController()
    const expire = () => {
      late.abort()
      return createPuppetError(vaultFailures.VAULT_TOO_SLOW, { seconds: this.#timeMs / 1000 })
    }
    const dispatcher = this.#openDispatcher(identity)
    return awaitWithTimeout(this.#follow(dispatcher, url, request, late.signal), this.#timeMs, expire)
  }

  async #follow(dispatcher: Dispatcher, url: URL, request: VaultRequest, signal: AbortSignal): Promise<VaultResponse> {
    const first = await this.#exchange(dispatcher, url, request, signal)
    if (!isRedirect(first)) return first
    const to = URL.canParse(first.location, url.href) ? new URL(first.location, url) : undefined
    if (!to || !this.#allowed.has(to.origin))
      return throwIssue(vaultFailures.VAULT_REDIRECT, { to: to?.origin ?? first.location })
    const second = await this.#exchange(dispatcher, to, request, signal)
    return isRedirect(second) ? throwIssue(vaultFailures.VAULT_REDIRECT, { to: second.location }) : second
  }

  async #exchange(
    dispatcher: Dispatcher,
    url: URL,
    request: VaultRequest,
    signal: AbortSignal,
  ): Promise<VaultResponse | VaultRedirect> {
    const { method, token, namespace, body: sent } = request
    const headers = {
      ...{ accept: 'application/json', 'accept-encoding': 'identity', 'x-vault-request': 'true' },
      ...(token !== undefined && { 'x-vault-token': token }),
      ...(namespace !== undefined && { 'x-vault-namespace': namespace }),
      ...(sent !== undefined && { 'content-type': 'application/json' }),
    }
    const text = sent === undefined ? undefined : JSON.stringify(sent)
    const {
      body,
      statusCode: status,
      headers: received,
    } = await dispatcher.request(url, {
      ...{ method, headers, signal, body: text },
    })
    if (redirects.has(status) && received.location !== undefined) {
      body.destroy()
      return { location: received.location }
    }
    const bytes = await readBytes(body, vaultBody.bound + 1)
    if (bytes.length > vaultBody.bound) throwIssue(vaultFailures.VAULT_TOO_LARGE, { most: vaultBody.bound })
    return { status, body: bytes.length === 0 ? undefined : parseBody(bytes.toString(), status) }
  }

  #openDispatcher(identity: VaultIdentity): Dispatcher {
    const key = JSON.stringify(identity)
    const known = this.#dispatchers.get(key)
    if (known) return known
    if (this.#dispatchers.size >= vaultConnections.bound) this.close()
    const opened = new Dispatcher({
      ...{ connectTimeoutMs: this.#timeMs, readTimeoutMs: this.#timeMs, keepAliveMs: 4000 },
      ...{ maxHeaderBytes: budgets.outside.httpHeaders.bound, tls: () => createTlsIdentity(identity) },
    })
    this.#dispatchers.set(key, opened)
    return opened
  }

  /** Closes idle connections. */
  close(): void {
    for (const each of this.#dispatchers.values()) each.close()
    this.#dispatchers.clear()
  }
}

/** Returns the origin and path of an address of a server; `undefined` for another text. */
export function normalizeAddress(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    return undefined
  if (url.search !== '' || url.hash !== '') return undefined
  return `${url.origin}${url.pathname.replace(/\/$/, '')}`
}

function isRedirect(response: VaultResponse | VaultRedirect): response is VaultRedirect {
  return 'location' in response
}

/** Returns the text of a failed request for messages. */
export function describeVaultFailure(error: unknown): string {
  if (error instanceof PuppetError) return error.diagnostic.message
  return describeFailure(error, undefined).failure.trim()
}

function createTlsIdentity({ path, cert, key, authorities }: VaultIdentity) {
  const options = { ...(authorities && { ca: [...authorities] }), ...(cert !== undefined && { cert, key }) }
  try {
    return { minVersion: 'TLSv1.2' as const, secureContext: createSecureContext({ minVersion: 'TLSv1.2', ...options }) }
  } catch (error) {
    return throwIssue(vaultRefusals.VAULT_CERTIFICATE, { path, reason: (error as Error).message })
  }
}

function parseBody(text: string, status: number): ExactJson {
  try {
    return parseBoundedJson(text, { characters: vaultBody.bound, items: vaultBody.bound })
  } catch {
    return throwIssue(vaultFailures.VAULT_NOT_JSON, { status })
  }
}
