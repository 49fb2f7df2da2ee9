import { sql } from 'kysely'
import type { Database, DatabaseRow } from '../database/database.ts'
import type { Sql } from '../database/dialect.ts'

/** Fractions at which quantiles are calculated. */
const shares = Array.from({ length: 21 }, (_, at) => at / 20)

/**
 * PuppetDB's `summary-stats`: usage of tables, indexes and the database, and the distribution of
 * the data. SQLite has no usage statistics, so only row counts and the size of the file are
 * returned for it.
 */
export async function readSummaryStats(database: Database, now: number): Promise<Readonly<Record<string, unknown>>> {
  const readQuantiles = async (query: Sql) => {
    const rows = await database.all<{ value: number }>(query)
    return [{ quantiles: computeQuantiles(rows.map(({ value }) => Number(value))) }]
  }
  const readNodeQuantiles = (condition: Sql) =>
    readQuantiles(sql`select count(*) as value from catalog_resources
      join resource_contents on resource_contents.id = catalog_resources.content_id
      join resources on resources.id = resource_contents.resource_id
      join resource_names on resource_names.id = resources.name_id
      where ${condition} group by catalog_resources.node_id`)
  return {
    ...(await readUsage(database, now)),
    node_activity: await readActivity(database),
    fact_path_counts_by_depth: await countPathsByDepth(database),
    report_metric_size_dist: await readQuantiles(sql`select length(metrics) as value from reports`),
    report_log_size_dist: await readQuantiles(sql`select length(logs) as value from reports`),
    num_resources_per_node: await readQuantiles(sql`select count(*) as value from catalog_resources group by node_id`),
    num_resources_per_file: await readQuantiles(sql`select count(*) as value from catalog_resources
      join resource_contents on resource_contents.id = catalog_resources.content_id
      where resource_contents.file_id <> 0 group by resource_contents.file_id`),
    file_resources_per_catalog: await readNodeQuantiles(sql`resource_names.type = 'File'`),
    file_resources_per_catalog_with_source: await readNodeQuantiles(
      sql`resource_names.type = 'File' and ${database.dialect.jsonAt(sql.ref('resources.parameters'), ['source'])} is not null`,
    ),
    num_distinct_edges_source_target: await database.all(buildEdgeCount(database)),
    version: '7.12.1',
  }
}

/** Interpolated quantiles, calculated like PostgreSQL's `percentile_cont`; null if there are no values. */
function computeQuantiles(values: readonly number[]): number[] | null {
  if (values.length === 0) return null
  const sorted = [...values].sort((a, b) => a - b)
  return shares.map((share) => {
    const at = share * (sorted.length - 1)
    const below = sorted[Math.floor(at)]!
    return below + (sorted[Math.ceil(at)]! - below) * (at - Math.floor(at))
  })
}

async function readActivity(database: Database): Promise<readonly DatabaseRow[]> {
  const rows = await database.all<{ count: number; active: number }>(
    sql`select count(*) as count, case when expired is null and deactivated is null then 1 else 0 end as active
      from nodes group by 2 order by 2`,
  )
  return rows.map(({ count, active }) => ({ count, active: active === 1 }))
}

function countPathsByDepth(database: Database): Promise<readonly DatabaseRow[]> {
  const { jsonLength } = database.dialect
  return database.all(
    sql`select depth, count(*) as count
      from (select distinct path, ${jsonLength(sql.ref('path'))} - 1 as depth from fact_leaves) as paths
      group by depth order by depth`,
  )
}

function buildEdgeCount({ dialect }: Database): Sql {
  const edge = sql.ref('edge.value')
  const elements = dialect.elements(sql.ref('edge_sets.edges'))
  return sql`select count(*) as count from (select distinct ${dialect.integerAt(edge, 0)}, ${dialect.integerAt(edge, 1)}
    from catalogs join nodes on nodes.catalog_id = catalogs.id
    join catalog_contents on catalog_contents.id = catalogs.content_id
    join edge_sets on edge_sets.id = catalog_contents.edge_set_id
    cross join ${elements} as edge) as pairs`
}

async function readUsage(database: Database, now: number): Promise<Readonly<Record<string, readonly DatabaseRow[]>>> {
  if (database.dialect.name === 'postgresql')
    return {
      table_usage: await database.all(sql`select * from pg_stat_user_tables`),
      index_usage: await database.all(sql`select * from pg_stat_user_indexes`),
      database_usage: await database.all(
        sql`select now() as current_time, * from pg_stat_database where datname = current_database()`,
      ),
    }
  const tables = await database.all<{ name: string }>(
    sql`select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`,
  )
  const counted: DatabaseRow[] = []
  for (const { name } of tables) {
    const [row] = await database.all<{ count: number }>(sql`select count(*) as count from ${sql.table(name)}`)
    counted.push({ relname: name, schemaname: 'main', n_live_tup: row!.count })
  }
  const [size] = await database.all<{ bytes: number }>(
    sql`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`,
  )
  return {
    table_usage: counted,
    index_usage: await database.all(
      sql`select tbl_name as relname, name as indexrelname, 'main' as schemaname from sqlite_master where type = 'index'`,
    ),
    database_usage: [{ datname: 'store', current_time: new Date(now).toISOString(), bytes: size!.bytes }],
  }
}
