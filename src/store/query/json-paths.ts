import { sql } from 'kysely'
import { type ExactJson, entriesOf, isExactObject } from '../../base/exact-json.ts'
import type { Database } from '../database/database.ts'
import { keptText } from '../ingest/identity.ts'
import { type Ast, isNumber } from './ast.ts'
import type { Condition, Order } from './comparisons.ts'
import type { Field, Sql } from './entity.ts'
import { type FieldPart, parseField } from './field-path.ts'
import { refuse } from './issues.ts'
import { matchingTexts, tester } from './matching.ts'

/** A condition on JSON at a path: `facts.os.family`, `parameters.ensure`, `trusted.certname`, `facts.disks.match("sd.").size`. */
export async function jsonPath(condition: Condition, operator: '=' | '~' | Order): Promise<Sql> {
  const { top, path } = parseField(condition.name)
  const field = condition.entity.fields[top]!
  const parts: readonly FieldPart[] = top === 'trusted' ? [{ kind: 'name', name: 'trusted' }, ...path] : path
  if (parts.some(({ kind }) => kind === 'match')) return jsonMatch(condition, operator, parts)
  const steps = parts.flatMap((part) =>
    part.kind === 'index' ? [part.name, part.index] : part.kind === 'name' ? [part.name] : [],
  )
  return atSteps(condition.database, { field, steps, value: condition.value, operator })
}

interface AtSteps {
  readonly field: Field
  readonly steps: readonly (string | number)[]
  readonly value: Ast
  readonly operator: '=' | '~' | Order
}

async function atSteps(database: Database, { field, steps, value, operator }: AtSteps): Promise<Sql> {
  const { dialect } = database
  if (!field.facts) {
    const { column, table, sql: shared } = field.shared!
    const test = await onJson(database, dialect.jsonAt(shared, steps), { from: sql.table(table), value, operator })
    return sql`${column} in (select id from ${sql.table(table)} where ${test})`
  }
  const [name, ...rest] = steps
  if (name === undefined) return sql`1 = 0`
  const json = eitherStep(database, sql.ref('fact_values.value'), rest)
  const from = sql`(select * from fact_values where name = ${String(name)}) as fact_values`
  const test = await onJson(database, json, { from, value, operator })
  return sql`${field.facts.nodeId} in (select facts.node_id from fact_values
    join facts on facts.value_id = fact_values.id where fact_values.name = ${String(name)} and ${test})`
}

/** A step of digits alone is an index of an array, or a key. */
function eitherStep({ dialect }: Database, json: Sql, steps: readonly (string | number)[]): Sql {
  return steps.reduce<Sql>((inside, step) => {
    const at = dialect.jsonAt(inside, [step])
    if (typeof step === 'number' || !/^\d{1,9}$/.test(step)) return at
    return sql`coalesce(${dialect.jsonAt(inside, [Number(step)])}, ${at})`
  }, json)
}

async function onJson(
  database: Database,
  json: Sql,
  { from, value, operator }: { from: Sql; value: Ast; operator: '=' | '~' | Order },
): Promise<Sql> {
  const { dialect } = database
  if (operator === '=') return contains(database, json, value)
  if (operator === '~')
    return matchingTexts(database, { column: dialect.scalarText(json), from, pattern: String(value) })
  return compared(database, json, value, operator)
}

/** Types of JSON as PostgreSQL orders them. */
const typeOrder = ['null', 'string', 'number', 'boolean', 'array', 'object']

/** JSON compared with a number or a text; what is of another type is less or greater as its type is. */
function compared({ dialect }: Database, json: Sql, value: Ast, operator: Order): Sql {
  if (!isNumber(value) && typeof value !== 'string')
    return refuse(`Argument "${String(value)}" and operator "${operator}" have incompatible types.`)
  const type = isNumber(value) ? 'number' : 'string'
  const at = typeOrder.indexOf(type)
  const others = operator.startsWith('<') ? typeOrder.slice(0, at) : typeOrder.slice(at + 1)
  const same = isNumber(value)
    ? sql`${dialect.numberOf(json)} ${sql.raw(operator)} ${Number(value)}`
    : sql`${dialect.scalarText(json)} ${sql.raw(operator)} ${value}`
  return sql`(${dialect.typeOf(json)} in (${sql.join(others.map((other) => sql.lit(other)))})
    or (${dialect.typeOf(json)} = ${sql.lit(type)} and ${same}))`
}

/** PostgreSQL's `@>`: all that the value has is in the JSON. */
function contains(database: Database, json: Sql, value: ExactJson): Sql {
  const { dialect } = database
  if (isNumber(value)) return sql`${dialect.numberOf(json)} = ${Number(value)}`
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
  if (isNumber(value)) return Number(value)
  return typeof value === 'boolean' ? Number(value) : null
}

/** A path with patterns: the paths of facts that fit are asked for each. */
async function jsonMatch(
  { database, entity, name, value }: Condition,
  operator: '=' | '~' | Order,
  parts: readonly FieldPart[],
): Promise<Sql> {
  const field = entity.fields[parseField(name).top]!
  if (!field.facts) return sql`1 = 0`
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
  const each = await Promise.all(paths.map((steps) => atSteps(database, { field, steps, value, operator })))
  return each.length === 0 ? sql`1 = 0` : sql`(${sql.join(each, sql` or `)})`
}
