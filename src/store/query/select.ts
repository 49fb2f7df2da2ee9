import { sql } from 'kysely'
import { budgets } from '../../base/budgets/budgets.ts'
import { formatClojure, formatJava } from '../clojure-text.ts'
import type { Database } from '../database/database.ts'
import type { ColumnType } from '../database/dialect.ts'
import { formatIdentity } from '../ingest/identity.ts'
import { type Ast, isQueryNode, isQueryNumber, type QueryNode, toFieldList } from './ast.ts'
import { extractJson } from './comparisons.ts'
import { checkDepth, isEvaluatedFirst } from './condition-nesting.ts'
import type { ColumnFormat, Entity, EntityField, Sql } from './entity.ts'
import { listProjectableFields } from './entity.ts'
import { parseField } from './field-path.ts'
import { type FunctionCall, translateCall } from './functions.ts'
import { throwInvalidQuery } from './issues.ts'
import { selectTables } from './joins.ts'
import { type QueryContext, translatePredicate } from './predicate.ts'
import { parseSelectedEntity } from './validation.ts'

const { queryColumns, queryInnerRows: innerRows } = budgets.query

/** Order of a query's rows, and the range to return. */
export interface Paging {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly orderBy?: readonly (readonly [field: string, order: 'ascending' | 'descending'])[] | undefined
}

/** A column of a response. */
export interface SelectColumn {
  readonly name: string
  readonly sql: Sql
  readonly reading: ColumnFormat
  readonly loaded?: EntityField['loaded']
  /** SQL of the types of a path's parts, for a column that contains a path. */
  readonly signature?: Sql
}

/** A query prepared for a database. */
export interface Select {
  readonly entity: Entity
  readonly columns: readonly SelectColumn[]
  readonly where: Sql | undefined
  readonly groupBy: readonly Sql[]
}

/**
 * Translates a query on an entity: `["extract", FIELDS, EXPRESSION, ["group_by", …]]`, or an
 * expression alone.
 */
export async function translateSelect(planning: QueryContext, entity: Entity, query: Ast | undefined): Promise<Select> {
  if (!isQueryNode(query) || query[0] !== 'extract') {
    const where = await combineConditions(planning, entity, query)
    return {
      entity,
      columns: listProjectableFields(entity).map((name) => createColumn(planning, entity, name)),
      where,
      groupBy: [],
    }
  }
  const { fields, expression, groups } = parseExtract(query)
  const [inner, filter] = resolveInnerEntity(planning, entity, expression)
  if (fields.length === 0) return translateSelect(planning, inner, filter)
  if (fields.length > queryColumns.bound)
    throwInvalidQuery(`A query cannot extract more than ${queryColumns.bound} columns`)
  const needed = restrictToNumbers(planning, inner, fields, filter)
  const isGrouped = groups.length > 0
  const columns = fields.map((field) =>
    isQueryNode(field)
      ? createFunctionColumn(planning, inner, field)
      : createColumn(planning, inner, String(field), isGrouped),
  )
  const calls = columns.filter((_, at) => isQueryNode(fields[at]))
  const plain = columns.filter((_, at) => !isQueryNode(fields[at]))
  return {
    entity: inner,
    // PuppetDB returns functions after fields.
    columns: [...plain, ...calls],
    where: await combineConditions(planning, inner, needed),
    groupBy: groups.flatMap((group) => {
      const same = columns.filter((_, at) => formatQuery(fields[at]!) === formatQuery(group))
      // Refer to columns by index, because PostgreSQL never treats two expressions with parameters
      // as equal.
      if (same.length > 0) return same.map((column) => sql.lit([...plain, ...calls].indexOf(column) + 1))
      return [translateGroup(planning, inner, group)]
    }),
  }
}

/** Makes the names of columns unique, as PuppetDB's driver does: `certname`, `certname_2`, `certname_3`. */
export function makeNamesUnique(select: Select): Select {
  const seen = new Map<string, number>()
  const columns = select.columns.map((column) => {
    const count = (seen.get(column.name) ?? 0) + 1
    seen.set(column.name, count)
    return count === 1 ? column : { ...column, name: `${column.name}_${count}` }
  })
  return { ...select, columns }
}

function parseExtract(query: QueryNode): { fields: QueryNode; expression: Ast | undefined; groups: QueryNode } {
  const [, given, ...rest] = query
  const isGroup = (ast: Ast | undefined): ast is QueryNode => isQueryNode(ast) && ast[0] === 'group_by'
  const expression = rest.find((each) => !isGroup(each))
  const fields = isQueryNode(given) && given[0] === 'function' ? [given] : toFieldList(given)
  return { fields, expression, groups: rest.find(isGroup)?.slice(1) ?? [] }
}

