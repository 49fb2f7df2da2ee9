import { sql } from 'kysely'
import { isExactObject } from '../../base/json/exact-json.ts'
import { clojureText, javaText } from '../clojure-text.ts'
import type { Database } from '../database/database.ts'
import { keptText } from '../ingest/identity.ts'
import { type Ast, type AstNode, asList, binaryOperators, isNode, isNumber } from './ast.ts'
import { among, type Condition, equals, isNull, matches, matchesPath, type Order, ordered } from './comparisons.ts'
import type { Entities, Entity, Sql } from './entity.ts'
import { parseField } from './field-path.ts'
import { comparedFunction } from './functions.ts'
import { refuse } from './issues.ts'
import { joinedBy } from './joins.ts'
import { isPathComparison } from './json-paths.ts'
import { matchingTexts } from './matching.ts'
import { mergeLeaves } from './merging.ts'
import {
  type Connective,
  connectiveIn,
  flattenOperands,
  heightIn,
  type Negation,
  negated,
  operandOfNot,
  operands,
} from './nesting.ts'
import { permits } from './permissions.ts'
import { selected } from './validate.ts'

/** The database and the rules for planning a query. */
export interface Planning {
  readonly database: Database
  readonly entities: Entities
  /** Milliseconds since 1970: inactive nodes are selected only if they became inactive at this time or later. */
  readonly inactiveSince: number
  /** True if reports of plans are omitted. */
  readonly agentReports: boolean
  /** Plans a query in parentheses for the operator `in`; `outerFields` determine the types of its columns. */
  nested(planning: Planning, outer: Entity, query: AstNode, outerFields?: AstNode): Promise<Sql>
}

/** Translates an AST node to a condition; `undefined` if it does not restrict the rows. */
export async function predicateOf(
  planning: Planning,
  entity: Entity,
  node: Ast,
  negation: Negation = 'none',
): Promise<Sql | undefined> {
  const connective = connectiveIn(node)
  if (connective === 'not')
    return predicateOf(planning, entity, operandOfNot(node as AstNode), negation === 'none' ? 'direct' : 'none')
  if (connective !== undefined) return joined(planning, entity, { node: node as AstNode, connective, negation })
  if (negation !== 'none' && isNode(node) && isPathComparison(entity, node))
    return binary(planning, entity, node, negation)
  const condition = await leafPredicate(planning, entity, node)
  return negation === 'none' ? condition : condition && sql`not ${condition}`
}

/** Translates an AST node whose operator is not `and`, `or` or `not`. */
async function leafPredicate(planning: Planning, entity: Entity, node: Ast): Promise<Sql | undefined> {
  if (node === null || (isNode(node) && node.length === 0)) return undefined
  if (!isNode(node)) return refuse(`${clojureText(node)} is not a condition`)
  const operator = typeof node[0] === 'string' ? node[0].toLowerCase() : node[0]
  switch (operator) {
    case 'null?':
      return isNull(conditionOf(planning, entity, node))
    case 'in':
      return membership(planning, entity, node)
    case 'subquery':
      return implicit(planning, entity, node)
  }
  if (!binaryOperators.has(operator)) return refuse(`${clojureText(operator ?? null)} is not an operator of conditions`)
  return binary(planning, entity, [operator as string, ...node.slice(1)])
}

interface Joined {
  readonly node: AstNode
  readonly connective: Connective
  readonly negation: Negation
}

async function joined(planning: Planning, entity: Entity, { node, connective, negation }: Joined) {
  const wanted = negated(connective, negation)
  const found = flattenOperands(wanted, operands(node), negation === 'none' ? 'none' : 'through')
  const leaves = mergeLeaves(entity, wanted, found)
  const conditions: Sql[] = []
  // Put the deepest operands first: operands after a parenthesis need no entry on the stack of
  // SQLite's parser.
  const isDeep = leaves.some((leaf) => heightIn(leaf.node) > deep)
  const ordered = isDeep ? leaves.toSorted((one, other) => heightIn(other.node) - heightIn(one.node)) : leaves
  for (const leaf of ordered) {
    const condition = await predicateOf(planning, entity, leaf.node, leaf.negation)
    if (condition) conditions.push(condition)
  }
  if (conditions.length === 0) return undefined
  return joinedBy(conditions, wanted)
}

/** Height of an operand above which all operands are sorted. */
const deep = 20

