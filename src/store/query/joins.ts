import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Entity, Join, Sql } from './entity.ts'

/** Returns the tables of an entity that a statement uses, together with the tables needed to join them. */
export function selectTables({ from, joins }: Pick<Entity, 'from' | 'joins'>, statement: string): Sql {
  if (!joins) return from
  const names = new Set(statement.match(/\w+/g))
  return joinTables(joins.filter((join) => isNeeded(join, joins, names)))
}

/** Joins all tables of an entity. */
export function joinTables(joins: readonly Join[]): Sql {
  return sql.join(
    joins.map((join) => join.sql),
    sql` `,
  )
}

function isNeeded({ table, by }: Join, joins: readonly Join[], names: ReadonlySet<string>): boolean {
  if (by === undefined || names.has(table)) return true
  return joins.some((other) => other.by === table && isNeeded(other, joins, names))
}

/** Tables that statements refer to without an alias. */
const tables: ReadonlySet<string> = new Set([
  ...['nodes', 'environments', 'producers', 'source_files', 'packages', 'factsets', 'fact_values', 'fact_leaves'],
  ...['resource_names', 'resources', 'catalogs', 'catalog_inputs', 'reports', 'resource_events'],
])

/**
 * Returns the table of a column if the column uses only one table, otherwise all tables of the
 * entity. That table contains all values of the column, in fewer rows than the joined tables.
 */
export function getColumnSource({ dialect }: Database, { from }: Entity, column: Sql): Sql {
  const named = [...dialect.compile(column).sql.matchAll(/"(\w+)"\."\w+"/g)].map(([, table]) => table!)
  const [table, ...others] = new Set(named)
  return table !== undefined && others.length === 0 && tables.has(table) ? sql.table(table) : from
}

/** Joins conditions as a balanced tree, because SQLite accepts at most a thousand levels. */
export function buildConditionTree(conditions: readonly Sql[], operator: 'and' | 'or'): Sql {
  const [middle, between] = [conditions.length >> 1, sql.raw(` ${operator} `)]
  if (conditions.length <= widest) return sql`(${sql.join(conditions, between)})`
  const halves = [
    buildConditionTree(conditions.slice(0, middle), operator),
    buildConditionTree(conditions.slice(middle), operator),
  ]
  return sql`(${sql.join(halves, between)})`
}

const widest = 100
