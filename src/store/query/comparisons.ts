import { sql } from 'kysely'
import { type ExactJson, isExactObject } from '../../base/json/exact-json.ts'
import { formatClojure, formatJava } from '../clojure-text.ts'
import type { Database } from '../database/database.ts'
import { formatStoredJson } from '../ingest/identity.ts'
import { type Ast, isQueryNode, isQueryNumber, type QueryNode, toSqlNumber } from './ast.ts'
import type { Negation } from './condition-nesting.ts'
import type { Entity, EntityField, Sql } from './entity.ts'
import { parseField } from './field-path.ts'
import { throwInvalidQuery } from './issues.ts'
import { buildConditionTree, getColumnSource } from './joins.ts'
import { matchJsonPathList, translateJsonPath } from './json-paths.ts'
import { compileTester, selectMatchingTexts } from './pattern-matching.ts'
import { isUsePermitted } from './permissions.ts'
import { parseQueryTime, tryParseTime } from './times.ts'

/** Comparison operators. */
export type OrderOperator = '>' | '<' | '>=' | '<='

/** A condition on a field of an entity, in a database. */
export interface Condition {
  readonly database: Database
  readonly entity: Entity
  readonly name: string
  readonly value: Ast
  /** The negation to apply to a comparison with a path. */
  readonly negation?: Negation
}

/** Returns the field with which a name or a path begins. */
export function getField({ fields }: Entity, name: string): EntityField {
  const field = fields[parseField(name).top]
  return field?.sql ? field : throwInvalidQuery(`Field ${name} cannot be compared`)
}

/**
 * Applies a condition to a field. If several rows share a value of the field, the condition is
 * evaluated once for each distinct value.
 */
export function applyToSharedValues(field: EntityField, condition: (column: Sql) => Sql): Sql {
  if (!field.shared) return condition(field.sql!)
  const { column, table, sql: shared, nullable } = field.shared
  const inside = sql`${column} in (select id from ${sql.table(table)} where ${condition(shared)})`
  // A comparison with NULL must remain NULL; `in` with an empty set would return false.
  return nullable ? sql`(case when ${column} is not null then ${inside} end)` : inside
}

/** Translates the operator `=` to SQL. */
export async function translateEquals(condition: Condition): Promise<Sql> {
  const { database, entity, name, value } = condition
  const { dialect } = database
  const field = getField(entity, name)
  switch (field.type) {
    case 'timestamp':
      return sql`${field.sql} = ${parseQueryTime(value)}`
    case 'array':
      return matchAnyText(database, field, (text) => sql`${text} = ${String(value)}`)
    case 'encoded-path':
      return dialect.jsonEquals(field.sql!, formatStoredJson(toPathTexts(value)))
    case 'path-array':
      return comparePath(condition, field, value)
    case 'queryable-json':
      return translateJsonPath(condition, '=')
    case 'jsonb-scalar':
      return isQueryNumber(value)
        ? sql`(${dialect.typeOf(field.sql!)} = 'number' and ${dialect.numberOf(field.sql!)} = ${toSqlNumber(value)})`
        : dialect.jsonEquals(field.sql!, formatStoredJson(value))
    default:
      return comparePlainValue(condition, field)
  }
}

function comparePlainValue({ name, value }: Condition, field: EntityField): Sql {
  if (field.reading === 'boolean') return sql`${field.sql} = ${parseBoolean(name, value)}`
  if (field.reading === 'time') return sql`${field.sql} = ${parseQueryTime(value)}`
  if (field.type === 'numeric' && isQueryNumber(value)) return sql`${field.sql} = ${castNumeric(value)}`
  return applyToSharedValues(field, (column) => sql`${column} = ${toQueryText(value)}`)
}

/** Casts a number, possibly with a fraction, for a comparison with integers. */
function castNumeric(value: Ast): Sql {
  return sql`cast(${toSqlNumber(value)} as numeric)`
}

function parseBoolean(name: string, value: Ast): boolean {
  if (typeof value === 'boolean') return value
  const text = String(value).toLowerCase()
  if (['true', 't', 'yes', 'on', '1'].includes(text)) return true
  if (['false', 'f', 'no', 'off', '0'].includes(text)) return false
  return throwInvalidQuery(`Argument "${formatJava(value)}" must be a boolean for field ${name}`)
}

function toQueryText(value: Ast): string {
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : formatClojure(value)
}

/** Translates the operators `>`, `<`, `>=` and `<=` to SQL. */
export async function translateOrder(condition: Condition, operator: OrderOperator): Promise<Sql> {
  const { database, entity, name, value } = condition
  const field = getField(entity, name)
  const compare = (left: Sql, right: unknown) => sql`${left} ${sql.raw(operator)} ${right}`
  if (field.type === 'timestamp') return compare(field.sql!, parseQueryTime(value))
  if (isQueryNumber(value) && field.type === 'numeric') return compare(field.sql!, castNumeric(value))
  if (isQueryNumber(value) && field.type === 'jsonb-scalar')
    return sql`(${database.dialect.typeOf(field.sql!)} = 'number' and ${compare(database.dialect.numberOf(field.sql!), toSqlNumber(value))})`
  if (field.type === 'queryable-json') return translateJsonPath(condition, operator)
  return throwInvalidQuery(`Argument "${formatJava(value)}" and operator "${operator}" have incompatible types.`)
}

