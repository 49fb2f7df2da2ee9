import { sql } from 'kysely'
import { isExactObject } from '../../base/json/exact-json.ts'
import { formatClojure, formatJava } from '../clojure-text.ts'
import type { Database } from '../database/database.ts'
import { formatStoredJson } from '../ingest/identity.ts'
import { type Ast, binaryOperators, isQueryNode, isQueryNumber, type QueryNode, toFieldList } from './ast.ts'
import {
  type Condition,
  matchList,
  type OrderOperator,
  translateEquals,
  translateMatch,
  translateNull,
  translateOrder,
  translatePathMatch,
} from './comparisons.ts'
import { mergeLeaves } from './condition-merging.ts'
import {
  type Connective,
  flattenOperands,
  getConnective,
  getNotOperand,
  getOperands,
  measureHeight,
  type Negation,
  negateConnective,
} from './condition-nesting.ts'
import type { Entities, Entity, Sql } from './entity.ts'
import { parseField } from './field-path.ts'
import { translateFunctionComparison } from './functions.ts'
import { throwInvalidQuery } from './issues.ts'
import { buildConditionTree } from './joins.ts'
import { isPathComparison } from './json-paths.ts'
import { selectMatchingTexts } from './pattern-matching.ts'
import { isUsePermitted } from './permissions.ts'
import { parseSelectedEntity } from './validation.ts'

/** The database and the rules for planning a query. */
export interface QueryContext {
  readonly database: Database
  readonly entities: Entities
  /** Milliseconds since 1970: inactive nodes are selected only if they became inactive at this time or later. */
  readonly inactiveSince: number
  /** True if reports of plans are omitted. */
  readonly agentReports: boolean
  /** Plans a query in parentheses for the operator `in`; `outerFields` determine the types of its columns. */
  nested(planning: QueryContext, outer: Entity, query: QueryNode, outerFields?: QueryNode): Promise<Sql>
}

/** Translates an AST node to a condition; `undefined` if it does not restrict the rows. */
export async function translatePredicate(
  planning: QueryContext,
  entity: Entity,
  node: Ast,
  negation: Negation = 'none',
): Promise<Sql | undefined> {
  const connective = getConnective(node)
  if (connective === 'not')
    return translatePredicate(
      planning,
      entity,
      getNotOperand(node as QueryNode),
      negation === 'none' ? 'direct' : 'none',
    )
  if (connective !== undefined)
    return translateConnective(planning, entity, { node: node as QueryNode, connective, negation })
  if (negation !== 'none' && isQueryNode(node) && isPathComparison(entity, node))
    return translateBinary(planning, entity, node, negation)
  const condition = await translateLeaf(planning, entity, node)
  return negation === 'none' ? condition : condition && sql`not ${condition}`
}

/** Translates an AST node whose operator is not `and`, `or` or `not`. */
async function translateLeaf(planning: QueryContext, entity: Entity, node: Ast): Promise<Sql | undefined> {
  if (node === null || (isQueryNode(node) && node.length === 0)) return undefined
  if (!isQueryNode(node)) return throwInvalidQuery(`${formatClojure(node)} is not a condition`)
  const operator = typeof node[0] === 'string' ? node[0].toLowerCase() : node[0]
  switch (operator) {
    case 'null?':
      return translateNull(createCondition(planning, entity, node))
    case 'in':
      return translateMembership(planning, entity, node)
    case 'subquery':
      return translateImplicitSubquery(planning, entity, node)
  }
  if (!binaryOperators.has(operator))
    return throwInvalidQuery(`${formatClojure(operator ?? null)} is not a condition operator`)
  return translateBinary(planning, entity, [operator as string, ...node.slice(1)])
}

interface JoinedConditions {
  readonly node: QueryNode
  readonly connective: Connective
  readonly negation: Negation
}

async function translateConnective(
  planning: QueryContext,
  entity: Entity,
  { node, connective, negation }: JoinedConditions,
) {
  const wanted = negateConnective(connective, negation)
  const found = flattenOperands(wanted, getOperands(node), negation === 'none' ? 'none' : 'through')
  const leaves = mergeLeaves(entity, wanted, found)
  const conditions: Sql[] = []
  // Put the deepest operands first: operands after a parenthesis need no entry on the stack of
  // SQLite's parser.
  const isDeep = leaves.some((leaf) => measureHeight(leaf.node) > deep)
  const ordered = isDeep ? leaves.toSorted((one, other) => measureHeight(other.node) - measureHeight(one.node)) : leaves
  for (const leaf of ordered) {
    const condition = await translatePredicate(planning, entity, leaf.node, leaf.negation)
    if (condition) conditions.push(condition)
  }
  if (conditions.length === 0) return undefined
  return buildConditionTree(conditions, wanted)
}

/**
 * If an operand needs more stack entries (`measureHeight`) than this number, the operands are
 * sorted by their stack entries.
 */
const deep = 20

function createCondition({ database }: QueryContext, entity: Entity, [, name, value]: QueryNode): Condition {
  return { database, entity, name: String(name), value: value ?? null }
}

