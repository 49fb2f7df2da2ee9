import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Client, Pool, PoolClient } from 'pg'
import { budgets } from '../../base/budgets/budgets.ts'
import type { Database, ReadOptions } from './database.ts'
import { postgresql, type Sql } from './dialect.ts'

type QueryClient = Pick<Client | Pool | PoolClient, 'query'>

const requireHere = createRequire(import.meta.url)

/** Options of an opened PostgreSQL database. */
export interface PostgresOptions {
  /** Maximum number of connections. */
  readonly connections?: number
  /** Time limit in milliseconds to open a connection; by default, that of the system. */
  readonly connectMs?: number
  /** Time limit in milliseconds of each statement, also if the network drops packets; none by default. */
  readonly queryMs?: number
  /** True if idle connections do not keep the process running, so that a command need not close the database. */
  readonly allowsExit?: boolean
}

/** Returns host, port and database in the URL of a PostgreSQL database, without user and password. */
export function formatDatabaseName(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

/** Opens a PostgreSQL database by its URL: `postgresql://user@host:port/database`. */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Database> {
  const { connections = 4, connectMs, queryMs, allowsExit = false } = options
  const { Pool: PoolOf, types } = requireHere('pg') as typeof import('pg')
  // Ids and times in milliseconds are below 2^53.
  const parseInteger = (text: string) => Number(text)
  const pool = new PoolOf({
    connectionString: url,
    max: connections,
    keepAlive: true,
    ...(connectMs !== undefined && { connectionTimeoutMillis: connectMs }),
    ...(queryMs !== undefined && { query_timeout: queryMs }),
    allowExitOnIdle: allowsExit,
    types: { getTypeParser: ((oid: number) => findTypeParser(oid, parseInteger) ?? types.getTypeParser(oid)) as never },
  })
  // An idle connection broke; the pool opens a new one.
  pool.on('error', () => {})
  // If a connection breaks while it is in use, its next query fails.
  pool.on('connect', (client) => client.on('error', () => {}))
  return new PostgresDatabase(pool, pool)
}

/** Parses integers to numbers, and returns JSON as text. */
function findTypeParser(oid: number, parseInteger: (text: string) => number) {
  const [int8, numeric, json, jsonb] = [20, 1700, 114, 3802]
  if (oid === int8 || oid === numeric) return parseInteger
  if (oid === json || oid === jsonb) return (text: string) => text
  return undefined
}

/**
 * A statement for PostgreSQL 14 and newer: a running query checks every two seconds if the client
 * is still connected.
 */
export const buildClientCheck = (within: 'transaction' | 'session'): string =>
  `select set_config('client_connection_check_interval', '2s', ${within === 'transaction'})
  where current_setting('server_version_num')::int >= 140000`

class PostgresDatabase implements Database {
  readonly dialect = postgresql
  readonly #pool: Pool
  readonly #asked: QueryClient

  constructor(pool: Pool, asked: QueryClient) {
    this.#pool = pool
    this.#asked = asked
  }

  async all<Result>(query: Sql, { prepared = false }: ReadOptions = {}): Promise<readonly Result[]> {
    const { sql: text, parameters } = postgresql.compile(query)
    // PostgreSQL limits the name to 63 bytes.
    const named = prepared && { name: createHash('sha1').update(text).digest('hex') }
    return (await this.#asked.query({ text, values: parameters.map(bindValue), ...named })).rows as Result[]
  }

  stream<Result>(query: Sql, atOnce: number): AsyncIterable<readonly Result[]> {
    return this.#read<Result>(query, { atOnce })
  }

  lists(query: Sql, atOnce: number): AsyncIterable<readonly (readonly unknown[])[]> {
    return this.#read<readonly unknown[]>(query, { atOnce, rowMode: 'array' })
  }

  /** Reads rows with a cursor, in the current transaction; if there is none, in a new transaction. */
  async *#read<Result>(query: Sql, how: Reading): AsyncIterable<readonly Result[]> {
    if (this.#asked !== this.#pool) return yield* fetchRows<Result>(this.#asked, query, how)
    const client = await this.#pool.connect()
    let failed: Error | undefined
    try {
      // Format times in UTC, whatever the database's time zone is.
      const limit = `set local statement_timeout = ${budgets.store.queryTime.bound}`
      await client.query(`begin read only; set local time zone 'UTC'; ${limit}; ${buildClientCheck('transaction')}`)
      yield* fetchRows<Result>(client, query, how)
    } catch (error) {
      failed = error as Error
      throw error
    } finally {
      if (!failed) await client.query('rollback').catch((error: Error) => (failed = error))
      client.release(failed)
    }
  }

  async explain(query: Sql): Promise<string> {
    const { sql, parameters } = postgresql.compile(query)
    const explained = `explain (verbose, analyze, buffers, format json) ${sql}`
    return (await this.#asked.query(explained, parameters.map(bindValue))).rows[0]['QUERY PLAN']
  }

  async run(statement: Sql): Promise<number> {
    const { sql, parameters } = postgresql.compile(statement)
    return (await this.#asked.query(sql, parameters.map(bindValue))).rowCount ?? 0
  }

  transaction<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
    return this.#within('begin', work)
  }

  snapshot<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
    return this.#within('begin isolation level repeatable read read only', work)
  }

  async #within<Result>(begin: string, work: (database: Database) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect()
    let failed: Error | undefined
    try {
      await client.query(begin)
      const result = await work(new PostgresDatabase(this.#pool, client))
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch((lost: Error) => (failed = lost))
      throw error
    } finally {
      client.release(failed)
    }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }
}

interface Reading {
  readonly atOnce: number
  /** `array` to receive rows as lists. */
  readonly rowMode?: 'array'
}

/** Fetches rows with a cursor, which is closed after the last row. */
async function* fetchRows<Result>(
  client: QueryClient,
  query: Sql,
  { atOnce, rowMode }: Reading,
): AsyncIterable<Result[]> {
  const { sql, parameters } = postgresql.compile(query)
  await client.query(`declare answer no scroll cursor for ${sql}`, parameters.map(bindValue))
  while (true) {
    const fetch = { text: `fetch ${atOnce} from answer`, ...(rowMode && { rowMode }) }
    const { rows } = await client.query(fetch)
    if (rows.length > 0) yield rows as Result[]
    if (rows.length < atOnce) break
  }
  await client.query('close answer')
}

function bindValue(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value) : value
}
