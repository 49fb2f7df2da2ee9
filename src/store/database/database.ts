import type { RawBuilder } from 'kysely'
import type { Dialect } from './dialect.ts'

/** A row as an object of column names and values. */
export type DatabaseRow = Readonly<Record<string, unknown>>

/**
 * A relational database: SQLite, or PostgreSQL 13 and newer. Statements are built with kysely; the
 * dialect covers the differences.
 */
export interface Database {
  readonly dialect: Dialect
  /** Present if the database shows a past state instead of the present state. */
  readonly past?: Past
  /** Returns all rows of a query. */
  all<Result = DatabaseRow>(query: RawBuilder<unknown>, options?: ReadOptions): Promise<readonly Result[]>
  /** Streams the rows of a query in batches of at most `atOnce`. */
  stream<Result = DatabaseRow>(query: RawBuilder<unknown>, atOnce: number): AsyncIterable<readonly Result[]>
  /**
   * Like `stream`, but each row is a list of values, in the order of the columns. The column names
   * must be distinct.
   */
  lists(query: RawBuilder<unknown>, atOnce: number): AsyncIterable<readonly (readonly unknown[])[]>
  /** The plan of a query, as JSON in the format of PostgreSQL's `explain`. */
  explain(query: RawBuilder<unknown>): Promise<string>
  /** Runs a statement and returns the number of changed rows. */
  run(statement: RawBuilder<unknown>): Promise<number>
  /** Runs `work` in a transaction. Transactions run one after the other and cannot be nested. */
  transaction<Result>(work: (database: Database) => Promise<Result>): Promise<Result>
  /** Runs `work` on a consistent snapshot of the database. */
  snapshot<Result>(work: (database: Database) => Promise<Result>): Promise<Result>
  /**
   * Releases disk space that is only needed for writing. Called while nothing is written; absent if
   * there is no such space.
   */
  rest?(): Promise<void>
  close(): Promise<void>
}

/** Options of a query. */
export interface ReadOptions {
  /** True to keep the plan, for a frequent query whose planning takes longer than its execution. */
  readonly prepared?: boolean
}

/** Access to a past state that reads no more data than a query needs. */
export interface Past {
  /** Returns the past state of some nodes only. */
  of(nodeIds: readonly number[]): Database
  /** The database in its present state, for rows that never change. */
  readonly present: Database
}

/** Returns the first row of a query. */
export async function getFirstRow<Result = DatabaseRow>(
  database: Database,
  query: RawBuilder<unknown>,
  options?: ReadOptions,
): Promise<Result | undefined> {
  return (await database.all<Result>(query, options))[0]
}
