import { throwIssue } from '../../../base/issue.ts'
import type { ExactJson } from '../../../base/json/exact-json.ts'
import { vaultFailures, vaultRefusals } from './issues.ts'
import { parseSecretBody, type SecretIdentity, type SecretRequests, type SecretResponse } from './secret-requests.ts'

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

const redirects = new Set([301, 302, 303, 307, 308])

/**
 * Sends requests to the servers of the setting external_vault_addresses. A redirect is followed once, to a server of
 * the setting only, because the request contains a token.
 */
export class VaultConnections {
  readonly #allowed: ReadonlySet<string>
  readonly #requests: SecretRequests

  constructor(addresses: readonly string[], requests: SecretRequests) {
    this.#allowed = new Set(addresses.map((each) => normalizeAddress(each) ?? each))
    this.#requests = requests
  }

  /** Throws an error of `vaultFailures`, or an error of the connection. */
  async send(request: VaultRequest, identity: SecretIdentity): Promise<VaultResponse> {
    const base = this.#checkAddress(request.address)
    const path = checkVaultPath(request.path).split('/').map(encodeURIComponent).join('/')
    const url = new URL(`${base}/v1/${path}${request.query ?? ''}`)
    const first = await this.#exchange(url, request, identity)
    if (!isRedirect(first)) return toVaultResponse(first)
    const to = URL.canParse(first.location, url.href) ? new URL(first.location, url) : undefined
    if (!to || !this.#allowed.has(to.origin)) return failRedirect(to?.origin ?? first.location)
    const second = await this.#exchange(to, request, identity)
    return isRedirect(second) ? failRedirect(second.location) : toVaultResponse(second)
  }

  /** Returns the normalized address. Throws VAULT_ADDRESS if the setting does not allow the server. */
  #checkAddress(address: string): string {
    const normal = normalizeAddress(address)
    if (normal === undefined || !this.#allowed.has(normal)) return throwIssue(vaultRefusals.VAULT_ADDRESS, { address })
    return normal
  }

  #exchange(url: URL, { method, token, namespace, body }: VaultRequest, identity: SecretIdentity) {
    const headers = {
      ...{ accept: 'application/json', 'x-vault-request': 'true' },
      ...(token !== undefined && { 'x-vault-token': token }),
      ...(namespace !== undefined && { 'x-vault-namespace': namespace }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const text = body === undefined ? undefined : JSON.stringify(body)
    return this.#requests.send(url, { method, headers, body: text }, identity)
  }
}

/** Returns the origin and path of an address of a server; `undefined` for another text. */
function normalizeAddress(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    return undefined
  if (url.search !== '' || url.hash !== '') return undefined
  return `${url.origin}${url.pathname.replace(/\/$/, '')}`
}

function isRedirect(response: SecretResponse): response is SecretResponse & { readonly location: string } {
  return redirects.has(response.status) && response.location !== undefined
}

function failRedirect(to: string): never {
  return throwIssue(vaultFailures.VAULT_REDIRECT, { to })
}

function toVaultResponse(response: SecretResponse): VaultResponse {
  return { status: response.status, body: parseSecretBody(response) }
}

/** Rejects paths that a server could resolve to another path, and control characters. */
function checkVaultPath(path: string): string {
  const isOdd = path.split('/').some((segment) => segment === '.' || segment === '..')
  if (isOdd || /[\x00-\x1f\x7f]/.test(path)) throwIssue(vaultRefusals.VAULT_PATH, { path })
  return path
}