/** Translates the operator `~` to SQL. */
export async function translateMatch(condition: Condition): Promise<Sql> {
  const { database, entity, name, value } = condition
  const field = getField(entity, name)
  const pattern = String(value)
  if (field.type === 'queryable-json') return translateJsonPath(condition, '~')
  if (field.type === 'array') return matchText(condition, field, pattern)
  if (!isUsePermitted(field, 'pattern')) return throwInvalidQuery(`Query operator ~ is not allowed on field ${name}`)
  if (field.type === 'jsonb-scalar') {
    const column = database.dialect.scalarText(field.sql!)
    return selectMatchingTexts(database, { column, from: getColumnSource(database, entity, column), pattern })
  }
  if (field.type === 'encoded-path' || field.type === 'path-array') return matchWholePath(condition, field, pattern)
  if (!field.shared)
    return selectMatchingTexts(database, {
      column: field.sql!,
      from: getColumnSource(database, entity, field.sql!),
      pattern,
    })
  const { column, table, sql: shared } = field.shared
  const among = await selectMatchingTexts(database, { column: shared, from: sql.table(table), pattern })
  return sql`(${column} in (select id from ${sql.table(table)} where ${among}) and ${column} is not null)`
}

/** Matches whole paths in PuppetDB's storage format: parts separated by `#~`. */
async function matchWholePath({ database, entity }: Condition, field: EntityField, pattern: string): Promise<Sql> {
  const fits = compileTester(pattern)
  const column = database.dialect.jsonText(field.sql!)
  const rows = await database.all<{ path: string }>(sql`select distinct ${column} as path from ${entity.from}`)
  const found = rows.map(({ path }) => path).filter((path) => fits((JSON.parse(path) as string[]).join('#~')))
  return sql`${column} in (select value from ${database.dialect.texts(found)})`
}

async function matchText({ database, entity }: Condition, field: EntityField, pattern: string): Promise<Sql> {
  const { column, from } = field.shared
    ? { column: field.shared.sql, from: sql.table(field.shared.table) }
    : { column: field.sql!, from: entity.from }
  const all = field.texts
    ? sql`${field.texts.all} as element`
    : sql`${from} join ${database.dialect.textElements(column)} as element on true`
  const among = await selectMatchingTexts(database, { column: sql.ref('element.value'), from: all, pattern })
  return matchAnyText(database, field, () => among)
}

/** True if any string of an array satisfies the condition. */
function matchAnyText({ dialect }: Database, field: EntityField, test: (text: Sql) => Sql): Sql {
  const condition = test(sql.ref('element.value'))
  return applyToSharedValues(
    field,
    (column) =>
      sql`exists (select 1 from ${field.texts?.of ?? dialect.textElements(column)} as element where ${condition})`,
  )
}

/** Translates the operator `null?` to SQL. */
export function translateNull({ database, entity, name, value }: Condition): Sql {
  const { top, path } = parseField(name, { patterns: false })
  const field = entity.fields[top] ?? throwInvalidQuery(`Field ${name} cannot be compared`)
  // PuppetDB converts the operand for these fields to text, so that any operand counts as true.
  const isTrue = (value !== false && value !== null) || name === 'new_value' || name === 'old_value' || name === 'tag'
  const { dialect } = database
  if (field.type === 'queryable-json' || field.type === 'jsonb-scalar') {
    // PuppetDB ignores an index at the end of a name.
    const keys = path.map((part) => (part.kind === 'match' ? '' : part.name))
    // The facts of a node are an object, which is never null.
    if (keys.length === 0 && top === 'facts') return sql`${field.loaded!.id} ${sql.raw(isTrue ? 'is' : 'is not')} null`
    const json =
      keys.length === 0 && field.sql && !field.facts ? field.sql : extractJson(field, dialect, [top, ...keys])
    return sql`${dialect.typeOf(json)} ${sql.raw(isTrue ? '=' : '<>')} 'null'`
  }
  const column = name === 'tag' ? entity.fields['tags']!.sql : (field.shared?.column ?? field.sql ?? field.loaded?.id)
  if (!column) return throwInvalidQuery(`Invalid null? clause`)
  return isTrue ? sql`${column} is null` : sql`${column} is not null`
}

