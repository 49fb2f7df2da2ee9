import { sql } from 'kysely'
import { type ExactJson, getEntries, isExactObject } from '../../base/json/exact-json.ts'
import { formatJava } from '../clojure-text.ts'
import type { Database } from '../database/database.ts'
import { formatStoredJson } from '../ingest/identity.ts'
import { type Ast, isQueryNumber, type QueryNode, toSqlNumber } from './ast.ts'
import type { Condition, OrderOperator } from './comparisons.ts'
import type { Negation } from './condition-nesting.ts'
import type { Entity, EntityField, Sql } from './entity.ts'
import { type FieldPart, parseField } from './field-path.ts'
import { throwInvalidQuery } from './issues.ts'
import { buildConditionTree } from './joins.ts'
import { compileTester, selectMatchingTexts } from './pattern-matching.ts'

/** Operators for paths. */
type PathOperator = '=' | '~' | OrderOperator

/**
 * A condition on a JSON value at a path: `facts.os.family`, `parameters.ensure`,
 * `trusted.certname`, `facts.disks.match("sd.").size`.
 */
export async function translateJsonPath(condition: Condition, operator: PathOperator): Promise<Sql> {
  const { field, parts } = parseFieldParts(condition)
  if (parts.some(({ kind }) => kind === 'match')) return matchJsonPath(condition, operator, parts)
  const { database, value, negation = 'none' } = condition
  return compareAtSteps(database, { field, steps: toSteps(parts), values: [value], operator, negation })
}

/** Translates the operator `in` with an array of values, for a path. */
export async function matchJsonPathList(condition: Condition, values: QueryNode): Promise<Sql> {
  const { field, parts } = parseFieldParts(condition)
  if (values.length === 0) return sql`1 = 0`
  if (!parts.some(({ kind }) => kind === 'match'))
    return compareAtSteps(condition.database, { field, steps: toSteps(parts), values, operator: '=', negation: 'none' })
  const each = await Promise.all(values.map((value) => matchJsonPath({ ...condition, value }, '=', parts)))
  return sql`(${sql.join(each, sql` or `)})`
}

/**
 * True for a comparison that is NULL for rows without the path; then neither the comparison nor its
 * negation selects such a row. An equality is never NULL, unless a part of the path is an index.
 */
export function isPathComparison({ fields }: Entity, [operator, name, value]: QueryNode): boolean {
  if (typeof name !== 'string' || !/^(?:facts|trusted|parameters)\b/.test(name)) return false
  const { top, path } = parseField(name)
  if (fields[top]?.type !== 'queryable-json' || path.some(({ kind }) => kind === 'match')) return false
  if (operator !== '=') return operator === '~' || isOrderOperator(operator)
  return value !== null && path.some((part) => part.kind === 'index' || (part.kind === 'name' && isDigits(part.name)))
}

const isOrderOperator = (operator: unknown) => ['<', '>', '<=', '>='].includes(String(operator))

const isDigits = (text: string) => /^\d{1,9}$/.test(text)

function parseFieldParts({ entity, name }: Condition): { field: EntityField; parts: readonly FieldPart[] } {
  const { top, path } = parseField(name)
  return { field: entity.fields[top]!, parts: top === 'trusted' ? [{ kind: 'name', name: 'trusted' }, ...path] : path }
}

function toSteps(parts: readonly FieldPart[]): (string | number)[] {
  return parts.flatMap((part) =>
    part.kind === 'index' ? [part.name, part.index] : part.kind === 'name' ? [part.name] : [],
  )
}

interface AtSteps {
  readonly field: EntityField
  readonly steps: readonly (string | number)[]
  /** Operands of the operator; with several values, the condition is equality with any of them. */
  readonly values: QueryNode
  readonly operator: PathOperator
  readonly negation: Negation
}

async function compareAtSteps(database: Database, { field, steps, values, operator, negation }: AtSteps): Promise<Sql> {
  const { dialect } = database
  // PuppetDB also requires that the first key exists, if the path has an index or the operator is
  // not equality.
  const isRequired = operator !== '=' || steps.some((step) => typeof step === 'number')
  const isFirstMissing = negation === 'through' && isRequired
  const testValues = async (json: Sql, from: Sql) => {
    const each = await Promise.all(
      values.map((value) => translateJsonComparison(database, json, { from, value, operator })),
    )
    const test = buildConditionTree(each, 'or')
    const known = operator === '~' ? dialect.scalarText(json) : json
    return negation === 'none' ? test : sql`(${known} is not null and not ${test})`
  }
  if (!field.facts) {
    const { column, table, sql: shared } = field.shared!
    const test = await testValues(dialect.jsonAt(shared, steps), sql.table(table))
    const all = isFirstMissing ? sql`(${test} or ${dialect.jsonAt(shared, steps.slice(0, 1))} is null)` : test
    return sql`${column} in (select id from ${sql.table(table)} where ${all})`
  }
  const [name, ...rest] = steps
  if (name === undefined) return sql`1 = 0`
  const json = followStep(database, sql.ref('fact_values.value'), rest)
  const test = await testValues(json, sql`(select * from fact_values where name = ${String(name)}) as fact_values`)
  const selectNodes = (condition: Sql) => sql`${field.facts!.nodeId} in (select facts.node_id from fact_values
    join facts on facts.value_id = fact_values.id where fact_values.name = ${String(name)}${condition})`
  const found = selectNodes(sql` and ${test}`)
  return isFirstMissing ? sql`(${found} or not ${selectNodes(sql``)})` : found
}

