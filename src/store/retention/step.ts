import { sql } from 'kysely'
import { type Database, first } from '../database/database.ts'

/** The outcome of a slice of work. */
export interface Slice {
  /** Rows that were removed; of nodes that expire, those. */
  readonly removed: number
  /** True when there is no more of this work. */
  readonly done: boolean
}

/** Work that is done in slices, each inside a transaction in which nobody else writes, over at most about so many rows. */
export type Step = (inside: Database, limit: number) => Promise<Slice>

/** The id at the end of the next rows of a table; `undefined` at its end. */
export async function endOfNext(
  database: Database,
  { table, after, limit }: { readonly table: string; readonly after: number; readonly limit: number },
): Promise<number | undefined> {
  const row = await first<{ last: number | null }>(
    database,
    sql`select max(id) as last
      from (select id from ${sql.table(table)} where id > ${after} order by id limit ${limit}) as next`,
  )
  return row?.last ?? undefined
}

/**
 * A step that goes through a table by its ids, to the last one that there is when it begins; begun again, through what was
 * written since.
 */
export function throughTable(
  table: string,
  work: (inside: Database, range: { readonly after: number; readonly last: number }) => Promise<number>,
  share = 1,
): Step {
  let after = 0
  let end: number | undefined
  return async (inside, limit) => {
    end ??= await newestId(inside, table)
    const last = after < end ? await endOfNext(inside, { table, after, limit: Math.ceil(limit * share) }) : undefined
    const removed = last === undefined ? 0 : await work(inside, { after, last })
    after = last ?? after
    const done = last === undefined || last >= end
    if (done) end = undefined
    return { removed, done }
  }
}

/** The id of the newest row of a table; 0 of an empty one. */
export async function newestId(database: Database, table: string): Promise<number> {
  const row = await first<{ id: number | null }>(database, sql`select max(id) as id from ${sql.table(table)}`)
  return row?.id ?? 0
}
