import { sql } from 'kysely'
import { createPuppetError, throwIssue } from '../../base/issue.ts'
import { Slots } from '../../base/threads/slots.ts'
import { authorityFaults, authorityOutages } from '../../ca/issues.ts'
import { lockTransaction } from '../database/advisory-lock.ts'
import type { Database } from '../database/database.ts'
import { isDatabaseUnavailable } from '../database/outage.ts'
import { openPostgres } from '../database/postgresql.ts'

/** Statements on the database of a CA, in or outside a transaction. */
export type AuthorityQueries = Pick<Database, 'all' | 'run'>

/** Seconds to wait for the changes of other servers. PostgreSQL serves the waiting servers in their order. */
const lockTimeoutSeconds = 15
/**
 * Seconds after which PostgreSQL ends the transaction of a server that does nothing, such as a stopped process, so that
 * the other servers can continue. A change with an external signer waits at most for three signatures.
 */
const idleTimeoutSeconds = 45
const timeouts = { connectMs: 5000, queryMs: 1000 * (lockTimeoutSeconds + 5) }
/** Milliseconds after an outage during which the database is not queried, so that requests need not wait for it. */
const pauseMs = 2000

/** Error codes of PostgreSQL for a lock that was not free in time, an ended transaction, and a deadlock. */
const transientCodes: ReadonlySet<string> = new Set(['55P03', '25P03', '40001', '40P01'])
const undefinedTable = '42P01'

/** The database of a CA. Throws CA_DATABASE_UNAVAILABLE during outages, and CA_ABSENT if it has no tables. */
export class AuthorityConnection {
  readonly #database: Database
  readonly #place: string
  /** Changes of this process run one after another, so that they need only one connection. */
  readonly #changes = new Slots({ atOnce: 1 })
  #outage: { readonly error: unknown; readonly until: number } | undefined

  private constructor(database: Database, place: string) {
    this.#database = database
    this.#place = place
  }

  static async open(url: string, place: string): Promise<AuthorityConnection> {
    return new AuthorityConnection(await openPostgres(url, { ...timeouts, allowsExit: true }), place)
  }

  /** Queries outside a change. */
  readonly queries: AuthorityQueries = {
    all: (query) => this.#run(() => this.#database.all(query)),
    run: (statement) => this.#run(() => this.#database.run(statement)),
  }

  /** Runs a transaction that holds the lock of the CA. */
  change<Result>(work: (queries: AuthorityQueries) => Promise<Result>): Promise<Result> {
    return this.#changes.run(async () => {
      let failure: { readonly error: unknown } | undefined
      try {
        return await this.#run(() =>
          this.#database.transaction(async (database) => {
            await beginChange(database)
            return await work(this.#convertErrors(database)).catch((error: unknown) => {
              failure = { error }
              throw new Error('The change failed')
            })
          }),
        )
      } catch (error) {
        throw failure ? failure.error : error
      }
    })
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  #convertErrors(database: AuthorityQueries): AuthorityQueries {
    return {
      all: (query) => database.all<never>(query).catch((error: unknown) => this.#fail(error)),
      run: (statement) => database.run(statement).catch((error: unknown) => this.#fail(error)),
    }
  }

  async #run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#outage && Date.now() < this.#outage.until) throw this.#outage.error
    const result = await work().catch((error: unknown) => this.#fail(error))
    this.#outage = undefined
    return result
  }

  /** Throws the error; an error of an unavailable database is converted. */
  #fail(error: unknown): never {
    const { code, message } = error as { readonly code?: unknown; readonly message: string }
    if (code === undefinedTable) throwIssue(authorityFaults.CA_ABSENT, { place: this.#place })
    const isBusy = typeof code === 'string' && transientCodes.has(code)
    if (!isBusy && !isOutage(error)) throw error
    const why = message === '' ? String(code) : message
    const outage = createPuppetError(authorityOutages.CA_DATABASE_UNAVAILABLE, { why })
    if (!isBusy) this.#outage = { error: outage, until: Date.now() + pauseMs }
    throw outage
  }
}

/** Takes the lock, which PostgreSQL releases when the transaction or the connection ends. */
async function beginChange(database: AuthorityQueries): Promise<void> {
  // A revocation that was acknowledged must not be lost, whatever the default of the database is.
  await database.all(sql`select
    set_config('lock_timeout', ${`${lockTimeoutSeconds}s`}, true),
    set_config('idle_in_transaction_session_timeout', ${`${idleTimeoutSeconds}s`}, true),
    case when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'on', true) end`)
  await database.all(lockTransaction('ca'))
}

/** Messages of the driver, whose errors have no codes. */
const driverMessage = /^(?:Query read timeout|timeout exceeded when trying to connect|Client has encountered)/

function isOutage(error: unknown): boolean {
  return isDatabaseUnavailable(error) || (error instanceof Error && driverMessage.test(error.message))
}
