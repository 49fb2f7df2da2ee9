import { LRUCache } from 'lru-cache'
import { budgets } from '../../../base/budgets/budgets.ts'
import { failureTtlMs } from '../outside-response.ts'

/** Credentials, with the time in milliseconds since 1970 at which they expire. */
export interface Expiring<Credentials> {
  readonly credentials: Credentials
  readonly expires: number
}

interface Entry<Credentials> {
  readonly credentials: Promise<Credentials>
  /** Milliseconds since 1970 after which the credentials are fetched again; Infinity while they are fetched. */
  until: number
}

/** Credentials are replaced this long before they expire. */
const marginMs = 300_000

/**
 * Temporary credentials and tokens, each fetched once and reused until five minutes before it expires. A failure is
 * repeated for five seconds.
 */
export class HeldCredentials<Credentials> {
  readonly #entries = new LRUCache<string, Entry<Credentials>>({ max: budgets.outside.secretSessions.bound })

  /** Returns the credentials of a key; `fetch` fetches them. Throws the error of `fetch`. */
  find(key: string, fetch: () => Promise<Expiring<Credentials>>): Promise<Credentials> {
    const known = this.#entries.get(key)
    if (known && known.until > Date.now()) return known.credentials
    const fetched = fetch().then(
      ({ credentials, expires }) => {
        entry.until = expires - marginMs
        return credentials
      },
      (error: unknown) => {
        entry.until = Date.now() + failureTtlMs
        throw error
      },
    )
    const entry: Entry<Credentials> = { credentials: fetched, until: Infinity }
    this.#entries.set(key, entry)
    return fetched
  }

  /** Forgets credentials that a server has rejected. */
  forget(key: string): void {
    this.#entries.delete(key)
  }
}
