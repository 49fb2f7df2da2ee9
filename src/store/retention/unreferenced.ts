import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Sql } from '../database/dialect.ts'
import { newestId, type Step, throughTable } from './step.ts'

/**
 * The step that removes unreferenced rows of a table whose rows are shared. The newest row is kept:
 * otherwise SQLite would reuse its id for the next row, and a search by id for newly added rows
 * would miss that row.
 * @param isReferenced True if another row refers to a row of the table.
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

/** Removes rows by ids, except the newest row of the table, and returns their number. */
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

/** Condition that a column of another table contains the row's id. */
const leadsTo = (from: string, column: string, table: string): Sql =>
  sql`exists (select 1 from ${sql.table(from)} where ${sql.ref(`${from}.${column}`)} = ${sql.ref(`${table}.id`)})`

/** The step that removes fact values that no node has. */
export const removingFactValues = (): Step =>
  removingUnreferenced('fact_values', leadsTo('facts', 'value_id', 'fact_values'), (inside, ids) =>
    inside.run(sql`delete from fact_leaves where value_id in ${ids}`),
  )

/** The step that removes packages that no node has. */
export const removingPackages = (): Step =>
  removingUnreferenced('packages', leadsTo('node_packages', 'package_id', 'packages'))

/** The step that removes environments without catalogs, facts and reports. */
export const removingEnvironments = (): Step =>
  removingUnreferenced(
    'environments',
    sql`${leadsTo('catalogs', 'environment_id', 'environments')}
      or ${leadsTo('factsets', 'environment_id', 'environments')}
      or ${leadsTo('reports', 'environment_id', 'environments')}
      or ${leadsTo('fact_changes', 'environment_id', 'environments')}`,
  )

/** The step that removes lists of contents that belong to no current or earlier catalog. */
export const removingCatalogContents = (): Step =>
  removingUnreferenced('catalog_contents', leadsTo('catalogs', 'content_id', 'catalog_contents'))

/** The step that removes checksums of sourced files that belong to no catalog. */
export const removingSourcedFiles = (): Step =>
  removingUnreferenced('sourced_files', leadsTo('catalogs', 'sourced_files_id', 'sourced_files'))

/** The step that removes edge sets that belong to no catalog. */
export const removingEdgeSets = (): Step =>
  removingUnreferenced('edge_sets', leadsTo('catalog_contents', 'edge_set_id', 'edge_sets'))

/** The step that removes resources that belong to no catalog. */
export const removingResources = (): Step =>
  removingUnreferenced('resources', leadsTo('resource_contents', 'resource_id', 'resources'))

/** The step that removes names of removed resources. Edges refer only to names of resources. */
export const removingResourceNames = (): Step =>
  removingUnreferenced('resource_names', leadsTo('resources', 'name_id', 'resource_names'))