/** Follows one step of a path. A step of digits is an array index if that index exists, otherwise a key. */
function followStep({ dialect }: Database, json: Sql, steps: readonly (string | number)[]): Sql {
  return steps.reduce<Sql>((inside, step) => {
    const at = dialect.jsonAt(inside, [step])
    if (typeof step === 'number' || !isDigits(step)) return at
    return sql`coalesce(${dialect.jsonAt(inside, [Number(step)])}, ${at})`
  }, json)
}

async function translateJsonComparison(
  database: Database,
  json: Sql,
  { from, value, operator }: { from: Sql; value: Ast; operator: PathOperator },
): Promise<Sql> {
  const { dialect } = database
  if (operator === '=') return containsJson(database, json, value)
  if (operator === '~')
    return selectMatchingTexts(database, { column: dialect.scalarText(json), from, pattern: String(value) })
  return compareJsonScalar(database, json, value, operator)
}

/** JSON types in the order in which PostgreSQL sorts them. */
const typeOrder = ['null', 'string', 'number', 'boolean', 'array', 'object']

/** Compares JSON with a scalar. Values of different types are ordered by their types. */
function compareJsonScalar({ dialect }: Database, json: Sql, value: Ast, operator: OrderOperator): Sql {
  const type = isQueryNumber(value) ? 'number' : value === null ? 'null' : typeof value
  if (!typeOrder.includes(type))
    return throwInvalidQuery(`Argument "${formatJava(value)}" and operator "${operator}" have incompatible types.`)
  const at = typeOrder.indexOf(type)
  const others = operator.startsWith('<') ? typeOrder.slice(0, at) : typeOrder.slice(at + 1)
  const same =
    value === null
      ? sql.lit(operator.endsWith('='))
      : isQueryNumber(value)
        ? sql`${dialect.numberOf(json)} ${sql.raw(operator)} ${toSqlNumber(value)}`
        : sql`${dialect.scalarText(json)} ${sql.raw(operator)} ${String(value)}`
  return sql`(${dialect.typeOf(json)} in (${sql.join(others.map((other) => sql.lit(other)))})
    or (${dialect.typeOf(json)} = ${sql.lit(type)} and ${same}))`
}

/** Emulates PostgreSQL's `@>`: true if the JSON contains everything in the value. */
function containsJson(database: Database, json: Sql, value: ExactJson): Sql {
  const { dialect } = database
  if (isQueryNumber(value)) return sql`${dialect.numberOf(json)} = ${toSqlNumber(value)}`
  if (Array.isArray(value)) {
    const each = value.map((one) => {
      const element = sql`element.value`
      const inside = dialect.name === 'sqlite' ? sql`(element.value)` : element
      const same =
        dialect.name === 'sqlite'
          ? sql`${dialect.jsonAt(json, [])} is not null and (element.atom = ${toScalar(one)} or element.value = ${formatStoredJson(one)})`
          : containsJson(database, inside, one)
      return sql`exists (select 1 from ${dialect.elements(json)} as element where ${same})`
    })
    return sql`(${dialect.typeOf(json)} = 'array'${each.length > 0 ? sql` and ${sql.join(each, sql` and `)}` : sql``})`
  }
  if (isExactObject(value)) {
    const each = [...getEntries(value)].map(([key, one]) =>
      containsJson(database, dialect.jsonAt(json, [key]), one ?? null),
    )
    return sql`(${dialect.typeOf(json)} = 'object'${each.length > 0 ? sql` and ${sql.join(each, sql` and `)}` : sql``})`
  }
  return dialect.jsonEquals(json, formatStoredJson(value))
}

function toScalar(value: ExactJson): string | number | null {
  if (typeof value === 'string') return value
  if (isQueryNumber(value)) return toSqlNumber(value)
  return typeof value === 'boolean' ? Number(value) : null
}

/** Translates a path with patterns: applies the condition to each fact path that matches. */
async function matchJsonPath(
  { database, entity, name, value }: Condition,
  operator: PathOperator,
  parts: readonly FieldPart[],
): Promise<Sql> {
  const field = entity.fields[parseField(name).top]!
  if (!field.facts) {
    if (operator !== '=') throwInvalidQuery(`Operator '${operator}' does not support match() in ${name}`)
    return sql`1 = 0`
  }
  const tests = parts.flatMap((part) => {
    if (part.kind === 'match') return [compileTester(part.pattern)]
    const isPartName = (text: string) => text === part.name
    return part.kind === 'index' ? [isPartName, (text: string) => text === String(part.index)] : [isPartName]
  })
  const { jsonText } = database.dialect
  const rows = await database.all<{ path: string }>(
    sql`select distinct ${jsonText(sql.ref('path'))} as path from fact_leaves`,
  )
  const paths = rows
    .map(({ path }) => JSON.parse(path) as string[])
    .filter((path) => path.length === tests.length && path.every((text, at) => tests[at]!(text)))
  const each = await Promise.all(
    paths.map((steps) => compareAtSteps(database, { field, steps, values: [value], operator, negation: 'none' })),
  )
  return each.length === 0 ? sql`1 = 0` : sql`(${sql.join(each, sql` or `)})`
}
