import { sql } from 'kysely'
import type { Database, DatabaseRow } from '../../database/database.ts'
import type { Sql } from '../../database/dialect.ts'
import { selectPastResources } from './past-catalogs.ts'
import { buildPastFacts, type PastFacts, type RealTable, selectPastFactsets } from './past-facts.ts'
import type { PastNode } from './past-nodes.ts'

/**
 * Tables whose rows differ in a past state, ordered so that each table depends only on tables
 * before it.
 */
const shadowed = ['nodes', 'reports', 'factsets', 'facts', 'fact_values', 'fact_leaves', 'catalog_resources'] as const

type ShadowedTable = (typeof shadowed)[number]

/** For each table, the other past tables from which its rows are derived. */
const needs: Partial<Record<ShadowedTable, ShadowedTable>> = { fact_values: 'facts', fact_leaves: 'facts' }

/**
 * A database that shows a past state. Each query starts with common table expressions, which have
 * the names of the tables and contain the past rows. A table is computed when a query uses it for
 * the first time.
 */
export function createPastDatabase(database: Database, nodes: readonly PastNode[]): Database {
  const { dialect } = database
  const getRealTable: RealTable = (name) => (dialect.name === 'sqlite' ? sql.id('main', name) : sql.id(name))
  const made = new Map<ShadowedTable, Promise<Sql>>()
  let facts: Promise<PastFacts> | undefined
  const buildTable = async (name: ShadowedTable): Promise<Sql> => {
    switch (name) {
      case 'nodes':
        return selectNodeRows(database, nodes, getRealTable)
      case 'reports':
        return selectReportRows(database, nodes, getRealTable)
      case 'catalog_resources':
        return selectPastResources(database, nodes, getRealTable(name))
      case 'factsets':
        return selectPastFactsets(database, nodes, getRealTable)
      default:
        facts ??= buildPastFacts(database, nodes, getRealTable)
        return (await facts)[name]
    }
  }
  const addPastTables = async (query: Sql): Promise<Sql> => {
    const words = new Set(dialect.compile(query).sql.split(/\W/))
    const read = new Set(shadowed.filter((name) => words.has(name)))
    for (const name of [...read]) if (needs[name]) read.add(needs[name])
    const tables: Sql[] = []
    for (const name of shadowed) {
      if (!read.has(name)) continue
      const rows = made.get(name) ?? buildTable(name)
      made.set(name, rows)
      tables.push(sql`${sql.id(name)} as materialized (${await rows})`)
    }
    return tables.length === 0 ? query : sql`with ${sql.join(tables)} ${query}`
  }
  return {
    dialect,
    past: {
      of(ids) {
        const wanted = new Set(ids)
        return createPastDatabase(
          database,
          nodes.filter(({ id }) => wanted.has(id)),
        )
      },
      present: database,
    },
    all: async <Result = DatabaseRow>(query: Sql) => database.all<Result>(await addPastTables(query)),
    async *stream<Result = DatabaseRow>(query: Sql, atOnce: number) {
      yield* database.stream<Result>(await addPastTables(query), atOnce)
    },
    async *lists(query: Sql, atOnce: number) {
      yield* database.lists(await addPastTables(query), atOnce)
    },
    explain: async (query: Sql) => database.explain(await addPastTables(query)),
    run: rejectWrite,
    transaction: rejectWrite,
    snapshot: rejectWrite,
    close: rejectWrite,
  }
}

async function rejectWrite(): Promise<never> {
  throw new TypeError('Past states are read-only')
}

function selectNodeRows({ dialect }: Database, nodes: readonly PastNode[], real: RealTable): Sql {
  const past = dialect.rows(
    { node_id: 'integer', catalog: 'integer', report: 'integer', at: 'integer' },
    nodes.map(({ id, catalog_id, report_id, at }) => [id, catalog_id, report_id, at]),
  )
  return sql`select nodes.id as id, nodes.certname as certname,
      case when nodes.deactivated <= past.at then nodes.deactivated end as deactivated,
      case when nodes.expired <= past.at then nodes.expired end as expired,
      nodes.expires_facts as expires_facts, nodes.expires_facts_updated as expires_facts_updated,
      past.catalog as catalog_id, past.report as latest_report_id,
      reports.producer_timestamp as latest_report_timestamp,
      cast(null as bigint) as catalog_inputs_timestamp, cast(null as text) as catalog_inputs_uuid
    from (select * from ${past}) as past join ${real('nodes')} as nodes on nodes.id = past.node_id
    left join ${real('reports')} as reports on reports.id = past.report`
}

function selectReportRows({ dialect }: Database, nodes: readonly PastNode[], real: RealTable): Sql {
  const past = dialect.rows(
    { node_id: 'integer', until: 'integer' },
    nodes.map(({ id, until }) => [id, until]),
  )
  return sql`select reports.* from (select * from ${past}) as past
    join ${real('reports')} as reports
      on reports.node_id = past.node_id and reports.producer_timestamp <= past.until`
}
