import { sql } from 'kysely'
import { budgets } from '../../base/budgets/budgets.ts'
import { clojureText } from '../clojure-text.ts'
import type { Database } from '../database/database.ts'
import { type Ast, type AstNode, functions, isNumber, toNumber } from './ast.ts'
import { type Entity, type Field, queryable, type Reading, type Sql } from './entity.ts'
import { formattedInteger } from './integer-format.ts'
import { refuse } from './issues.ts'
import { permits } from './permissions.ts'
import { formattedTime } from './time-format.ts'

const { queryFormat } = budgets.query

/** A function call in an `extract` or in a condition: `["function", "count", FIELD]`. */
export interface Call {
  readonly name: string
  readonly sql: Sql
  readonly reading: Reading
}

/** Translates a function call. Throws INVALID_QUERY. */
export function callOf(database: Database, entity: Entity, [, name, ...given]: AstNode): Call {
  const field = given.length > 0 ? entity.fields[String(given[0])] : undefined
  const value = field?.sql ?? field?.loaded?.id
  switch (name) {
    case 'count':
      // The count of an unknown field is that of NULL.
      return { name, sql: given.length === 0 ? sql`count(*)` : sql`count(${value ?? sql`null`})`, reading: 'plain' }
    case 'avg':
    case 'sum':
    case 'min':
    case 'max':
      return aggregate(database, name, field)
    case 'jsonb_typeof':
      if (field && !permits(field, 'typeName'))
        refuse(`Function jsonb_typeof needs JSON, not field ${String(given[0])}`)
      return { name, sql: value ? database.dialect.typeOf(value) : sql`null`, reading: 'plain' }
    case 'to_string':
      return { name, sql: formatted(database, field, given), reading: 'plain' }
    default:
      return refuse(`${clojureText(name ?? null)} is not a valid function`)
  }
}

function aggregate({ dialect }: Database, name: 'avg' | 'sum' | 'min' | 'max', field: Field | undefined): Call {
  const isExtreme = name === 'min' || name === 'max'
  // An unknown field is NULL, for which only `min` and `max` are defined.
  if (!field?.sql && isExtreme) return { name, sql: sql`${sql.raw(name)}(cast(null as text))`, reading: 'plain' }
  if (!field?.sql || !permits(field, isExtreme ? 'extremes' : 'sum'))
    return refuse(`Function ${name} is not allowed on ${field?.type ?? 'other'} fields`)
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
export function comparedFunction(database: Database, entity: Entity, node: AstNode): Sql {
  const [operator, call, value] = node as readonly [string, AstNode, Ast]
  const [, name, ...given] = call
  const allowed = functions[String(name)]
  if (!allowed) return refuse(`${clojureText(name ?? null)} is not a valid function`)
  if (!allowed.includes(given.length))
    refuse(`wrong number of arguments (${given.length}) provided for function ${String(name)}`)
  if (!['=', '>', '<', '>=', '<='].includes(operator)) refuse(`Invalid ${operator} clause`)
  const [field] = given
  if (field !== undefined && !queryable(entity).includes(String(field)))
    refuse(`field ${clojureText(field)} is not a valid queryable field`)
  if (['sum', 'avg', 'min', 'max'].includes(String(name)) && entity.fields[String(field)]?.type !== 'numeric')
    refuse(`field ${clojureText(field!)} must be a numeric type`)
  if (['sum', 'avg', 'min', 'max', 'count'].includes(String(name)))
    refuse('ERROR: aggregate functions are not allowed in WHERE')
  const compared = isNumber(value) ? toNumber(value) : value
  return sql`${callOf(database, entity, call).sql} ${sql.raw(operator)} ${compared}`
}

function formatted({ dialect }: Database, field: Field | undefined, [name, given]: AstNode): Sql {
  const format = String(given)
  const isTime = field?.type === 'timestamp' || field?.reading === 'time'
  if (!field?.sql || !permits(field, 'format'))
    return refuse(`field ${clojureText(name ?? null)} is not a valid queryable field`)
  if (format.length > queryFormat.bound) refuse(`A format has more than ${queryFormat.bound} characters`)
  if (dialect.name === 'postgresql')
    return isTime ? sql`to_char(to_timestamp(${field.sql} / 1000.0), ${format})` : sql`to_char(${field.sql}, ${format})`
  return isTime ? formattedTime(field.sql, format) : formattedInteger(field.sql, format)
}
