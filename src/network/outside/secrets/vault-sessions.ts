import { LRUCache } from 'lru-cache'
import { budgets } from '../../../base/budgets/budgets.ts'
import { throwIssue } from '../../../base/issue.ts'
import { type ExactJson, getMember } from '../../../base/json/exact-json.ts'
import type { CredentialSources } from './credential-sources.ts'
import { hideTexts } from './hidden-texts.ts'
import { vaultFailures } from './issues.ts'
import { computeCredentialsId } from './secret-question.ts'
import { describeSecretFailure } from './secret-requests.ts'
import type { VaultConnections, VaultRequest, VaultResponse } from './vault-connections.ts'
import { chooseLogin, readVaultIdentity } from './vault-login.ts'
import type { VaultCredentials, VaultQuestion } from './vault-question.ts'

/** A token, with the time until which it is used without renewal. */
interface Session {
  readonly token: string
  readonly isRenewable: boolean
  /** Milliseconds since 1970; Infinity for a token without a known lifetime. */
  readonly renewAt: number
}

type Access = Pick<VaultQuestion, 'address' | 'namespace' | 'credentials'>

/**
 * Tokens of Vault by server, namespace and credentials. After half of its lifetime, a token of a login is renewed, or
 * replaced by a new login. A configured token is used as it is; it is renewed if Vault reports a lifetime.
 */
export class VaultSessions {
  readonly #connections: VaultConnections
  readonly #sources: CredentialSources
  readonly #sessions = new LRUCache<string, Promise<Session | undefined>>({ max: budgets.outside.secretSessions.bound })
  readonly #now: () => number

  constructor(connections: VaultConnections, sources: CredentialSources, now: () => number = Date.now) {
    this.#connections = connections
    this.#sources = sources
    this.#now = now
  }

  /**
   * Sends a request with the token of the credentials. If the token is no longer valid, logs in or reads the file of the
   * token again, once; Vault gives the same response if the token is valid but lacks a permission. `undefined` if the
   * token is `IGNORE-VAULT`.
   */
  async send(
    access: Access,
    request: Pick<VaultRequest, 'method' | 'path' | 'query' | 'body'>,
  ): Promise<VaultResponse | undefined> {
    const session = await this.#open(access)
    if (!session) return undefined
    const first = await this.#request(access, { ...request, token: session.token })
    if (first.status !== 403 || (await this.#isValid(access, session))) return first
    this.#sessions.delete(getSessionKey(access))
    const renewed = await this.#open(access)
    if (!renewed) return undefined
    // The same invalid token of the configuration again: the secret is not forbidden, its value is unknown.
    if (renewed.token === session.token) return failLogin(access, formatVaultErrors(first))
    return this.#request(access, { ...request, token: renewed.token })
  }

  async #isValid(access: Access, { token }: Session): Promise<boolean> {
    return (await this.#lookUpToken(access, token)).status !== 403
  }

  async #open(access: Access): Promise<Session | undefined> {
    const key = getSessionKey(access)
    const known = this.#sessions.get(key)
    const session = known && (await known)
    if (session && session.renewAt > this.#now()) return session
    // Another request may have replaced the session meanwhile.
    const current = this.#sessions.get(key)
    if (current && current !== known) return current
    const next = session?.isRenewable ? this.#renew(access, session) : this.#logIn(access)
    this.#sessions.set(key, next)
    next.catch(() => {
      if (this.#sessions.peek(key) === next) this.#sessions.delete(key)
    })
    return next
  }

  async #logIn(access: Access): Promise<Session | undefined> {
    const login = chooseLogin(access.credentials, this.#sources)
    if (login.kind === 'ignored') return undefined
    if (login.kind === 'token') return this.#inspect(access, login.token)
    const response = await this.#request(access, { ...login.request, method: 'POST' }).catch((error: unknown) =>
      failLogin(access, describeSecretFailure(error)),
    )
    const sent = ['secret_id', 'jwt'].map((name) => String(getMember(login.request.body, name) ?? ''))
    return this.#toSession(getMember(response.body, 'auth')) ?? failLogin(access, formatVaultErrors(response, sent))
  }

  /** Renews a token; after a failure, logs in again. */
  async #renew(access: Access, { token }: Session): Promise<Session | undefined> {
    const request = { method: 'POST', path: 'auth/token/renew-self', token, body: {} } as const
    const response = await this.#request(access, request).catch(() => undefined)
    return this.#toSession(getMember(response?.body, 'auth')) ?? this.#logIn(access)
  }

  /** Returns a session for a configured token; a policy may forbid Vault to report its lifetime. */
  async #inspect(access: Access, token: string): Promise<Session> {
    const { body } = await this.#lookUpToken(access, token)
    const data = getMember(body, 'data')
    const seconds = Number(getMember(data, 'ttl') ?? 0)
    const isRenewable = getMember(data, 'renewable') === true
    // A token that cannot be renewed is read again after a while, because its file may have been replaced.
    return { token, isRenewable, renewAt: this.#now() + (seconds > 0 ? seconds * 500 : tokenCheckMs) }
  }

  #lookUpToken(access: Access, token: string): Promise<VaultResponse> {
    return this.#request(access, { method: 'GET', path: 'auth/token/lookup-self', token })
  }

  #toSession(auth: ExactJson | undefined): Session | undefined {
    const token = getMember(auth, 'client_token')
    if (typeof token !== 'string' || token === '') return undefined
    const seconds = Number(getMember(auth, 'lease_duration') ?? 0)
    const isRenewable = getMember(auth, 'renewable') === true
    return { token, isRenewable, renewAt: seconds > 0 ? this.#now() + seconds * 500 : Infinity }
  }

  async #request(
    { address, namespace, credentials }: Access,
    request: Omit<VaultRequest, 'address' | 'namespace'>,
  ): Promise<VaultResponse> {
    const identity = readVaultIdentity(credentials, this.#sources)
    return this.#connections.send({ ...request, address, namespace }, identity)
  }
}

const tokenCheckMs = 60_000

/** Returns the messages of a rejected request, as Vault formats them. */
export function formatVaultErrors({ status, body }: VaultResponse, hidden: readonly string[] = []): string {
  const errors = getMember(body, 'errors')
  const texts = Array.isArray(errors) ? errors.filter((each) => typeof each === 'string') : []
  return texts.length === 0 ? `status ${status}` : hideTexts(texts.join('\n'), hidden)
}

function failLogin({ credentials: { auth_method: method = 'token' } }: Access, why: string): never {
  return throwIssue(vaultFailures.VAULT_LOGIN, { method, why })
}

function getSessionKey({ address, namespace = '', credentials }: Access): string {
  return `${address} ${namespace} ${computeCredentialsId(credentials as VaultCredentials)}`
}
