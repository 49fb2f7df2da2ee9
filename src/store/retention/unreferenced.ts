import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Sql } from '../database/dialect.ts'
import { newestId, type Step, throughTable } from './step.ts'

/**
 * Removes rows of a table of things that are kept once, to which nothing refers. The newest row stays: SQLite would give its
 * id again, and one who looks for what is new, by its id, would pass over it.
 * @param isReferenced True of a row of the table that something refers to.
 */
export function removingUnreferenced(
  table: string,
  isReferenced: Sql,
  before: (inside: Database, ids: Sql) => Promise<unknown> = async () => {},
): Step {
  return throughTable(table, async (inside, { after, last }) => {
    const found = await inside.all<{ id: number }>(
      sql`select id from ${sql.table(table)} where id > ${after} and id <= ${last} and not (${isReferenced})`,
    )
    return removeRows(
      inside,
      table,
      found.map(({ id }) => id),
      before,
    )
  })
}

/** Removes rows by their ids, but not the newest of the table. Number of them. */
export async function removeRows(
  inside: Database,
  table: string,
  given: readonly number[],
  before: (inside: Database, ids: Sql) => Promise<unknown> = async () => {},
): Promise<number> {
  const newest = await newestId(inside, table)
  const dead = given.filter((id) => id !== newest)
  if (dead.length === 0) return 0
  const ids = sql`(select value from ${inside.dialect.integers(dead)})`
  await before(inside, ids)
  return inside.run(sql`delete from ${sql.table(table)} where id in ${ids}`)
}

/** A row of the table that another table's column leads to. */
const leadsTo = (from: string, column: string, table: string): Sql =>
  sql`exists (select 1 from ${sql.table(from)} where ${sql.ref(`${from}.${column}`)} = ${sql.ref(`${table}.id`)})`

/** Removes what no node's facts have any more. */
export const removingFactValues = (): Step =>
  removingUnreferenced('fact_values', leadsTo('facts', 'value_id', 'fact_values'), (inside, ids) =>
    inside.run(sql`delete from fact_leaves where value_id in ${ids}`),
  )

/** Removes packages that no node has. */
export const removingPackages = (): Step =>
  removingUnreferenced('packages', leadsTo('node_packages', 'package_id', 'packages'))

/** Removes environments of which nothing is. */
export const removingEnvironments = (): Step =>
  removingUnreferenced(
    'environments',
    sql`${leadsTo('catalogs', 'environment_id', 'environments')}
      or ${leadsTo('factsets', 'environment_id', 'environments')}
      or ${leadsTo('reports', 'environment_id', 'environments')}
      or ${leadsTo('fact_changes', 'environment_id', 'environments')}`,
  )

/** Removes lists of contents that no catalog has, nor had. */
export const removingCatalogContents = (): Step =>
  removingUnreferenced('catalog_contents', leadsTo('catalogs', 'content_id', 'catalog_contents'))

/** Removes checksums of sourced files that no catalog has. */
export const removingSourcedFiles = (): Step =>
  removingUnreferenced('sourced_files', leadsTo('catalogs', 'sourced_files_id', 'sourced_files'))

/** Removes edges of no catalog. */
export const removingEdgeSets = (): Step =>
  removingUnreferenced('edge_sets', leadsTo('catalog_contents', 'edge_set_id', 'edge_sets'))

/** Removes resources of no catalog. */
export const removingResources = (): Step =>
  removingUnreferenced('resources', leadsTo('resource_contents', 'resource_id', 'resources'))

/** Removes names of resources that are not there; edges lead only between names of resources. */
export const removingResourceNames = (): Step =>
  removingUnreferenced('resource_names', leadsTo('resources', 'name_id', 'resource_names'))
