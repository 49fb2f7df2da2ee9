import { sql } from 'kysely'
import { budgets } from '../../base/budgets/budgets.ts'
import { formatClojure } from '../clojure-text.ts'
import { type Ast, isQueryNode, isQueryNumber, toSqlNumber } from './ast.ts'
import { selectDistinctEvents } from './distinct-events.ts'
import type { Sql } from './entity.ts'
import { throwInvalidQuery } from './issues.ts'
import type { QueryParameters } from './parameters.ts'
import type { QueryContext } from './predicate.ts'
import { buildLimitSql, buildStatement, type Paging, translateSelect } from './select.ts'
import { validateFields } from './validation.ts'

const { filterDepth } = budgets.query

const countNames = ['failures', 'skips', 'successes', 'noops'] as const
const statuses = { failures: 'failure', skips: 'skipped', successes: 'success', noops: 'noop' } as const

const groupings: Readonly<Record<string, readonly string[]>> = {
  certname: ['certname'],
  containing_class: ['containing_class'],
  resource: ['resource_type', 'resource_title'],
}

type CountParameters = Pick<QueryParameters, 'summarizeBy' | 'countBy' | 'countsFilter' | 'distinct'> & Paging

/** The statement for the requested counts, and the same statement without limit and order. */
export interface Counts {
  readonly statement: Sql
  readonly counted: Sql
}

/** Counts events by node, class or resource. */
export async function buildEventCounts(
  planning: QueryContext,
  query: Ast | undefined,
  given: CountParameters,
): Promise<Counts> {
  const grouping = getGrouping(given.summarizeBy)
  const columns = [...countNames, ...grouping]
  for (const [field] of given.orderBy ?? [])
    if (!columns.includes(field))
      throwInvalidQuery(
        `Unrecognized column '${field}' specified in :order_by; Supported columns are '${columns.join("', '")}'`,
      )
  const order = (given.orderBy ?? []).map(
    ([field, way]) => sql`${sql.id(field)} ${sql.raw(way === 'ascending' ? 'asc nulls last' : 'desc nulls first')}`,
  )
  const counted = await buildCountsQuery(planning, query, given, grouping)
  const parts = [counted, order.length > 0 && sql`order by ${sql.join(order)}`, buildLimitSql(given)]
  const statement = sql.join(
    parts.filter((part) => part !== false && part !== undefined),
    sql` `,
  )
  return { statement, counted }
}

/** For each kind of subject in `summarize_by`, counts the subjects that have events of each status. */
export async function buildAggregateCounts(
  planning: QueryContext,
  query: Ast | undefined,
  given: CountParameters,
): Promise<Counts> {
  const each: Sql[] = []
  for (const summarizeBy of (given.summarizeBy ?? '').split(',')) {
    const inside = await buildCountsQuery(planning, query, { ...given, summarizeBy }, getGrouping(summarizeBy))
    const sums = countNames.map((name) => sql`sum(case when ${sql.id(name)} > 0 then 1 else 0 end) as ${sql.id(name)}`)
    each.push(
      sql`select ${sql.lit(summarizeBy)} as summarize_by, ${sql.join(sums)}, count(*) as total from (${inside}) as counts`,
    )
  }
  const statement = sql.join(each, sql` union all `)
  return { statement, counted: statement }
}

function getGrouping(summarizeBy = ''): readonly string[] {
  return Object.hasOwn(groupings, summarizeBy)
    ? groupings[summarizeBy]!
    : throwInvalidQuery(`Unsupported value for 'summarize_by': '${summarizeBy}'`)
}

async function buildCountsQuery(
  planning: QueryContext,
  query: Ast | undefined,
  { countBy = 'resource', countsFilter, distinct }: CountParameters,
  grouping: readonly string[],
): Promise<Sql> {
  const known = planning.entities['events']!
  const entity = distinct ? selectDistinctEvents(known, distinct) : known
  if (query !== undefined) validateFields(planning.entities, entity, query)
  const { where } = await translateSelect(planning, entity, query)
  if (countBy !== 'resource' && countBy !== 'certname')
    throwInvalidQuery(`Unsupported value for 'count_by': '${countBy}'`)
  const fields = [...new Set(['certname', 'status', ...grouping])]
  const columns = fields.map((name) => ({ name, sql: entity.fields[name]!.sql!, reading: 'plain' as const }))
  const each = buildStatement(planning.database, { entity, columns, where, groupBy: [] }, {})
  const named = sql.join(fields.map((name, at) => sql`${sql.id(`c${at}`)} as ${sql.id(name)}`))
  const distinctRows = countBy === 'certname' ? sql`distinct ` : sql``
  const sums = countNames.map(
    (name) => sql`sum(case when status = ${sql.lit(statuses[name])} then 1 else 0 end) as ${sql.id(name)}`,
  )
  const groups = sql.join(grouping.map((name) => sql.id(name)))
  const summed = sql`select ${groups}, ${sql.join(sums)}
    from (select ${distinctRows}${named} from (${each}) as found) as events group by ${groups}`
  if (countsFilter === undefined || countsFilter === null) return summed
  return sql`select * from (${summed}) as filtered where ${buildCountsCondition(countsFilter, 0)}`
}

/** Translates the parameter `counts_filter` to a condition. */
function buildCountsCondition(filter: Ast, depth: number): Sql {
  if (!isQueryNode(filter))
    return throwInvalidQuery(`${formatClojure(filter)} is not well-formed: queries must contain at least one operator`)
  const [operator, ...operands] = filter
  if (depth > filterDepth.bound) throwInvalidQuery(`The filter is nested more than ${filterDepth.bound} levels deep`)
  const buildInnerCondition = (one: Ast) => buildCountsCondition(one, depth + 1)
  if (operator === 'and' || operator === 'or') {
    if (operands.length === 0) throwInvalidQuery(`${operator} requires at least one term`)
    return sql`(${sql.join(operands.map(buildInnerCondition), sql.raw(` ${operator} `))})`
  }
  if (operator === 'not') return sql`not (${sql.join(operands.map(buildInnerCondition), sql` or `)})`
  const [name, value] = operands
  if (!['=', '>', '<', '>=', '<='].includes(String(operator)))
    throwInvalidQuery(`${formatClojure(filter)} is not well-formed: query operator '${String(operator)}' is unknown`)
  if (operands.length !== 2)
    throwInvalidQuery(`${String(operator)} requires exactly two arguments, but ${operands.length} were supplied`)
  if (!countNames.includes(name as 'noops'))
    throwInvalidQuery(`${String(name)} is not a queryable object for event counts`)
  const number = isQueryNumber(value) ? toSqlNumber(value) : Number.parseInt(String(value), 10)
  if (Number.isNaN(number)) throwInvalidQuery(`Value ${formatClojure(value)} must be a number`)
  return sql`${sql.id(String(name))} ${sql.raw(String(operator))} ${number}`
}

/** Formats a row of counts as PuppetDB does. */
export function formatSubject(row: Readonly<Record<string, unknown>>, name: string, summarizeBy = ''): string {
  const numbers = Object.fromEntries(countNames.map((each) => [each, Number(row[each] ?? 0)]))
  if (name === 'aggregate_event_counts')
    return JSON.stringify({ summarize_by: row['summarize_by'], ...numbers, total: Number(row['total']) })
  const subject =
    summarizeBy === 'resource'
      ? { type: row['resource_type'], title: row['resource_title'] }
      : { title: row[summarizeBy] ?? null }
  return JSON.stringify({ ...numbers, subject_type: summarizeBy, subject })
}
