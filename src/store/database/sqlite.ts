import { Slots } from '../../base/threads/slots.ts'
import type { Database } from './database.ts'
import { type Sql, sqlite } from './dialect.ts'
import { busyMs, openConnection, type SqliteConnection } from './sqlite-connection.ts'
import { formatPlan, type PlanStep } from './sqlite-plan.ts'

/** Options of an opened file. */
export interface SqliteOptions {
  /** True to allow queries only; the file must exist. */
  readonly readOnly?: boolean
}

/**
 * Opens a database file in WAL mode, in which one connection can write while others read. When a
 * commit returns, its data is on the disk.
 */
export function openSqlite(file: string, { readOnly = false }: SqliteOptions = {}): Database {
  const connection = openConnection(file, { readOnly })
  if (!readOnly)
    connection.exec(
      `pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = off; pragma cache_size = -32000;
       pragma journal_size_limit = ${journalBytes}`,
    )
  return new SqliteDatabase(connection)
}

/** Size in bytes to which the write-ahead log is truncated after a large transaction. */
const journalBytes = 4 * 1024 * 1024

function* splitIntoParts<Item>(items: Iterable<Item>, atOnce: number): Iterable<Item[]> {
  let part: Item[] = []
  for (const item of items) {
    part.push(item)
    if (part.length < atOnce) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

class SqliteDatabase implements Database {
  readonly dialect = sqlite
  readonly #connection: SqliteConnection
  /** Runs the transactions of the connection one after another. */
  readonly #turn = new Slots({ atOnce: 1 })

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  async all<Result>(query: Sql): Promise<readonly Result[]> {
    const { sql, parameters } = sqlite.compile(query)
    return this.#connection.all(sql, parameters) as readonly Result[]
  }

  async *stream<Result>(query: Sql, atOnce: number): AsyncIterable<readonly Result[]> {
    const { sql, parameters } = sqlite.compile(query)
    yield* splitIntoParts(this.#connection.iterate(sql, parameters) as Iterable<Result>, atOnce)
  }

  async *lists(query: Sql, atOnce: number): AsyncIterable<readonly (readonly unknown[])[]> {
    const { sql, parameters } = sqlite.compile(query)
    yield* splitIntoParts(this.#connection.lists(sql, parameters), atOnce)
  }

  async explain(query: Sql): Promise<string> {
    const { sql, parameters } = sqlite.compile(query)
    return formatPlan(this.#connection.all(`explain query plan ${sql}`, parameters) as unknown as readonly PlanStep[])
  }

  async run(statement: Sql): Promise<number> {
    const { sql, parameters } = sqlite.compile(statement)
    return this.#connection.run(sql, parameters)
  }

  transaction<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
    return this.#turn.run(() => this.#alone('begin immediate', work))
  }

  snapshot<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
    return this.#turn.run(() => this.#alone('begin', work))
  }

  async #alone<Result>(begin: string, work: (database: Database) => Promise<Result>): Promise<Result> {
    this.#connection.exec(begin)
    try {
      const result = await work(this)
      this.#connection.exec('commit')
      return result
    } catch (error) {
      this.#connection.exec('rollback')
      throw error
    }
  }

  /**
   * Truncates the write-ahead log. If another process is reading from it, nothing happens; a later
   * call truncates it then.
   */
  rest(): Promise<void> {
    return this.#turn.run(async () => {
      this.#connection.exec('pragma busy_timeout = 0')
      try {
        this.#connection.exec('pragma wal_checkpoint(truncate)')
      } finally {
        this.#connection.exec(`pragma busy_timeout = ${busyMs}`)
      }
    })
  }

  close(): Promise<void> {
    return this.#turn.run(async () => this.#connection.close())
  }
}
