import { budgets } from '../../base/budgets/budgets.ts'
import { createPuppetError, defineIssues, throwIssue } from '../../base/issue.ts'
import { openThreadBridge, type ThreadBridge } from '../../base/threads/thread-bridge.ts'
import { directFiles } from '../../machine/system/direct-files.ts'
import type { VaultLookupRequest, VaultLookupResponse } from '../../ruby/node/vault-lookup.ts'
import { ResponseError } from './errors.ts'
import { type HostTlsSettings, readHostTls } from './host-tls.ts'
import type { HttpClient } from './http-client.ts'
import { readTrustedAuthorities } from './system-authorities.ts'
import { createWebClient, type WebClientSettings } from './web-client.ts'

/** Settings for requests of a node to Vault. */
export type VaultRequestSettings = WebClientSettings & HostTlsSettings

const issues = defineIssues({
  VAULT_OTHER_SERVER: {
    text: (a: { from: string; to: string }) => `${a.from} redirects to ${a.to}, which must not receive the token`,
    hint: (a) => `Set vault_addr to ${a.to} if this is the address of Vault.`,
  },
  VAULT_TOO_SLOW: {
    text: (a: { url: string; seconds: number }) => `No response from ${a.url} within ${a.seconds} seconds`,
  },
})

const { secretBody } = budgets.outside

/**
 * Sends requests of a node to Vault, with the certificate of the node. Trusts our CA and those of the system. Redirects
 * lead to the same server only, because a request contains credentials.
 */
export class VaultRequests {
  readonly #settings: VaultRequestSettings
  readonly #timeMs: number
  readonly #clients = new Map<string, Promise<HttpClient>>()

  constructor(settings: VaultRequestSettings, timeMs: number = budgets.node.secretTime.bound) {
    this.#settings = settings
    this.#timeMs = timeMs
  }

  /** Returns a bridge that sends the requests of one thread. */
  bridge(): ThreadBridge {
    return openThreadBridge((request: VaultLookupRequest) => this.send(request))
  }

  /** Returns the response with any status. Throws the error of the connection, also for a response that is too large. */
  async send({ url: given, ...request }: VaultLookupRequest): Promise<VaultLookupResponse> {
    const url = new URL(given)
    const signal = AbortSignal.timeout(this.#timeMs)
    try {
      const client = await this.#openClient(url.origin)
      const { status, body } = await client.send(url, { ...request, signal, maxAnswer: secretBody.bound })
      return { status, text: body.toString() }
    } catch (error) {
      if (error instanceof ResponseError) return { status: error.status, text: error.text }
      if (!signal.aborted) throw error
      throw createPuppetError(issues.VAULT_TOO_SLOW, { url: given, seconds: this.#timeMs / 1000 })
    }
  }

  #openClient(origin: string): Promise<HttpClient> {
    const known = this.#clients.get(origin)
    if (known) return known
    const client = this.#createClient(origin).catch((error: unknown) => {
      this.#clients.delete(origin)
      throw error
    })
    this.#clients.set(origin, client)
    return client
  }

  async #createClient(origin: string): Promise<HttpClient> {
    const own = await readHostTls({ ...this.#settings, certificate_revocation: 'false' }, directFiles)
    const tls = { ...own, ca: await readTrustedAuthorities(this.#settings.localcacert) }
    const approve = (to: URL) => {
      if (to.origin !== origin) throwIssue(issues.VAULT_OTHER_SERVER, { from: origin, to: to.origin })
    }
    return createWebClient(this.#settings, tls, { approve })
  }
}