/**
 * Returns the entity and the condition of a query. `["select_ENTITY", EXPRESSION]` as the
 * expression of an `extract` selects from another entity.
 */
function resolveInnerEntity(
  { entities }: QueryContext,
  entity: Entity,
  expression: Ast | undefined,
): [Entity, Ast | undefined] {
  if (!isQueryNode(expression)) return [entity, expression]
  const name = parseSelectedEntity(expression[0])
  return name === undefined ? [entity, expression] : [entities[name]!, expression[1]]
}

/** Restricts the facts entity to numbers if the query has a numeric function. */
function restrictToNumbers(
  { entities }: QueryContext,
  entity: Entity,
  fields: QueryNode,
  filter: Ast | undefined,
): Ast | undefined {
  const numeric = fields.some((field) => isQueryNode(field) && ['sum', 'avg', 'min', 'max'].includes(String(field[1])))
  if (!numeric || entity !== entities['facts']) return filter
  const restriction = ['=', ['function', 'jsonb_typeof', 'value'], 'number']
  return filter === undefined ? restriction : ['and', restriction, filter]
}

/** Combines the condition of a query with the conditions of its entity. */
async function combineConditions(
  planning: QueryContext,
  entity: Entity,
  query: Ast | undefined,
): Promise<Sql | undefined> {
  if (query !== undefined) checkDepth(query)
  const asked = query === undefined ? undefined : await translatePredicate(planning, entity, query)
  const agents =
    planning.agentReports && entity.hidesPlans && !(query !== undefined && hasReportType(query))
      ? sql`reports.report_type = 'agent'`
      : undefined
  const all = [entity.where, asked, agents].filter((each) => each !== undefined)
  return all.length === 0 ? undefined : sql.join(all, sql` and `)
}

/** True if a query mentions the report type outside of its subqueries. */
function hasReportType(query: Ast): boolean {
  if (!isQueryNode(query)) return false
  const [operator, ...operands] = query
  if (operator === 'and' || operator === 'or' || operator === 'not') return operands.some(hasReportType)
  return operator !== 'subquery' && operands[0] === 'type'
}

/** @param isGrouped True if the query groups rows by the column. */
function createColumn({ database }: QueryContext, entity: Entity, name: string, isGrouped = false): SelectColumn {
  const { top, path } = parseField(name)
  const field = entity.fields[top]!
  if (name.length > 63)
    throwInvalidQuery(`Projected field name '${name.length}' exceeds current maximum length of 63 characters`)
  if (path.length > 0) {
    const keys = path.map((part) =>
      part.kind === 'name' ? part.name : throwInvalidQuery(`Not a path of a result: ${name}`),
    )
    // PuppetDB's column names are in lower case.
    return {
      name: name.toLowerCase(),
      sql: database.dialect.jsonText(extractJson(field, database.dialect, [top, ...keys])),
      reading: 'json',
    }
  }
  const isColumn = field.sql !== undefined && (isGrouped || !database.past)
  if (field.loaded && !isColumn) return { name, sql: field.loaded.id, reading: 'json', loaded: field.loaded }
  const column = field.sql ?? throwInvalidQuery(`Field '${name}' cannot be selected`)
  const json = field.reading === 'json' || field.reading === 'typed-path'
  const isText = field.type === 'string'
  return {
    name,
    sql:
      json && !isText && !field.facts && entity.alias !== 'catalog_inputs' ? database.dialect.jsonText(column) : column,
    reading: field.reading ?? 'plain',
    ...(field.reading === 'typed-path' && field.signature && { signature: field.signature }),
  }
}

function createFunctionColumn({ database }: QueryContext, entity: Entity, field: QueryNode): SelectColumn {
  const { name, sql: called, reading }: FunctionCall = translateCall(database, entity, field)
  return { name, sql: called, reading }
}

function translateGroup(planning: QueryContext, entity: Entity, group: Ast): Sql {
  if (isQueryNode(group)) return translateCall(planning.database, entity, group).sql
  const name = String(group)
  const { top, path } = parseField(name)
  if (!entity.fields[top])
    return throwInvalidQuery(`${formatClojure(name)} is niether a valid column name nor function name`)
  return path.length > 0 || entity.fields[top]!.sql
    ? createColumn(planning, entity, name).sql
    : throwInvalidQuery(`${formatClojure(name)} is niether a valid column name nor function name`)
}

