import { sql } from 'kysely'
import { isExactObject } from '../../base/exact-json.ts'
import { clojureText, javaText } from '../clojure-text.ts'
import type { Database } from '../database/database.ts'
import { keptText } from '../ingest/identity.ts'
import { type Ast, type AstNode, asList, binaryOperators, isNode, isNumber } from './ast.ts'
import {
  among,
  type Condition,
  equals,
  isNull,
  joinedBy,
  matches,
  matchesPath,
  type Order,
  ordered,
} from './comparisons.ts'
import type { Entities, Entity, FieldType, Sql } from './entity.ts'
import { parseField } from './field-path.ts'
import { comparedFunction } from './functions.ts'
import { refuse } from './issues.ts'
import { matchingTexts } from './matching.ts'
import { selected } from './validate.ts'

/** The database and the rules for which a query is planned. */
export interface Planning {
  readonly database: Database
  readonly entities: Entities
  /** Inactive nodes that are asked for are those of this time and newer, in milliseconds. */
  readonly inactiveSince: number
  /** True where reports of plans are left out. */
  readonly agentReports: boolean
  /** A query in parentheses, for `in`; of the outer fields the types count. */
  nested(planning: Planning, outer: Entity, query: AstNode, outerFields?: AstNode): Promise<Sql>
}

/** The condition that a node of a query stands for; `undefined` where it restricts nothing. */
export async function predicateOf(planning: Planning, entity: Entity, node: Ast): Promise<Sql | undefined> {
  if (!isNode(node)) return undefined
  const operator = typeof node[0] === 'string' ? node[0].toLowerCase() : node[0]
  switch (operator) {
    case 'and':
    case 'or':
      return joined(planning, entity, operator, node.slice(1))
    case 'not':
      return negated(planning, entity, node.slice(1))
    case 'null?':
      return isNull(conditionOf(planning, entity, node))
    case 'in':
      return membership(planning, entity, node)
    case 'subquery':
      return implicit(planning, entity, node)
  }
  if (!binaryOperators.has(operator)) return undefined
  return binary(planning, entity, [operator as string, ...node.slice(1)])
}

async function joined(
  planning: Planning,
  entity: Entity,
  operator: 'and' | 'or',
  clauses: AstNode,
): Promise<Sql | undefined> {
  if (clauses.length === 0) refuse(`'${operator}' takes at least one argument, but none were supplied`)
  if (operator === 'and' && clauses.some((clause) => isNode(clause) && clause.length === 0))
    refuse('[] is not well-formed: queries must contain at least one operator')
  const conditions: Sql[] = []
  for (const clause of clauses) {
    const condition = await predicateOf(planning, entity, clause)
    if (condition) conditions.push(condition)
  }
  if (conditions.length === 0) return undefined
  return joinedBy(conditions, operator)
}

async function negated(planning: Planning, entity: Entity, clauses: AstNode): Promise<Sql | undefined> {
  if (clauses.length !== 1) refuse(`'not' takes exactly one argument, but ${clauses.length} were supplied`)
  const condition = await predicateOf(planning, entity, clauses[0]!)
  return condition && sql`not ${condition}`
}

function conditionOf({ database }: Planning, entity: Entity, [, name, value]: AstNode): Condition {
  return { database, entity, name: String(name), value: value ?? null }
}

/** Operators of two operands, with the fields that stand for something else. */
async function binary(planning: Planning, entity: Entity, node: AstNode): Promise<Sql | undefined> {
  const [operator, given, value] = node as readonly [string, Ast, Ast]
  const field = given === 'tag' ? 'tags' : given
  checkOperands(entity, [operator, field, ...node.slice(2)])
  if (isNode(field)) return nestedField(planning, entity, node)
  if (field === 'node_state') return stateOf(planning, entity, value)
  if (field === 'latest_report?') return latestReport(entity, value)
  if (operator === '=' && field === 'type' && value === 'any') return undefined
  const isValue = field === 'new_value' || field === 'old_value' || /^(?:facts|trusted)\b/.test(String(field))
  if (operator === '=' && value === null && !isValue)
    return isNull({ ...conditionOf(planning, entity, ['null?', field, true]) })
  const named = String(field)
  const asked = given === 'tag' ? String(value).toLowerCase() : changeValue(named, value)
  return compare({ database: planning.database, entity, name: named, value: asked }, operator)
}

