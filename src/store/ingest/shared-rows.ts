import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { ColumnType } from '../database/dialect.ts'

/** A table whose rows are shared: the columns that identify a row, and the other columns. */
export interface SharedTable {
  readonly table: string
  readonly key: Readonly<Record<string, ColumnType>>
  readonly rest?: Readonly<Record<string, ColumnType>>
}

/** Values of a row in the order of its columns. JSON is passed as text. */
export type SharedRow = readonly (string | number | boolean | null)[]

/**
 * Returns the ids of rows by their keys, in the same order, and inserts missing rows. Safe for
 * concurrent processes.
 * @param restOf Returns the values of the other columns for a new row.
 */
export async function findOrInsertRows(
  database: Database,
  known: SharedTable,
  keys: readonly SharedRow[],
  restOf: (at: number) => SharedRow = () => [],
): Promise<number[]> {
  const found = new Map<number, number>()
  await findRows(database, known, keys, found)
  const missing = keys.flatMap((key, at) => (found.has(at) ? [] : [[...key, ...restOf(at)]]))
  if (missing.length === 0) return listRowIds(keys, found)
  await insertRows(database, known, database.dialect.name === 'postgresql' ? sortForLocking(missing) : missing)
  await findRows(database, known, keys, found)
  return listRowIds(keys, found)
}

/** Sorts rows, so that servers that insert the same rows lock them in the same order and cannot deadlock. */
function sortForLocking(rows: readonly SharedRow[]): readonly SharedRow[] {
  const keyed = rows.map((row) => [JSON.stringify(row), row] as const)
  return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

function listRowIds(rows: readonly SharedRow[], found: ReadonlyMap<number, number>): number[] {
  return rows.map((_, at) => found.get(at)!)
}

async function findRows(
  database: Database,
  { table, key }: SharedTable,
  rows: readonly SharedRow[],
  found: Map<number, number>,
) {
  const asked = rows.flatMap((row, at) => (found.has(at) ? [] : [[at, ...row]]))
  if (asked.length === 0) return
  const handed = database.dialect.rows({ at: 'integer', ...key }, asked)
  const equal = Object.keys(key).map((name) => sql`kept.${sql.id(name)} = asked.${sql.id(name)}`)
  const ids = await database.all<{ at: number; id: number }>(
    sql`select asked.at as at, kept.id as id
      from (select * from ${handed}) as asked join ${sql.table(table)} as kept on ${sql.join(equal, sql` and `)}`,
  )
  for (const { at, id } of ids) found.set(at, id)
}

async function insertRows(database: Database, { table, key, rest = {} }: SharedTable, rows: readonly SharedRow[]) {
  const columns = { ...key, ...rest }
  const names = sql.join(Object.keys(columns).map((name) => sql.id(name)))
  const handed = database.dialect.rows(columns, rows)
  await database.run(
    sql`insert into ${sql.table(table)} (${names}) select ${names} from ${handed} where true on conflict do nothing`,
  )
}
