import { sql } from 'kysely'
import { budgets } from '../../base/budgets/budgets.ts'
import { formatClojure } from '../clojure-text.ts'
import type { Database } from '../database/database.ts'
import { type Ast, isQueryNumber, type QueryNode, queryFunctions, toSqlNumber } from './ast.ts'
import { type ColumnFormat, type Entity, type EntityField, listQueryableFields, type Sql } from './entity.ts'
import { buildIntegerFormatSql } from './integer-format.ts'
import { throwInvalidQuery } from './issues.ts'
import { isUsePermitted } from './permissions.ts'
import { buildTimeFormatSql } from './time-format.ts'

const { queryFormat } = budgets.query

/** A function call in an `extract` or in a condition: `["function", "count", FIELD]`. */
export interface FunctionCall {
  readonly name: string
  readonly sql: Sql
  readonly reading: ColumnFormat
}

/** Translates a function call. Throws INVALID_QUERY. */
export function translateCall(database: Database, entity: Entity, [, name, ...given]: QueryNode): FunctionCall {
  const field = given.length > 0 ? entity.fields[String(given[0])] : undefined
  const value = field?.sql ?? field?.loaded?.id
  switch (name) {
    case 'count':
      // The count of an unknown field is the count of NULL, that is, 0.
      return { name, sql: given.length === 0 ? sql`count(*)` : sql`count(${value ?? sql`null`})`, reading: 'plain' }
    case 'avg':
    case 'sum':
    case 'min':
    case 'max':
      return translateAggregate(database, name, field)
    case 'jsonb_typeof':
      if (field && !isUsePermitted(field, 'typeName'))
        throwInvalidQuery(`Function jsonb_typeof requires a JSON field, not ${String(given[0])}`)
      return { name, sql: value ? database.dialect.typeOf(value) : sql`null`, reading: 'plain' }
    case 'to_string':
      return { name, sql: translateFormat(database, field, given), reading: 'plain' }
    default:
      return throwInvalidQuery(`${formatClojure(name ?? null)} is not a valid function`)
  }
}

function translateAggregate(
  { dialect }: Database,
  name: 'avg' | 'sum' | 'min' | 'max',
  field: EntityField | undefined,
): FunctionCall {
  const isExtreme = name === 'min' || name === 'max'
  // An unknown field is NULL, for which only `min` and `max` are defined.
  if (!field?.sql && isExtreme) return { name, sql: sql`${sql.raw(name)}(cast(null as text))`, reading: 'plain' }
  if (!field?.sql || !isUsePermitted(field, isExtreme ? 'extremes' : 'sum'))
    return throwInvalidQuery(`Function ${name} is not allowed on ${field?.type ?? 'other'} fields`)
  const isJson = field.type === 'jsonb-scalar'
  const column = isJson ? dialect.numberOf(field.sql) : field.sql
  const call = sql`${sql.raw(name)}(${column})`
  if (field.type === 'timestamp') return { name, sql: call, reading: 'time' }
  if (dialect.name === 'postgresql')
    return isJson || name === 'avg'
      ? { name, sql: sql`(${call})::text`, reading: 'number' }
      : { name, sql: call, reading: 'plain' }
  if (!isJson && name === 'avg')
    return { name, sql: sql`sum(${column}) || '/' || count(${column})`, reading: 'quotient' }
  if (!isJson) return { name, sql: call, reading: 'plain' }
  // SQLite calculates with floating-point numbers: collect the JSON numbers, and calculate exactly
  // outside of SQLite.
  return { name, sql: sql`json_group_array(json(${field.sql})) filter (where ${column} is not null)`, reading: name }
}

/** Translates a comparison of a function's result with a value. */
export function translateFunctionComparison(database: Database, entity: Entity, node: QueryNode): Sql {
  const [operator, call, value] = node as readonly [string, QueryNode, Ast]
  const [, name, ...given] = call
  const allowed = queryFunctions[String(name)]
  if (!allowed) return throwInvalidQuery(`${formatClojure(name ?? null)} is not a valid function`)
  if (!allowed.includes(given.length))
    throwInvalidQuery(`wrong number of arguments (${given.length}) provided for function ${String(name)}`)
  if (!['=', '>', '<', '>=', '<='].includes(operator)) throwInvalidQuery(`Invalid ${operator} clause`)
  const [field] = given
  if (field !== undefined && !listQueryableFields(entity).includes(String(field)))
    throwInvalidQuery(`field ${formatClojure(field)} is not a valid queryable field`)
  if (['sum', 'avg', 'min', 'max'].includes(String(name)) && entity.fields[String(field)]?.type !== 'numeric')
    throwInvalidQuery(`field ${formatClojure(field!)} must be a numeric type`)
  if (['sum', 'avg', 'min', 'max', 'count'].includes(String(name)))
    throwInvalidQuery('ERROR: aggregate functions are not allowed in WHERE')
  const compared = isQueryNumber(value) ? toSqlNumber(value) : value
  return sql`${translateCall(database, entity, call).sql} ${sql.raw(operator)} ${compared}`
}

function translateFormat({ dialect }: Database, field: EntityField | undefined, [name, given]: QueryNode): Sql {
  const format = String(given)
  const isTime = field?.type === 'timestamp' || field?.reading === 'time'
  if (!field?.sql || !isUsePermitted(field, 'format'))
    return throwInvalidQuery(`field ${formatClojure(name ?? null)} is not a valid queryable field`)
  if (format.length > queryFormat.bound) throwInvalidQuery(`The format exceeds ${queryFormat.bound} characters`)
  if (dialect.name === 'postgresql')
    return isTime ? sql`to_char(to_timestamp(${field.sql} / 1000.0), ${format})` : sql`to_char(${field.sql}, ${format})`
  return isTime ? buildTimeFormatSql(field.sql, format) : buildIntegerFormatSql(field.sql, format)
}
