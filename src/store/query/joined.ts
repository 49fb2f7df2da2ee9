import { sql } from 'kysely'
import type { Sql } from './entity.ts'

/** Conditions joined as a tree that is not deep: SQLite takes a thousand levels. */
export function joinedBy(conditions: readonly Sql[], operator: 'and' | 'or'): Sql {
  const [middle, between] = [conditions.length >> 1, sql.raw(` ${operator} `)]
  if (conditions.length <= widest) return sql`(${sql.join(conditions, between)})`
  const halves = [joinedBy(conditions.slice(0, middle), operator), joinedBy(conditions.slice(middle), operator)]
  return sql`(${sql.join(halves, between)})`
}

const widest = 100