/** Values of events are kept as JSON. */
function changeValue(name: string, value: Ast): Ast {
  return name === 'new_value' || name === 'old_value' ? keptText(value) : value
}

function compare(condition: Condition, operator: string): Promise<Sql> {
  switch (operator) {
    case '=':
      return equals(condition)
    case '~':
      return matches(condition)
    case '~>':
      return matchesPath(condition)
    default:
      return ordered(condition, operator as Order)
  }
}

const orderedTypes: ReadonlySet<FieldType | undefined> = new Set(['numeric', 'timestamp', 'jsonb-scalar'])

function checkOperands({ fields }: Entity, node: AstNode): void {
  const [operator, field, value] = node
  const named = typeof field === 'string' ? field : undefined
  const type = named === undefined ? undefined : fields[named]?.type
  if (node.length === 3) {
    if (operator === '=' && type === 'numeric' && typeof value === 'string')
      refuse(`Argument "${value}" is incompatible with numeric field "${named}".`)
    if (['>', '<', '>=', '<='].includes(String(operator)) && named !== undefined && parseField(named).path.length === 0)
      if (!orderedTypes.has(type)) refuse(`Query operators >,>=,<,<= are not allowed on field ${named}`)
    if (operator === '~>' && type !== 'path-array' && type !== 'encoded-path')
      refuse(`Query operator ~> is not allowed on field ${javaText(field)}`)
  }
  if (node.length !== 3) refuse(`${operator} requires exactly two arguments`)
  if (isMalformed(field, value)) refuse(`Invalid ${operator} clause`)
}

function isMalformed(field: Ast | undefined, value: Ast | undefined): boolean {
  if (value === null) return false
  const name = typeof field === 'string' || (isNode(field) && (field[0] === 'function' || field.length === 2))
  const scalar = (one: Ast) => typeof one === 'string' || isNumber(one)
  const plain = value !== undefined && (scalar(value) || typeof value === 'boolean')
  return !name || !(plain || isExactObject(value) || (isNode(value) && value.every(scalar)))
}

/** `["parameter", NAME]`, `["fact", NAME]`, `["node", "active"]` and functions as fields. */
async function nestedField(planning: Planning, entity: Entity, node: AstNode): Promise<Sql | undefined> {
  const [operator, field, value] = node as readonly [string, AstNode, Ast]
  const [kind, name] = field
  if (kind === 'function') return comparedFunction(planning.database, entity, node)
  if (kind === 'node') return stateOf(planning, entity, value ? 'active' : 'inactive')
  if (kind === 'parameter' && !entity.fields['parameters']) refuse(`${entity.alias} have no parameters`)
  if (kind === 'parameter') return onParameter(planning, String(name), { operator, value })
  if (kind !== 'fact') return refuse(`Invalid ${operator} clause`)
  if (typeof value !== 'string' && typeof value !== 'boolean' && !isNumber(value))
    refuse(`Operator '${operator}' not allowed on value '${javaText(value)}'`)
  if (typeof value === 'string' && !['=', '~'].includes(operator))
    refuse(`Operator '${operator}' not allowed on value '${value}'`)
  return withCertname(planning, entity, [
    'extract',
    'certname',
    ['select_inventory', [operator, `facts.${String(name)}`, value]],
  ])
}

function withCertname(planning: Planning, { fields, alias }: Entity, query: AstNode): Promise<Sql> {
  if (!fields['certname']) refuse(`${alias} belong to no node`)
  return planning
    .nested(planning, planning.entities['nodes']!, query)
    .then((inside) => sql`nodes.certname in ${inside}`)
}