/** Translates operators with two operands, and resolves fields that are aliases. */
async function translateBinary(
  planning: QueryContext,
  entity: Entity,
  node: QueryNode,
  negation: Negation = 'none',
): Promise<Sql | undefined> {
  const [operator, given, value] = node as readonly [string, Ast, Ast]
  const field = given === 'tag' ? 'tags' : given
  checkOperands(entity, [operator, field, ...node.slice(2)])
  if (isQueryNode(field)) return translateNestedField(planning, entity, node)
  if (field === 'node_state') return translateStateField(planning, entity, value)
  if (field === 'latest_report?') return translateLatestReport(entity, value)
  if (operator === '=' && field === 'type' && value === 'any') return undefined
  const isValue = field === 'new_value' || field === 'old_value' || /^(?:facts|trusted)\b/.test(String(field))
  if (operator === '=' && value === null && !isValue)
    return translateNull({ ...createCondition(planning, entity, ['null?', field, true]) })
  const named = String(field)
  const asked = given === 'tag' ? String(value).toLowerCase() : convertEventValue(named, value)
  return translateComparison({ database: planning.database, entity, name: named, value: asked, negation }, operator)
}

/** Converts a value to JSON if it is compared with a field of events that is stored as JSON. */
function convertEventValue(name: string, value: Ast): Ast {
  return name === 'new_value' || name === 'old_value' ? formatStoredJson(value) : value
}

function translateComparison(condition: Condition, operator: string): Promise<Sql> {
  switch (operator) {
    case '=':
      return translateEquals(condition)
    case '~':
      return translateMatch(condition)
    case '~>':
      return translatePathMatch(condition)
    default:
      return translateOrder(condition, operator as OrderOperator)
  }
}

function checkOperands({ fields }: Entity, node: QueryNode): void {
  const [operator, field, value] = node
  const named = typeof field === 'string' ? field : undefined
  const known = named === undefined ? undefined : fields[named]
  if (node.length === 3) {
    if (operator === '=' && known?.type === 'numeric' && typeof value === 'string')
      throwInvalidQuery(`Argument "${value}" is incompatible with numeric field "${named}".`)
    if (['>', '<', '>=', '<='].includes(String(operator)) && named !== undefined && parseField(named).path.length === 0)
      if (named !== 'trusted' && !(known && isUsePermitted(known, 'order')))
        // Trusted data is stored as part of the facts, and is therefore queried by path.
        throwInvalidQuery(`Query operators >,>=,<,<= are not allowed on field ${named}`)
    if (operator === '~>' && !(known && isUsePermitted(known, 'pathPattern')))
      throwInvalidQuery(`Query operator ~> is not allowed on field ${formatJava(field)}`)
  }
  if (node.length !== 3) throwInvalidQuery(`${operator} requires exactly two arguments`)
  if (isMalformed(operator, field, value)) throwInvalidQuery(`Invalid ${operator} clause`)
}

function isMalformed(operator: Ast | undefined, field: Ast | undefined, value: Ast | undefined): boolean {
  if (value === null) return false
  const name = typeof field === 'string' || (isQueryNode(field) && (field[0] === 'function' || field.length === 2))
  const isScalar = (one: Ast) => typeof one === 'string' || isQueryNumber(one)
  const plain = value !== undefined && (isScalar(value) || typeof value === 'boolean')
  return (
    !name || !(plain || (isExactObject(value) && operator === '=') || (isQueryNode(value) && value.every(isScalar)))
  )
}

/**
 * Translates `["parameter", NAME]`, `["fact", NAME]`, `["node", "active"]` and functions that are
 * used in place of a field.
 */
async function translateNestedField(planning: QueryContext, entity: Entity, node: QueryNode): Promise<Sql | undefined> {
  const [operator, field, value] = node as readonly [string, QueryNode, Ast]
  const [kind, name] = field
  if (kind === 'function') return translateFunctionComparison(planning.database, entity, node)
  if (kind === 'node') return translateStateField(planning, entity, value ? 'active' : 'inactive')
  if (kind === 'parameter' && !entity.fields['parameters']) throwInvalidQuery(`${entity.alias} do not have parameters`)
  if (kind === 'parameter') return compareParameter(planning, String(name), { operator, value })
  if (kind !== 'fact') return throwInvalidQuery(`Invalid ${operator} clause`)
  if (typeof value !== 'string' && typeof value !== 'boolean' && !isQueryNumber(value))
    throwInvalidQuery(`Operator '${operator}' not allowed on value '${formatJava(value)}'`)
  if (!isQueryNumber(value) && !['=', '~'].includes(operator))
    throwInvalidQuery(`Operator '${operator}' not allowed on value '${formatJava(value)}'`)
  return translateCertnameQuery(planning, entity, [
    'extract',
    'certname',
    ['select_inventory', [operator, `facts.${String(name)}`, value]],
  ])
}

function translateCertnameQuery(planning: QueryContext, { fields, alias }: Entity, query: QueryNode): Promise<Sql> {
  if (!fields['certname']) throwInvalidQuery(`${alias} do not belong to a node`)
  return planning
    .nested(planning, planning.entities['nodes']!, query)
    .then((inside) => sql`nodes.certname in ${inside}`)
}

