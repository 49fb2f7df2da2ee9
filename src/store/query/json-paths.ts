import { sql } from 'kysely'
import { type ExactJson, entriesOf, isExactObject } from '../../base/json/exact-json.ts'
import { javaText } from '../clojure-text.ts'
import type { Database } from '../database/database.ts'
import { keptText } from '../ingest/identity.ts'
import { type Ast, type AstNode, isNumber, toNumber } from './ast.ts'
import type { Condition, Order } from './comparisons.ts'
import type { Entity, Field, Sql } from './entity.ts'
import { type FieldPart, parseField } from './field-path.ts'
import { refuse } from './issues.ts'
import { joinedBy } from './joins.ts'
import { matchingTexts, tester } from './matching.ts'
import type { Negation } from './nesting.ts'

/** Operators for paths. */
type PathOperator = '=' | '~' | Order

/**
 * A condition on a JSON value at a path: `facts.os.family`, `parameters.ensure`,
 * `trusted.certname`, `facts.disks.match("sd.").size`.
 */
export async function jsonPath(condition: Condition, operator: PathOperator): Promise<Sql> {
  const { field, parts } = partsIn(condition)
  if (parts.some(({ kind }) => kind === 'match')) return jsonMatch(condition, operator, parts)
  const { database, value, negation = 'none' } = condition
  return atSteps(database, { field, steps: toSteps(parts), values: [value], operator, negation })
}

/** The operator `in` with an array of values, for a path. */
export async function jsonPathAmong(condition: Condition, values: AstNode): Promise<Sql> {
  const { field, parts } = partsIn(condition)
  if (values.length === 0) return sql`1 = 0`
  if (!parts.some(({ kind }) => kind === 'match'))
    return atSteps(condition.database, { field, steps: toSteps(parts), values, operator: '=', negation: 'none' })
  const each = await Promise.all(values.map((value) => jsonMatch({ ...condition, value }, '=', parts)))
  return sql`(${sql.join(each, sql` or `)})`
}

/**
 * True for a comparison that is NULL for rows without the path; then neither the comparison nor its
 * negation selects such a row. An equality is never NULL, unless a part of the path is an index.
 */
export function isPathComparison({ fields }: Entity, [operator, name, value]: AstNode): boolean {
  if (typeof name !== 'string' || !/^(?:facts|trusted|parameters)\b/.test(name)) return false
  const { top, path } = parseField(name)
  if (fields[top]?.type !== 'queryable-json' || path.some(({ kind }) => kind === 'match')) return false
  if (operator !== '=') return operator === '~' || isOrder(operator)
  return value !== null && path.some((part) => part.kind === 'index' || (part.kind === 'name' && isDigits(part.name)))
}

const isOrder = (operator: unknown) => ['<', '>', '<=', '>='].includes(String(operator))

const isDigits = (text: string) => /^\d{1,9}$/.test(text)

function partsIn({ entity, name }: Condition): { field: Field; parts: readonly FieldPart[] } {
  const { top, path } = parseField(name)
  return { field: entity.fields[top]!, parts: top === 'trusted' ? [{ kind: 'name', name: 'trusted' }, ...path] : path }
}

function toSteps(parts: readonly FieldPart[]): (string | number)[] {
  return parts.flatMap((part) =>
    part.kind === 'index' ? [part.name, part.index] : part.kind === 'name' ? [part.name] : [],
  )
}

interface AtSteps {
  readonly field: Field
  readonly steps: readonly (string | number)[]
  /** Operands of the operator; with several values, the condition is equality with any of them. */
  readonly values: AstNode
  readonly operator: PathOperator
  readonly negation: Negation
}

async function atSteps(database: Database, { field, steps, values, operator, negation }: AtSteps): Promise<Sql> {
  const { dialect } = database
  // PuppetDB also requires that the first key exists, if the path has an index or the operator is
  // not equality.
  const isRequired = operator !== '=' || steps.some((step) => typeof step === 'number')
  const isFirstMissing = negation === 'through' && isRequired
  const tested = async (json: Sql, from: Sql) => {
    const each = await Promise.all(values.map((value) => onJson(database, json, { from, value, operator })))
    const test = joinedBy(each, 'or')
    const known = operator === '~' ? dialect.scalarText(json) : json
    return negation === 'none' ? test : sql`(${known} is not null and not ${test})`
  }
  if (!field.facts) {
    const { column, table, sql: shared } = field.shared!
    const test = await tested(dialect.jsonAt(shared, steps), sql.table(table))
    const all = isFirstMissing ? sql`(${test} or ${dialect.jsonAt(shared, steps.slice(0, 1))} is null)` : test
    return sql`${column} in (select id from ${sql.table(table)} where ${all})`
  }
  const [name, ...rest] = steps
  if (name === undefined) return sql`1 = 0`
  const json = eitherStep(database, sql.ref('fact_values.value'), rest)
  const test = await tested(json, sql`(select * from fact_values where name = ${String(name)}) as fact_values`)
  const nodes = (condition: Sql) => sql`${field.facts!.nodeId} in (select facts.node_id from fact_values
    join facts on facts.value_id = fact_values.id where fact_values.name = ${String(name)}${condition})`
  const found = nodes(sql` and ${test}`)
  return isFirstMissing ? sql`(${found} or not ${nodes(sql``)})` : found
}