/** Translates a query in parentheses, for `in`: `extract` of `select_ENTITY`, or `from`. */
export async function translateNestedSelect(
  planning: QueryContext,
  outer: Entity,
  query: QueryNode,
  outerFields: QueryNode = [],
): Promise<Sql> {
  if (query[0] !== 'from' && query[0] !== 'extract' && parseSelectedEntity(query[0]) === undefined)
    return throwInvalidQuery(`${formatClojure(query)} is not a query that 'in' accepts`)
  if (query[0] !== 'from') {
    const select = await translateSelect(planning, outer, query)
    return embedSelect(planning, query, toComparable(planning, select, outer, outerFields), {})
  }
  const [, name, ...rest] = query
  const entity = planning.entities[String(name).replaceAll('-', '_')]
  if (!entity) return throwInvalidQuery(`Invalid entity '${name}' in query`)
  const clauses = rest.filter((each): each is QueryNode => isQueryNode(each) && isPagingClause(each))
  const expression = rest.find((each) => !(isQueryNode(each) && isPagingClause(each)))
  const select = await translateSelect(planning, entity, expression)
  return embedSelect(planning, query, toComparable(planning, select, outer, outerFields), parsePaging(clauses))
}

/**
 * Returns a nested select in parentheses. If it is nested too deeply for the outer statement, runs
 * it and returns its rows as a list.
 */
async function embedSelect({ database }: QueryContext, query: QueryNode, select: Select, paging: Paging): Promise<Sql> {
  const statement = buildStatement(database, select, paging)
  const types = select.columns.map(({ reading }) => listedTypes[reading])
  if (!isEvaluatedFirst(query) || types.some((type) => type === undefined)) return sql`(${statement})`
  const rows: (readonly unknown[])[] = []
  for await (const some of database.lists(sql`select distinct * from (${statement}) as inside`, 1000)) {
    rows.push(...some)
    if (rows.length > innerRows.bound)
      throwInvalidQuery(`A query inside 'in' returns more than ${innerRows.bound} rows`)
  }
  const isText = (at: number) => rows.some((row) => typeof row[at] === 'string')
  const columns = types.map((_, at): [string, ColumnType] => [`c${at}`, isText(at) ? 'text' : 'integer'])
  return sql`(select * from ${database.dialect.rows(Object.fromEntries(columns), rows)})`
}

/** Formats of columns whose values can be passed as a list of parameters: texts and integers. */
const listedTypes: Partial<Record<ColumnFormat, true>> = { plain: true, time: true, boolean: true }

/**
 * Converts the columns of a nested query, so that a JSON field can be compared with a text field of
 * the outer query.
 */
function toComparable({ database }: QueryContext, select: Select, outer: Entity, outerFields: QueryNode): Select {
  // Like PuppetDB, ignore columns that are not compared.
  const inner = outerFields.length === 0 ? select.columns : select.columns.slice(0, outerFields.length)
  if (inner.length < outerFields.length)
    throwInvalidQuery(`${outerFields.length} fields cannot be compared with rows of ${inner.length} fields`)
  const columns = inner.map(({ signature: _, ...column }, at) => {
    const outside = outer.fields[String(outerFields[at])]
    const inside = select.entity.fields[column.name]
    if (inside?.type === 'jsonb-scalar' && outside && outside.type !== 'jsonb-scalar')
      return { ...column, sql: database.dialect.scalarText(inside.sql!) }
    if (inside?.sql && outside?.type === 'jsonb-scalar' && inside.type !== 'jsonb-scalar')
      return { ...column, sql: database.dialect.textAsJson(inside.sql) }
    return inside?.sql ? { ...column, sql: inside.sql } : column
  })
  return { ...select, columns }
}

/** True for `limit`, `offset` and `order_by`. */
export function isPagingClause(node: QueryNode): boolean {
  return node[0] === 'limit' || node[0] === 'offset' || node[0] === 'order_by'
}

