import type { RawBuilder } from 'kysely'
import type { Dialect } from './dialect.ts'

/** A row, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>

/** A relational database: SQLite, or PostgreSQL 13 and newer. Statements are kysely's; what differs is in the dialect. */
export interface Database {
  readonly dialect: Dialect
  /** All rows of a query. */
  all<Result = Row>(query: RawBuilder<unknown>): Promise<readonly Result[]>
  /** Rows of a query, at most so many at once, as they are read. */
  stream<Result = Row>(query: RawBuilder<unknown>, atOnce: number): AsyncIterable<readonly Result[]>
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

/** The first row of a query. */
export async function first<Result = Row>(database: Database, query: RawBuilder<unknown>): Promise<Result | undefined> {
  return (await database.all<Result>(query))[0]
}
