import { sql } from 'kysely'
import { budgets } from '../../../base/budgets/budgets.ts'
import { type ExactObject, getEntries } from '../../../base/json/exact-json.ts'
import { parseJson } from '../../../base/json/json-text.ts'
import { type Database, getFirstRow } from '../../database/database.ts'
import type { Sql } from '../../database/dialect.ts'
import { listLeaves } from '../../ingest/facts.ts'
import { formatStoredJson } from '../../ingest/identity.ts'
import { throwInvalidQuery } from '../issues.ts'
import type { PastNode } from './past-nodes.ts'

const most = budgets.query.asOfFactChanges.bound

/** The fact tables with the rows of a past state. */
export interface PastFacts {
  readonly factsets: Sql
  readonly facts: Sql
  readonly fact_values: Sql
  readonly fact_leaves: Sql
}

/** Returns the real table with a name, which a common table expression of the same name hides. */
export type RealTable = (name: string) => Sql

/**
 * The factset rows of a past state: present rows that already existed, and rows that were replaced
 * later.
 */
export function selectPastFactsets({ dialect }: Database, nodes: readonly PastNode[], real: RealTable): Sql {
  const past = dialect.rows(
    { node_id: 'integer', facts_change: 'integer' },
    nodes.filter(({ has_facts }) => has_facts).map(({ id, facts_change }) => [id, facts_change]),
  )
  const columns = sql.raw('environment_id, producer_id')
  return sql`select node_id, hash, ${columns}, producer_timestamp, timestamp, since from ${real('factsets')}
      where node_id in (select node_id from (select * from ${past}) as past where facts_change is null)
    union all select node_id, hash, ${columns}, given, timestamp, since from fact_changes
      where (node_id, producer_timestamp) in
        (select node_id, facts_change from (select * from ${past}) as past where facts_change is not null)`
}

/** A past value of a fact that the node does not have now. */
interface Restored {
  readonly node: number
  readonly name: string
  /** JSON text; `undefined` if the fact did not exist. */
  readonly value: string | undefined
}

/** The fact tables of a past state. Values that were replaced later have negative ids. */
export async function buildPastFacts(
  database: Database,
  nodes: readonly PastNode[],
  real: RealTable,
): Promise<PastFacts> {
  const { dialect } = database
  const restored = await readRestoredValues(database, nodes)
  const values = new Map<string, { readonly id: number; readonly name: string; readonly text: string }>()
  const rows: [number, number][] = []
  for (const { node, name, value } of restored) {
    if (value === undefined) continue
    const key = `${name}\n${value}`
    const kept = values.get(key) ?? { id: -1 - values.size, name, text: value }
    values.set(key, kept)
    rows.push([node, kept.id])
  }
  const changed = dialect.rows(
    { node_id: 'integer', name: 'text' },
    restored.map(({ node, name }) => [node, name]),
  )
  const known = nodes.filter(({ has_facts }) => has_facts).map(({ id }) => id)
  // Node and name are combined into one text, because for a pair SQLite would search all pairs for
  // NULL.
  return {
    factsets: selectPastFactsets(database, nodes, real),
    facts: sql`select facts.node_id as node_id, facts.value_id as value_id from ${real('facts')} as facts
        join ${real('fact_values')} as kept on kept.id = facts.value_id
        where facts.node_id in (select value from ${dialect.integers(known)})
          and facts.node_id || ' ' || kept.name not in
            (select node_id || ' ' || name from (select * from ${changed}) as changed)
      union all select node_id, value_id from
        (select * from ${dialect.rows({ node_id: 'integer', value_id: 'integer' }, rows)}) as restored`,
    ...buildValueTables(database, [...values.values()], real),
  }
}

function buildValueTables(
  { dialect }: Database,
  values: readonly { readonly id: number; readonly name: string; readonly text: string }[],
  real: RealTable,
): Pick<PastFacts, 'fact_values' | 'fact_leaves'> {
  const handed = dialect.rows(
    { id: 'integer', name: 'text', value: 'json' },
    values.map(({ id, name, text }) => [id, name, text]),
  )
  const leaves = values.flatMap(({ id, name, text }) =>
    listLeaves([name], 's', parseJson(text)).map((leaf) => [id, ...leaf]),
  )
  const columns = { value_id: 'integer', path: 'json', types: 'text', type: 'text', value: 'json' } as const
  const used = sql`in (select value_id from facts)`
  return {
    fact_values: sql`select id, digest, name, value from ${real('fact_values')} where id ${used}
      union all select id, '', name, value from (select * from ${handed}) as restored`,
    fact_leaves: sql`select value_id, path, types, type, value from ${real('fact_leaves')} where value_id ${used}
      union all select value_id, path, types, type, value from (select * from ${dialect.rows(columns, leaves)}) as restored`,
  }
}

/**
 * Past values of the facts that were changed or removed after the requested time. The first change
 * of a fact after that time recorded the old value.
 */
async function readRestoredValues(database: Database, nodes: readonly PastNode[]): Promise<readonly Restored[]> {
  const { dialect } = database
  const since = nodes.flatMap(({ id, has_facts, facts_change }) =>
    has_facts && facts_change !== null ? [[id, facts_change]] : [],
  )
  if (since.length === 0) return []
  const changes = sql`(select * from ${dialect.rows({ node_id: 'integer', since: 'integer' }, since)}) as asked
    join fact_changes on fact_changes.node_id = asked.node_id and fact_changes.producer_timestamp >= asked.since`
  const number = await getFirstRow<{ count: number }>(database, sql`select count(*) as count from ${changes}`)
  if (number!.count > most)
    throwInvalidQuery(`'as_of' would revert more than ${most} fact changes; select fewer nodes, or a later time`)
  const found = new Map<number, Map<string, Restored>>()
  const query = sql`select fact_changes.node_id as node, ${dialect.jsonText(sql.ref('before'))} as before
    from ${changes} order by fact_changes.node_id, fact_changes.producer_timestamp`
  for await (const rows of database.stream<{ node: number; before: string }>(query, 500))
    for (const { node, before } of rows) {
      const known = found.get(node) ?? new Map<string, Restored>()
      found.set(node, known)
      for (const [name, values] of getEntries(parseJson(before) as ExactObject)) {
        const [value] = values as readonly unknown[]
        if (!known.has(name))
          known.set(name, { node, name, value: value === undefined ? undefined : formatStoredJson(value as never) })
      }
    }
  return [...found.values()].flatMap((each) => [...each.values()])
}