/** Parses the paging clauses in a query. Throws INVALID_QUERY. */
export function parsePaging(clauses: readonly QueryNode[]): Paging {
  const findSingleClause = (name: string) => {
    const found = clauses.filter(([operator]) => operator === name)
    if (found.length > 1) throwInvalidQuery(`Multiple '${name}' clauses are not permitted`)
    const [clause] = found
    if (clause && (clause[1] === undefined || clause[1] === null || clause[1] === false))
      throwInvalidQuery(`Received '${name}' clause without an argument`)
    return clause?.[1]
  }
  const [limit, offset, order] = [findSingleClause('limit'), findSingleClause('offset'), findSingleClause('order_by')]
  return {
    limit: parseCount('limit', limit),
    offset: parseCount('offset', offset),
    orderBy: order === undefined ? undefined : (isQueryNode(order) ? order : [order]).map(parseOrderTerm),
  }
}

/** Parses a number of rows. */
function parseCount(name: string, given: Ast | undefined): number | undefined {
  if (given === undefined) return undefined
  const isCount = isQueryNumber(given) || (typeof given === 'string' && /^\d{1,15}$/.test(given))
  const count = isCount ? Number(given) : Number.NaN
  return Number.isSafeInteger(count) && count >= 0
    ? count
    : throwInvalidQuery(`Illegal value '${formatJava(given)}' for :${name}; expected a non-negative integer.`)
}

function parseOrderTerm(given: Ast): readonly [string, 'ascending' | 'descending'] {
  const [field, way] = isQueryNode(given) ? given : [given, 'asc']
  if (typeof field !== 'string' || !(way === undefined || way === 'asc' || way === 'desc'))
    throwInvalidQuery(
      `Illegal value '${formatJava(given)}' for :order_by; expected a field, or a field with 'asc' or 'desc'.`,
    )
  if (!isQueryNode(given)) return [String(given), 'ascending']
  return [String(given[0]), given[1] === 'desc' ? 'descending' : 'ascending']
}

/** The SQL statement of a select. */
export function buildStatement(database: Database, select: Select, { limit, offset, orderBy = [] }: Paging): Sql {
  const { entity, columns, where, groupBy } = select
  const names = columns.map((column, at) => sql`${column.sql} as ${sql.id(`c${at}`)}`)
  const signatures = columns.flatMap(({ signature }, at) =>
    signature ? [sql`${signature} as ${sql.id(`t${at}`)}`] : [],
  )
  // A second order by the same field has no effect.
  const terms = orderBy.filter(([field], at) => orderBy.findIndex(([first]) => first === field) === at)
  const order = terms.map(([field, way]) => buildOrderSql(database, select, field, way))
  const columnsSql = sql`${sql.join([...names, ...signatures])}`
  const named = [columnsSql, ...(where ? [where] : []), ...groupBy, ...order]
  const from = entity.joins ? selectTables(entity, database.dialect.compile(sql.join(named)).sql) : entity.from
  const parts = [
    sql`select ${entity.distinct ? sql`distinct ` : sql``}${columnsSql} from ${from}`,
    where && sql`where ${where}`,
    groupBy.length > 0 && sql`group by ${sql.join(groupBy)}`,
    order.length > 0 && sql`order by ${sql.join(order)}`,
    buildLimitSql({ limit, offset }),
  ]
  return sql.join(
    parts.filter((part) => part !== undefined && part !== false),
    sql` `,
  )
}

/** The SQL for limit and offset. SQLite requires a limit for an offset. */
export function buildLimitSql({ limit, offset }: Pick<Paging, 'limit' | 'offset'>): Sql | undefined {
  if (offset === undefined) return limit === undefined ? undefined : sql`limit ${limit}`
  return sql`limit ${limit ?? sql.raw('9223372036854775807')} offset ${offset}`
}

/** Sorts like PostgreSQL, where NULL is the greatest value. */
function buildOrderSql({ dialect }: Database, select: Select, field: string, way: 'ascending' | 'descending'): Sql {
  const at = select.columns.findIndex(({ name }) => name === field)
  // A grouped query can be ordered only by its columns.
  const known = select.groupBy.length > 0 && at !== -1 ? undefined : select.entity.fields[field]
  if (at === -1 && !known?.sql) throwInvalidQuery(`Rows cannot be ordered by '${field}'`)
  const column = known?.sql ?? sql.id(`c${at}`)
  const isPath = known?.type === 'path-array' || known?.type === 'encoded-path'
  const keys = isPath
    ? [sql`cast(${column} as text)`]
    : known?.type === 'jsonb-scalar'
      ? dialect.jsonOrder(column)
      : [column]
  return sql.join(keys.map((key) => (way === 'ascending' ? sql`${key} asc nulls last` : sql`${key} desc nulls first`)))
}

/** Formats a query as text; equal queries have equal text. */
export function formatQuery(query: Ast): string {
  return formatIdentity(query)
}