/** The JSON value at a path, for fields with paths. */
export function extractJson(
  field: EntityField,
  dialect: Database['dialect'],
  [top, ...keys]: readonly (string | number)[],
): Sql {
  if (!field.facts) return dialect.jsonAt(field.sql ?? throwInvalidQuery(`Field ${top} does not support paths`), keys)
  const [name, ...rest] = top === 'trusted' ? ['trusted', ...keys] : keys
  return sql`(select ${dialect.jsonAt(sql.ref('fact_values.value'), rest)} from facts
    join fact_values on fact_values.id = facts.value_id
    where facts.node_id = ${field.facts.nodeId} and fact_values.name = ${name})`
}

/** Translates the operator `in` with an array of values to SQL. */
export async function matchList(condition: Condition, values: QueryNode): Promise<Sql> {
  const { database, entity, name } = condition
  const field = getField(entity, name)
  const { dialect } = database
  if (!isUsePermitted(field, 'list'))
    return throwInvalidQuery(`Operator in...array is not supported on ${field.type} types`)
  switch (field.type) {
    case 'timestamp':
      for (const value of values)
        if (isQueryNode(value) || isExactObject(value))
          throwInvalidQuery(`'${formatJava(value)}' is not a valid timestamp value`)
      return sql`${field.sql} in (select value from ${dialect.integers(values.map(tryParseTime).filter((time) => time !== undefined))})`
    case 'path-array':
      return joinWithOr(await Promise.all(values.map(async (value) => comparePath(condition, field, value))))
    case 'queryable-json':
      return matchJsonPathList(condition, values)
    case 'encoded-path':
    case 'jsonb-scalar':
      return joinWithOr(await Promise.all(values.map((value) => translateEquals({ ...condition, value }))))
    case 'numeric':
      return sql`${field.sql} in (select value from ${dialect.integers(values.map(Number))})`
    default: {
      if (field.reading === 'boolean' || field.reading === 'time')
        return joinWithOr(values.map((value) => comparePlainValue({ ...condition, value }, field)))
      return applyToSharedValues(
        field,
        (column) => sql`${column} in (select value from ${dialect.texts(values.map(toQueryText))})`,
      )
    }
  }
}

/** Joins conditions with `or`; false if there are no conditions. */
export function joinWithOr(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`1 = 0` : buildConditionTree(conditions, 'or')
}

/** Translates the operator `~>` to SQL; the operator has one pattern for each part of a path. */
export async function translatePathMatch(condition: Condition): Promise<Sql> {
  const { database, entity, name, value } = condition
  const field = getField(entity, name)
  const patterns = parsePathParts(value, 'Regex array element')
  // In an `encoded-path`, a pattern must match a whole part; in a `path-array`, it may match any
  // piece of the text.
  const anchorPattern = (part: string) => (field.type === 'encoded-path' ? `^(?:${part})$` : part)
  const tests = patterns.map((part) =>
    typeof part === 'number' ? (text: string) => text === String(part) : compileTester(anchorPattern(part)),
  )
  const found: string[] = []
  const distinct = sql`select distinct ${database.dialect.jsonText(field.sql!)} as path, ${field.signature} as types from ${entity.from}`
  for (const { path, types } of await database.all<{ path: string; types: string }>(distinct)) {
    const texts = JSON.parse(path) as string[]
    const fits =
      texts.length === tests.length &&
      texts.every((text, at) => tests[at]!(text) && isPathTypeMatch(patterns[at]!, types[at], field.type))
    if (fits) found.push(`${types}${formatStoredJson(texts)}`)
  }
  const key =
    database.dialect.name === 'sqlite'
      ? sql`${field.signature} || ${field.sql}`
      : sql`${field.signature} || replace((${field.sql})::text, '", "', '","')`
  return sql`${key} in (select value from ${database.dialect.texts([...new Set(found)])})`
}

/**
 * True if the type of a path's part fits the pattern: a pattern of digits matches only a key, a
 * number matches only an index, and any other pattern matches both.
 */
function isPathTypeMatch(pattern: string | number, type: string | undefined, kind: EntityField['type']): boolean {
  if (kind === 'encoded-path') return true
  if (typeof pattern === 'number') return type === 'i'
  return /^\d+$/.test(pattern) ? type === 's' : true
}

function comparePath({ database }: Condition, field: EntityField, value: Ast): Sql {
  if (!isQueryNode(value)) throwInvalidQuery('Path array element wasnt string or integer in {0}')
  const types = parsePathParts(value, 'Path array element')
    .map((part) => (typeof part === 'number' ? 'i' : 's'))
    .join('')
  return sql`(${database.dialect.jsonEquals(field.sql!, formatStoredJson(toPathTexts(value)))} and ${field.signature} = ${types})`
}

function parsePathParts(value: Ast, what: string): (string | number)[] {
  return (isQueryNode(value) ? value : [value]).map((part) => {
    if (typeof part === 'string') return part
    if (isQueryNumber(part)) return Number(part)
    return throwInvalidQuery(`${what} wasnt string or integer in {0}`)
  })
}

function toPathTexts(value: Ast): ExactJson {
  return (isQueryNode(value) ? value : [value]).map((part) => String(part))
}
