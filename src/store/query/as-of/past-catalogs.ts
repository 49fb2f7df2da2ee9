import { inflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import { budgets } from '../../../base/budgets/budgets.ts'
import type { Database } from '../../database/database.ts'
import type { Sql } from '../../database/dialect.ts'
import { throwInvalidQuery } from '../issues.ts'
import type { PastNode } from './past-nodes.ts'

const most = budgets.query.asOfResources.bound

/** Number of content lists per read; a content list contains the ids of a catalog's resources. */
const atOnce = 100

/** A past catalog whose content list differs from that of the node's present catalog. */
interface Differing {
  readonly node_id: number
  readonly content_id: number
}

/**
 * The past rows of `catalog_resources`: the present rows for unchanged catalogs, and rows from the
 * history for other catalogs.
 */
export async function selectPastResources(database: Database, nodes: readonly PastNode[], real: Sql): Promise<Sql> {
  const { dialect } = database
  const past = dialect.rows(
    { node_id: 'integer', catalog_id: 'integer' },
    nodes.filter(({ catalog_id }) => catalog_id !== null).map(({ id, catalog_id }) => [id, catalog_id]),
  )
  const rows = await database.all<Differing & { readonly same: number | boolean }>(
    sql`select nodes.id as node_id, catalogs.content_id as content_id,
        coalesce(present.content_id = catalogs.content_id, false) as same
      from (select * from ${past}) as past
      join nodes on nodes.id = past.node_id
      join catalogs on catalogs.id = past.catalog_id
      left join catalogs as present on present.id = nodes.catalog_id`,
  )
  const same = rows.filter((row) => row.same).map(({ node_id }) => node_id)
  const present = sql`select node_id, content_id from ${real}
    where node_id in (select value from ${dialect.integers(same)})`
  const differing = rows.filter((row) => !row.same)
  if (differing.length === 0) return present
  const lists = await readContentLists(
    database,
    differing.map(({ content_id }) => content_id),
  )
  const pairs = differing.reduce((sum, { content_id }) => sum + lists.get(content_id)!.length, 0)
  if (pairs > most)
    throwInvalidQuery(`'as_of' would read more than ${most} resources; select fewer nodes by certname, or a later time`)
  const listed = selectPairs(dialect.integers, differing, lists)
  return same.length === 0 ? listed : sql`${present} union all ${listed}`
}

/** Passes each pair as one number, because databases read a million numbers in a second. */
function selectPairs(
  integers: (values: readonly number[]) => Sql,
  differing: readonly Differing[],
  lists: ReadonlyMap<number, readonly number[]>,
): Sql {
  let radix = 1
  for (const list of lists.values()) for (const id of list) if (id >= radix) radix = id + 1
  const values = differing.flatMap(({ node_id, content_id }) =>
    lists.get(content_id)!.map((id) => node_id * radix + id),
  )
  return sql`select value / ${sql.lit(radix)} as node_id, value % ${sql.lit(radix)} as content_id from ${integers(values)}`
}

/** Reads the content lists of catalogs, by id. */
export async function readContentLists(
  database: Database,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const lists = new Map<number, readonly number[]>()
  const wanted = [...new Set(ids)]
  let total = 0
  for (let at = 0; at < wanted.length; at += atOnce) {
    const rows = await database.all<{ id: number; contents: Uint8Array }>(
      sql`select id, contents from catalog_contents
        where id in (select value from ${database.dialect.integers(wanted.slice(at, at + atOnce))})`,
    )
    for (const { id, contents } of rows) {
      const list = JSON.parse(inflateRawSync(contents).toString()) as number[]
      total += list.length
      if (total > most)
        throwInvalidQuery(`The query would read more than ${most} past resources; select fewer nodes or times`)
      lists.set(id, list)
    }
  }
  return lists
}
