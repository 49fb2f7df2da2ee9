import { sql } from 'kysely'
import { type Database, getFirstRow } from '../database/database.ts'

/** The result of one slice. */
export interface SliceResult {
  /** Number of removed rows; for the expiration of nodes, number of expired nodes. */
  readonly removed: number
  /** True if the step has no more work. */
  readonly done: boolean
}

/**
 * A step of a collection, which works in slices of about `limit` rows. Each slice runs inside a
 * transaction during which no other transaction writes.
 */
export type RetentionStep = (inside: Database, limit: number) => Promise<SliceResult>

/** Id of the last row among the next `limit` rows of a table; `undefined` at the end of the table. */
export async function findSliceEnd(
  database: Database,
  { table, after, limit }: { readonly table: string; readonly after: number; readonly limit: number },
): Promise<number | undefined> {
  const row = await getFirstRow<{ last: number | null }>(
    database,
    sql`select max(id) as last
      from (select id from ${sql.table(table)} where id > ${after} order by id limit ${limit}) as next`,
  )
  return row?.last ?? undefined
}

/**
 * Returns a step that processes a table in the order of the ids, up to the row that was last when
 * the step started. If the step is started again, it processes the rows written since.
 */
export function createTableStep(
  table: string,
  work: (inside: Database, range: { readonly after: number; readonly last: number }) => Promise<number>,
  share = 1,
): RetentionStep {
  let after = 0
  let end: number | undefined
  return async (inside, limit) => {
    end ??= await readNewestId(inside, table)
    const last = after < end ? await findSliceEnd(inside, { table, after, limit: Math.ceil(limit * share) }) : undefined
    const removed = last === undefined ? 0 : await work(inside, { after, last })
    after = last ?? after
    const done = last === undefined || last >= end
    if (done) end = undefined
    return { removed, done }
  }
}

/** Highest id of a table; 0 if the table is empty. */
export async function readNewestId(database: Database, table: string): Promise<number> {
  const row = await getFirstRow<{ id: number | null }>(database, sql`select max(id) as id from ${sql.table(table)}`)
  return row?.id ?? 0
}
