import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Sql } from '../database/dialect.ts'
import { createTableStep, type RetentionStep, readNewestId } from './step.ts'

/**
 * The step that removes unreferenced rows of a table whose rows are shared. The newest row is kept:
 * otherwise SQLite would reuse its id for the next row, and a search by id for newly added rows
 * would miss that row.
 * @param isReferenced True if another row refers to a row of the table.
 */
export function createUnreferencedRemoval(
  table: string,
  isReferenced: Sql,
  before: (inside: Database, ids: Sql) => Promise<unknown> = async () => {},
): RetentionStep {
  return createTableStep(table, async (inside, { after, last }) => {
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
  const newest = await readNewestId(inside, table)
  const dead = given.filter((id) => id !== newest)
  if (dead.length === 0) return 0
  const ids = sql`(select value from ${inside.dialect.integers(dead)})`
  await before(inside, ids)
  return inside.run(sql`delete from ${sql.table(table)} where id in ${ids}`)
}

/** Condition that a column of another table contains the row's id. */
const buildReferenceCondition = (from: string, column: string, table: string): Sql =>
  sql`exists (select 1 from ${sql.table(from)} where ${sql.ref(`${from}.${column}`)} = ${sql.ref(`${table}.id`)})`

/** The step that removes fact values that no node has. */
export const createFactValueRemoval = (): RetentionStep =>
  createUnreferencedRemoval('fact_values', buildReferenceCondition('facts', 'value_id', 'fact_values'), (inside, ids) =>
    inside.run(sql`delete from fact_leaves where value_id in ${ids}`),
  )

/** The step that removes packages that no node has. */
export const createPackageRemoval = (): RetentionStep =>
  createUnreferencedRemoval('packages', buildReferenceCondition('node_packages', 'package_id', 'packages'))

/** The step that removes environments without catalogs, facts and reports. */
export const createEnvironmentRemoval = (): RetentionStep =>
  createUnreferencedRemoval(
    'environments',
    sql`${buildReferenceCondition('catalogs', 'environment_id', 'environments')}
      or ${buildReferenceCondition('factsets', 'environment_id', 'environments')}
      or ${buildReferenceCondition('reports', 'environment_id', 'environments')}
      or ${buildReferenceCondition('fact_changes', 'environment_id', 'environments')}`,
  )

/** The step that removes lists of contents that belong to no current or earlier catalog. */
export const createCatalogContentRemoval = (): RetentionStep =>
  createUnreferencedRemoval('catalog_contents', buildReferenceCondition('catalogs', 'content_id', 'catalog_contents'))

/** The step that removes checksums of sourced files that belong to no catalog. */
export const createSourcedFileRemoval = (): RetentionStep =>
  createUnreferencedRemoval('sourced_files', buildReferenceCondition('catalogs', 'sourced_files_id', 'sourced_files'))

/** The step that removes edge sets that belong to no catalog. */
export const createEdgeSetRemoval = (): RetentionStep =>
  createUnreferencedRemoval('edge_sets', buildReferenceCondition('catalog_contents', 'edge_set_id', 'edge_sets'))

/** The step that removes resources that belong to no catalog. */
export const createResourceRemoval = (): RetentionStep =>
  createUnreferencedRemoval('resources', buildReferenceCondition('resource_contents', 'resource_id', 'resources'))

/** The step that removes names of removed resources. Edges refer only to names of resources. */
export const createResourceNameRemoval = (): RetentionStep =>
  createUnreferencedRemoval('resource_names', buildReferenceCondition('resources', 'name_id', 'resource_names'))
