import type { RawBuilder } from 'kysely'
import type { Dialect } from './dialect.ts'

/** A row, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>

/** A relational database: SQLite, or PostgreSQL 13 and newer. Statements are kysely's; what differs is in the dialect. */
export interface Database {
  readonly dialect: Dialect
  /** Of a database as it was at some time. */
  readonly past?: Past
  /** All rows of a query. */
  all<Result = Row>(query: RawBuilder<unknown>): Promise<readonly Result[]>
  /** Rows of a query, at most so many at once, as they are read. */
  stream<Result = Row>(query: RawBuilder<unknown>, atOnce: number): AsyncIterable<readonly Result[]>
  /** As `stream`, but each row as the list of its values, in the order of the columns, which have names of their own. */
  lists(query: RawBuilder<unknown>, atOnce: number): AsyncIterable<readonly (readonly unknown[])[]>
  /** The plan of a query, as JSON in the form of PostgreSQL's `explain`. */
  explain(query: RawBuilder<unknown>): Promise<string>
  /** Number of rows that a statement changed. */
  run(statement: RawBuilder<unknown>): Promise<number>
  /** All of the work, or nothing of it. One transaction after the other; none inside another. */
  transaction<Result>(work: (database: Database) => Promise<Result>): Promise<Result>
  /** Reads one state of the database, whatever is written meanwhile. */
  snapshot<Result>(work: (database: Database) => Promise<Result>): Promise<Result>
  /** Gives back room on the disk that only writing needs, while nothing is written; absent where there is none. */
  rest?(): Promise<void>
  close(): Promise<void>
}

/** Ways to read of the past no more than is needed. */
export interface Past {
  /** The database as it was, with some nodes alone. */
  of(nodeIds: readonly number[]): Database
  /** The database as it is, for rows that never change once they are there. */
  readonly present: Database
}

/** The first row of a query. */
export async function first<Result = Row>(database: Database, query: RawBuilder<unknown>): Promise<Result | undefined> {
  return (await database.all<Result>(query))[0]
}
