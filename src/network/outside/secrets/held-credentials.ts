import { LRUCache } from 'lru-cache'
import { budgets } from '../../../base/budgets/budgets.ts'
import { throwIssue } from '../../../base/issue.ts'
import { failureTtlMs } from '../outside-response.ts'
import { secretFailures } from './issues.ts'

/** Credentials, with the time in milliseconds since 1970 at which they expire; NaN if it is unknown. */
export interface Expiring<Credentials> {
  readonly credentials: Credentials
  readonly expires: number
}

/** Credentials of one key, and how to fetch them. */
export interface CredentialSource<Credentials> {
  readonly key: string
  readonly fetch: () => Promise<Expiring<Credentials>>
}

interface Entry<Credentials> {
  readonly credentials: Promise<Credentials>
  /** Milliseconds since 1970 after which the credentials are fetched again; Infinity while they are fetched. */
  until: number
}

/** Credentials are replaced this long before they expire. */
const marginMs = 300_000
/** Credentials are reused at least for this time, so that not every request fetches them. */
const leastMs = 60_000
/** Time for which credentials without a known time of expiry are reused. */
const unknownMs = 300_000

/**
 * Temporary credentials and tokens, each fetched once and reused until five minutes before it expires. A failure is
 * repeated for five seconds.
 */
export class HeldCredentials<Credentials> {
  readonly #entries = new LRUCache<string, Entry<Credentials>>({ max: budgets.outside.secretSessions.bound })
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /**
   * Sends a request with the credentials. If the server rejects credentials of an earlier request, fetches them again
   * and repeats the request, once: only a rejection of fresh credentials is an answer. Throws SECRET_CREDENTIALS if the
   * same credentials are issued again, and errors of `fetch` and `send`.
   */
  async use<Response>(
    source: CredentialSource<Credentials>,
    send: (credentials: Credentials) => Promise<Response>,
    isRejected: (response: Response) => boolean,
  ): Promise<Response> {
    const known = this.#entries.get(source.key)
    const isEarlier = known !== undefined && known.until !== Infinity
    const entry = this.#open(source)
    const credentials = await entry.credentials
    const response = await send(credentials)
    if (!isRejected(response)) return response
    this.#forget(source, entry)
    if (!isEarlier || entry !== known) return response
    const next = this.#open(source)
    const fresh = await next.credentials
    const isSame = JSON.stringify(fresh) === JSON.stringify(credentials)
    const second = isSame ? undefined : await send(fresh)
    if (second === undefined || isRejected(second)) this.#forget(source, next)
    return second ?? throwIssue(secretFailures.SECRET_CREDENTIALS, {})
  }

  #open({ key, fetch }: CredentialSource<Credentials>): Entry<Credentials> {
    const known = this.#entries.get(key)
    if (known && known.until > this.#now()) return known
    const fetched = fetch().then(
      ({ credentials, expires }) => {
        entry.until = this.#now() + this.#chooseTime(expires)
        return credentials
      },
      (error: unknown) => {
        entry.until = this.#now() + failureTtlMs
        throw error
      },
    )
    const entry: Entry<Credentials> = { credentials: fetched, until: Infinity }
    this.#entries.set(key, entry)
    return entry
  }

  #chooseTime(expires: number): number {
    if (Number.isNaN(expires)) return unknownMs
    return Math.min(Math.max(expires - this.#now() - marginMs, leastMs), budgets.outside.secretToken.bound)
  }

  /** Forgets rejected credentials, unless another request has replaced them. */
  #forget({ key }: CredentialSource<Credentials>, entry: Entry<Credentials>): void {
    if (this.#entries.peek(key) === entry) this.#entries.delete(key)
  }
}
