import { sql } from 'kysely'
import { budgets } from '../../base/budgets/budgets.ts'
import { type Database, getFirstRow } from '../database/database.ts'
import { openPostgres } from '../database/postgresql.ts'

interface OpenedReplica {
  readonly database: Database
  /** The same database with a time limit, to find out if it responds. */
  readonly probe: Database
}

/** The read replicas of a reader process, opened when they are used. */
export class ReplicaReader {
  readonly #urls: readonly string[]
  readonly #opened = new Map<number, Promise<OpenedReplica>>()

  constructor(urls: readonly string[]) {
    this.#urls = urls
  }

  /**
   * Returns the replica with an index if it responds and is still a standby server. The states of the
   * replicas are checked only once per second, so the replica may have stopped since.
   */
  async find(at: number): Promise<Database | undefined> {
    const opened = this.#opened.get(at) ?? openReplica(this.#urls[at]!)
    this.#opened.set(at, opened)
    try {
      const { database, probe } = await opened
      const row = await getFirstRow<{ standby: boolean }>(probe, sql`select pg_is_in_recovery() as standby`)
      return row?.standby ? database : undefined
    } catch {
      return undefined
    }
  }
}

async function openReplica(url: string): Promise<OpenedReplica> {
  const { bound } = budgets.store.replicaTime
  return {
    database: await openPostgres(url, { connectMs: bound }),
    probe: await openPostgres(url, { connections: 1, connectMs: bound, queryMs: bound }),
  }
}
