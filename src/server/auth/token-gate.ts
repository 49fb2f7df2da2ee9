import { createHash } from 'node:crypto'
import type { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'
import { createGrowingLru } from '../../base/lru-cache.ts'
import { createRetryRefusal } from '../bodies/body-memory.ts'
import type { Client } from '../http/client.ts'
import { toNetwork } from '../http/client-account.ts'
import type { DistinctHeaders } from './header-client.ts'
import { readPresentedToken } from './presented-token.ts'
import type { TokenVerifier } from './token-verifier.ts'

/** Maximum numbers of cached addresses with failed tokens and of cached accepted tokens. */
const remembered = { addresses: 10_000, letIn: 10_000 }
const minuteMs = 60_000

/**
 * Identifies a client by its token. Failed tokens are counted per address; above the limit, only
 * tokens accepted from that address before are checked. An attacker who guesses tokens is thus
 * stopped without locking out other clients at the same address.
 */
export class TokenGate {
  readonly #verifier: TokenVerifier
  readonly #wrong: LRUCache<string, number>
  readonly #letIn: LRUCache<string, true>

  constructor(verifier: TokenVerifier, now: () => number = Date.now) {
    this.#verifier = verifier
    this.#wrong = createGrowingLru(remembered.addresses, { ttl: minuteMs, ttlResolution: 0, perf: { now } })
    this.#letIn = createGrowingLru(remembered.letIn)
  }

  /**
   * Returns the client with its token, or with the reason why the token is refused. Throws 429 if a client without a
   * certificate exceeds the limit.
   */
  async identify(client: Client, headers: DistinctHeaders): Promise<Client> {
    const presented = readPresentedToken(headers)
    if (!presented) return client
    const network = toNetwork(client.address)
    if ('refused' in presented) return this.#refuse(client, network, `the token is rejected: ${presented.refused}`)
    const key = hashTokenKey(network, presented.token)
    const { bound } = budgets.token.guesses
    if ((this.#wrong.get(network) ?? 0) >= bound && !this.#letIn.has(key)) {
      if (client.certname !== undefined)
        return { ...client, refusedToken: 'too many invalid tokens came from this address' }
      throw createRetryRefusal(429, `Too many invalid tokens, at most ${bound} per minute`, minuteMs / 1000)
    }
    const token = await this.#verifier.verify(presented.token)
    if (!token) return this.#refuse(client, network, 'the token is unknown or has expired')
    this.#letIn.set(key, true)
    return { ...client, token }
  }

  #refuse(client: Client, network: string, refusedToken: string): Client {
    const count = this.#wrong.get(network) ?? 0
    // The period of the limit starts with the first failure, so that repeated attempts do not extend it.
    this.#wrong.set(network, count + 1, { noUpdateTTL: true })
    return { ...client, refusedToken }
  }
}

/** Digest of token and network, so that no token stays in memory. */
function hashTokenKey(network: string, token: string): string {
  return createHash('sha256').update(`${network}\0${token}`).digest('base64')
}