function conditionOf({ database }: Planning, entity: Entity, [, name, value]: AstNode): Condition {
  return { database, entity, name: String(name), value: value ?? null }
}

/** Translates operators with two operands, and resolves fields that are aliases. */
async function binary(
  planning: Planning,
  entity: Entity,
  node: AstNode,
  negation: Negation = 'none',
): Promise<Sql | undefined> {
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
  return compare({ database: planning.database, entity, name: named, value: asked, negation }, operator)
}

/** Values of events are stored as JSON. */
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

function checkOperands({ fields }: Entity, node: AstNode): void {
  const [operator, field, value] = node
  const named = typeof field === 'string' ? field : undefined
  const known = named === undefined ? undefined : fields[named]
  if (node.length === 3) {
    if (operator === '=' && known?.type === 'numeric' && typeof value === 'string')
      refuse(`Argument "${value}" is incompatible with numeric field "${named}".`)
    if (['>', '<', '>=', '<='].includes(String(operator)) && named !== undefined && parseField(named).path.length === 0)
      if (named !== 'trusted' && !(known && permits(known, 'order')))
        // Trusted data is stored as part of the facts, and is therefore queried by path.
        refuse(`Query operators >,>=,<,<= are not allowed on field ${named}`)
    if (operator === '~>' && !(known && permits(known, 'pathPattern')))
      refuse(`Query operator ~> is not allowed on field ${javaText(field)}`)
  }
  if (node.length !== 3) refuse(`${operator} requires exactly two arguments`)
  if (isMalformed(operator, field, value)) refuse(`Invalid ${operator} clause`)
}

function isMalformed(operator: Ast | undefined, field: Ast | undefined, value: Ast | undefined): boolean {
  if (value === null) return false
  const name = typeof field === 'string' || (isNode(field) && (field[0] === 'function' || field.length === 2))
  const scalar = (one: Ast) => typeof one === 'string' || isNumber(one)
  const plain = value !== undefined && (scalar(value) || typeof value === 'boolean')
  return !name || !(plain || (isExactObject(value) && operator === '=') || (isNode(value) && value.every(scalar)))
}

/**
 * Translates `["parameter", NAME]`, `["fact", NAME]`, `["node", "active"]` and functions that are
 * used in place of a field.
 */
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
  if (!isNumber(value) && !['=', '~'].includes(operator))
    refuse(`Operator '${operator}' not allowed on value '${javaText(value)}'`)
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

/**
 * A condition on a resource parameter. `=` compares JSON values; `~` matches the JSON text, as in
 * PuppetDB.
 */
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
  // PuppetDB also formats the pattern as JSON.
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

/** The operator `in` with an array or a query. */
async function membership(planning: Planning, entity: Entity, [, fields, source]: AstNode): Promise<Sql> {
  if (fields === 'new_value' || fields === 'old_value') refuse(`Operator 'in' is not allowed on field ${fields}`)
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
    if (new Set(values.map(javaType)).size !== 1) refuse('All values in array must be the same type.')
    const facts = ['and', ['=', 'name', field[1] ?? null], ['in', 'value', ['array', values]]]
    return withCertname(planning, entity, ['extract', 'certname', ['select_facts', facts]])
  }
  if (field === 'tag') refuse('Operator in...array is not supported on array types')
  return among({ database: planning.database, entity, name: String(field), value: null }, values)
}

/** The Java class of a value in PuppetDB. */
function javaType(value: Ast): string {
  if (!isNumber(value)) return typeof value
  const number = Number(value)
  if (typeof value === 'object' || !Number.isInteger(number)) return 'Double'
  return Math.abs(number) < 2 ** 31 ? 'Integer' : Math.abs(number) < 2 ** 63 ? 'Long' : 'BigInteger'
}

/** The operator `subquery`: selects rows that are related to rows of another entity. */
async function implicit(planning: Planning, entity: Entity, [, name, query]: AstNode): Promise<Sql> {
  const relationship = entity.relationships[String(name)]
  if (!relationship) return refuse(`No implicit relationship for entity '${name}'`)
  const { local, foreign } = relationship
  const select = `select_${String(name).replaceAll('-', '_')}`
  if (selected(select) === undefined) return refuse(`Unsupported subquery \`${clojureText(name ?? null)}\``)
  return membership(planning, entity, ['in', [...local], ['extract', [...foreign], [select, query ?? null]]])
}