/** A parameter of resources. Values are compared as JSON; `~` sees their JSON text, as PuppetDB's does. */
async function onParameter(
  { database }: Planning,
  name: string,
  { operator, value }: { operator: string; value: Ast },
): Promise<Sql> {
  const { dialect } = database
  const json = dialect.jsonAt(sql.ref('parameters'), [name])
  const inside = (test: Sql) => sql`resource_contents.resource_id in (select id from resources where ${test})`
  if (operator === '=') return inside(dialect.jsonEquals(json, keptText(value)))
  if (operator !== '~') return refuse(`Invalid ${operator} clause`)
  const from = sql`resources`
  // The pattern is itself printed as JSON before it is used.
  const pattern = keptText(value)
  return inside(await matchingTexts(database, { column: dialect.jsonText(json), from, pattern }))
}

function stateOf(planning: Planning, { fields, alias }: Entity, value: Ast): Sql | undefined {
  const state = nodeState(planning, value)
  return state && !fields['certname'] ? refuse(`${alias} belong to no node`) : state
}

function nodeState({ inactiveSince }: Planning, value: Ast): Sql | undefined {
  switch (String(value).toLowerCase()) {
    case 'active':
      return sql`(nodes.deactivated is null and nodes.expired is null)`
    case 'inactive':
      return sql`(coalesce(nodes.deactivated, 0) > ${inactiveSince} or coalesce(nodes.expired, 0) > ${inactiveSince})`
    case 'any':
      return undefined
    default:
      return refuse(`No matching clause: ${javaText(value)}`)
  }
}

function latestReport({ latestReport: which, alias }: Entity, value: Ast): Sql {
  if (!which) refuse(`Field 'latest_report?' not supported on endpoint '${alias}'`)
  const inside = sql`reports.id in (select latest_report_id from nodes where latest_report_id is not null)`
  return value ? inside : sql`not ${inside}`
}

/** `in`: an array, or a query. */
async function membership(planning: Planning, entity: Entity, [, fields, source]: AstNode): Promise<Sql> {
  if (isNode(source) && source[0] === 'array') return inArray(planning, entity, fields, source[1])
  if (!isNode(source)) return refuse(`Invalid in clause`)
  const inside = await planning.nested(planning, entity, source, asList(fields))
  const columns = asList(fields).map(
    (name) => entity.fields[String(name)]?.sql ?? refuse(`Field ${String(name)} has no values to compare with`),
  )
  return sql`(${sql.join(columns)}) in ${inside}`
}

async function inArray(
  planning: Planning,
  entity: Entity,
  field: Ast | undefined,
  values: Ast | undefined,
): Promise<Sql> {
  if (!isNode(values)) return refuse('Operator array requires a vector argument')
  if (isNode(field) && field[0] === 'fact') {
    if (new Set(values.map((value) => (isNumber(value) ? 'number' : typeof value))).size !== 1)
      refuse('All values in array must be the same type.')
    const facts = ['and', ['=', 'name', field[1] ?? null], ['in', 'value', ['array', values]]]
    return withCertname(planning, entity, ['extract', 'certname', ['select_facts', facts]])
  }
  if (field === 'tag') refuse('Operator in...array is not supported on array types')
  return among({ database: planning.database, entity, name: String(field), value: null }, values)
}

/** `subquery`: what belongs to rows of another entity. */
async function implicit(planning: Planning, entity: Entity, [, name, query]: AstNode): Promise<Sql> {
  const relationship = entity.relationships[String(name)]
  if (!relationship) return refuse(`No implicit relationship for entity '${name}'`)
  const { local, foreign } = relationship
  const select = `select_${String(name).replaceAll('-', '_')}`
  if (selected(select) === undefined) return refuse(`Unsupported subquery \`${clojureText(name ?? null)}\``)
  return membership(planning, entity, ['in', [...local], ['extract', [...foreign], [select, query ?? null]]])
}