/** Follows one step of a path. A step of digits is an array index if that index exists, otherwise a key. */
function eitherStep({ dialect }: Database, json: Sql, steps: readonly (string | number)[]): Sql {
  return steps.reduce<Sql>((inside, step) => {
    const at = dialect.jsonAt(inside, [step])
    if (typeof step === 'number' || !isDigits(step)) return at
    return sql`coalesce(${dialect.jsonAt(inside, [Number(step)])}, ${at})`
  }, json)
}

async function onJson(
  database: Database,
  json: Sql,
  { from, value, operator }: { from: Sql; value: Ast; operator: PathOperator },
): Promise<Sql> {
  const { dialect } = database
  if (operator === '=') return contains(database, json, value)
  if (operator === '~')
    return matchingTexts(database, { column: dialect.scalarText(json), from, pattern: String(value) })
  return compared(database, json, value, operator)
}

/** JSON types in the order in which PostgreSQL sorts them. */
const typeOrder = ['null', 'string', 'number', 'boolean', 'array', 'object']

/** Compares JSON with a scalar. Values of different types are ordered by their types. */
function compared({ dialect }: Database, json: Sql, value: Ast, operator: Order): Sql {
  const type = isNumber(value) ? 'number' : value === null ? 'null' : typeof value
  if (!typeOrder.includes(type))
    return refuse(`Argument "${javaText(value)}" and operator "${operator}" have incompatible types.`)
  const at = typeOrder.indexOf(type)
  const others = operator.startsWith('<') ? typeOrder.slice(0, at) : typeOrder.slice(at + 1)
  const same =
    value === null
      ? sql.lit(operator.endsWith('='))
      : isNumber(value)
        ? sql`${dialect.numberOf(json)} ${sql.raw(operator)} ${toNumber(value)}`
        : sql`${dialect.scalarText(json)} ${sql.raw(operator)} ${String(value)}`
  return sql`(${dialect.typeOf(json)} in (${sql.join(others.map((other) => sql.lit(other)))})
    or (${dialect.typeOf(json)} = ${sql.lit(type)} and ${same}))`
}

/** Emulates PostgreSQL's `@>`: true if the JSON contains everything in the value. */
function contains(database: Database, json: Sql, value: ExactJson): Sql {
  const { dialect } = database
  if (isNumber(value)) return sql`${dialect.numberOf(json)} = ${toNumber(value)}`
  if (Array.isArray(value)) {
    const each = value.map((one) => {
      const element = sql`element.value`
      const inside = dialect.name === 'sqlite' ? sql`(element.value)` : element
      const same =
        dialect.name === 'sqlite'
          ? sql`${dialect.jsonAt(json, [])} is not null and (element.atom = ${scalar(one)} or element.value = ${keptText(one)})`
          : contains(database, inside, one)
      return sql`exists (select 1 from ${dialect.elements(json)} as element where ${same})`
    })
    return sql`(${dialect.typeOf(json)} = 'array'${each.length > 0 ? sql` and ${sql.join(each, sql` and `)}` : sql``})`
  }
  if (isExactObject(value)) {
    const each = [...entriesOf(value)].map(([key, one]) => contains(database, dialect.jsonAt(json, [key]), one ?? null))
    return sql`(${dialect.typeOf(json)} = 'object'${each.length > 0 ? sql` and ${sql.join(each, sql` and `)}` : sql``})`
  }
  return dialect.jsonEquals(json, keptText(value))
}

function scalar(value: ExactJson): string | number | null {
  if (typeof value === 'string') return value
  if (isNumber(value)) return toNumber(value)
  return typeof value === 'boolean' ? Number(value) : null
}

/** Translates a path with patterns: applies the condition to each fact path that matches. */
async function jsonMatch(
  { database, entity, name, value }: Condition,
  operator: PathOperator,
  parts: readonly FieldPart[],
): Promise<Sql> {
  const field = entity.fields[parseField(name).top]!
  if (!field.facts) {
    if (operator !== '=') refuse(`Operator '${operator}' does not support match() in ${name}`)
    return sql`1 = 0`
  }
  const tests = parts.flatMap((part) => {
    if (part.kind === 'match') return [tester(part.pattern)]
    const own = (text: string) => text === part.name
    return part.kind === 'index' ? [own, (text: string) => text === String(part.index)] : [own]
  })
  const { jsonText } = database.dialect
  const rows = await database.all<{ path: string }>(
    sql`select distinct ${jsonText(sql.ref('path'))} as path from fact_leaves`,
  )
  const paths = rows
    .map(({ path }) => JSON.parse(path) as string[])
    .filter((path) => path.length === tests.length && path.every((text, at) => tests[at]!(text)))
  const each = await Promise.all(
    paths.map((steps) => atSteps(database, { field, steps, values: [value], operator, negation: 'none' })),
  )
  return each.length === 0 ? sql`1 = 0` : sql`(${sql.join(each, sql` or `)})`
}