/**
 * A condition on a resource parameter. `=` compares JSON values; `~` matches the JSON text, as in
 * PuppetDB.
 */
async function compareParameter(
  { database }: QueryContext,
  name: string,
  { operator, value }: { operator: string; value: Ast },
): Promise<Sql> {
  const { dialect } = database
  const json = dialect.jsonAt(sql.ref('parameters'), [name])
  const restrictResources = (test: Sql) =>
    sql`resource_contents.resource_id in (select id from resources where ${test})`
  if (operator === '=') return restrictResources(dialect.jsonEquals(json, formatStoredJson(value)))
  if (operator !== '~') return throwInvalidQuery(`Invalid ${operator} clause`)
  const from = sql`resources`
  // PuppetDB also formats the pattern as JSON.
  const pattern = formatStoredJson(value)
  return restrictResources(await selectMatchingTexts(database, { column: dialect.jsonText(json), from, pattern }))
}

function translateStateField(planning: QueryContext, { fields, alias }: Entity, value: Ast): Sql | undefined {
  const state = translateNodeState(planning, value)
  return state && !fields['certname'] ? throwInvalidQuery(`${alias} do not belong to a node`) : state
}

function translateNodeState({ inactiveSince }: QueryContext, value: Ast): Sql | undefined {
  switch (String(value).toLowerCase()) {
    case 'active':
      return sql`(nodes.deactivated is null and nodes.expired is null)`
    case 'inactive':
      return sql`(coalesce(nodes.deactivated, 0) > ${inactiveSince} or coalesce(nodes.expired, 0) > ${inactiveSince})`
    case 'any':
      return undefined
    default:
      return throwInvalidQuery(`No matching clause: ${formatJava(value)}`)
  }
}

function translateLatestReport({ latestReport: which, alias }: Entity, value: Ast): Sql {
  if (!which) throwInvalidQuery(`Field 'latest_report?' not supported on endpoint '${alias}'`)
  const inside = sql`reports.id in (select latest_report_id from nodes where latest_report_id is not null)`
  return value ? inside : sql`not ${inside}`
}

/** Translates the operator `in` with an array or a query. */
async function translateMembership(
  planning: QueryContext,
  entity: Entity,
  [, fields, source]: QueryNode,
): Promise<Sql> {
  if (fields === 'new_value' || fields === 'old_value')
    throwInvalidQuery(`Operator 'in' is not allowed on field ${fields}`)
  if (isQueryNode(source) && source[0] === 'array') return translateArrayMembership(planning, entity, fields, source[1])
  if (!isQueryNode(source)) return throwInvalidQuery(`Invalid in clause`)
  const inside = await planning.nested(planning, entity, source, toFieldList(fields))
  const columns = toFieldList(fields).map(
    (name) => entity.fields[String(name)]?.sql ?? throwInvalidQuery(`Field ${String(name)} cannot be compared`),
  )
  return sql`(${sql.join(columns)}) in ${inside}`
}

async function translateArrayMembership(
  planning: QueryContext,
  entity: Entity,
  field: Ast | undefined,
  values: Ast | undefined,
): Promise<Sql> {
  if (!isQueryNode(values)) return throwInvalidQuery('Operator array requires a vector argument')
  if (isQueryNode(field) && field[0] === 'fact') {
    if (new Set(values.map(getJavaType)).size !== 1) throwInvalidQuery('All values in array must be the same type.')
    const facts = ['and', ['=', 'name', field[1] ?? null], ['in', 'value', ['array', values]]]
    return translateCertnameQuery(planning, entity, ['extract', 'certname', ['select_facts', facts]])
  }
  if (field === 'tag') throwInvalidQuery('Operator in...array is not supported on array types')
  return matchList({ database: planning.database, entity, name: String(field), value: null }, values)
}

/** The Java class of a value in PuppetDB. */
function getJavaType(value: Ast): string {
  if (!isQueryNumber(value)) return typeof value
  const number = Number(value)
  if (typeof value === 'object' || !Number.isInteger(number)) return 'Double'
  return Math.abs(number) < 2 ** 31 ? 'Integer' : Math.abs(number) < 2 ** 63 ? 'Long' : 'BigInteger'
}

/**
 * Translates the operator `subquery`, which selects rows that are related to rows of another
 * entity.
 */
async function translateImplicitSubquery(
  planning: QueryContext,
  entity: Entity,
  [, name, query]: QueryNode,
): Promise<Sql> {
  const relationship = entity.relationships[String(name)]
  if (!relationship) return throwInvalidQuery(`No implicit relationship for entity '${name}'`)
  const { local, foreign } = relationship
  const select = `select_${String(name).replaceAll('-', '_')}`
  if (parseSelectedEntity(select) === undefined)
    return throwInvalidQuery(`Unsupported subquery \`${formatClojure(name ?? null)}\``)
  return translateMembership(planning, entity, ['in', [...local], ['extract', [...foreign], [select, query ?? null]]])
}
