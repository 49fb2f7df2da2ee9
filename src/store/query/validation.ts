import { sql } from 'kysely'
import { formatClojure } from '../clojure-text.ts'
import type { Ast, QueryNode } from './ast.ts'
import { isQueryNode, queryFunctions, toFieldList } from './ast.ts'
import { subqueries } from './entities.ts'
import { type Entities, type Entity, listProjectableFields, listQueryableFields } from './entity.ts'
import { parseField } from './field-path.ts'
import { formatNameList, throwInvalidQuery } from './issues.ts'

const compared = new Set<unknown>(['=', '~', '>', '<', '>=', '<='])
const inExtract = new Set<unknown>([
  ...['from', 'in', 'extract', 'subquery', 'and', 'or', 'not', 'function', 'group_by', 'null?', '~>'],
  ...compared,
  ...subqueries.map((name) => `select_${name}`),
])

/** Rejects unknown fields anywhere in a query. Throws INVALID_QUERY with the names of all unknown fields. */
export function validateFields(entities: Entities, entity: Entity, query: Ast): void {
  const wrong: string[] = []
  visit(query)
  if (wrong.length > 0) throwInvalidQuery(wrong.join('\n'))

  function visit(ast: Ast): void {
    if (!isQueryNode(ast)) return
    if (visitNested(ast)) return
    const message = describeFieldProblem(entity, ast)
    if (message) wrong.push(message)
    for (const each of ast) visit(each)
  }

  /** Validates each nested query against its own entity. */
  function visitNested(ast: QueryNode): boolean {
    const [operator, first, second] = ast
    if (operator === 'from' && typeof first === 'string') {
      validateNested(entities, first, second)
      return true
    }
    if (operator === 'subquery' && ast.length === 3) {
      validateNested(entities, String(first), second)
      return true
    }
    if (operator !== 'extract' || ast.length !== 3 || !isQueryNode(second) || second.length !== 2) return false
    const [name] = second
    const inner = parseSelectedEntity(name)
    if (inner !== undefined) {
      validateNested(entities, inner, second[1])
      const message = describeUnknownFields(entities[inner]!, first, {
        names: listQueryableFields,
        action: "Can't extract",
      })
      if (message) wrong.push(message)
      return true
    }
    if (['not', 'group_by', 'or', 'and'].includes(String(name))) return false
    const meant = String(name).replaceAll('-', '_')
    const hint = parseSelectedEntity(meant) === undefined ? '' : ` - did you mean \`${meant}\`?`
    wrong.push(`Unsupported subquery \`${name}\`${hint}`)
    return true
  }
}

/** The entity of `select_ENTITY`; `undefined` for other text. */
export function parseSelectedEntity(name: Ast | undefined): string | undefined {
  if (typeof name !== 'string' || !name.startsWith('select_')) return undefined
  const entity = name.slice('select_'.length)
  return subqueries.includes(entity) ? entity : undefined
}

/** Placeholder without fields for an entity whose name is unknown. */
const nothing: Entity = { alias: 'null', fields: {}, from: sql``, relationships: {}, dotted: [] }

function validateNested(entities: Entities, name: string, query: Ast | undefined): void {
  const entity = subqueries.includes(name) ? entities[name] : nothing
  if (entity && query !== undefined) validateFields(entities, entity, query)
}

function describeFieldProblem(entity: Entity, [operator, field, ...rest]: QueryNode): string | undefined {
  if (compared.has(operator) && rest.length === 1) return describeUnqueryableField(entity, field)
  if (operator === 'extract')
    return (
      describeUnknownFields(entity, field, { names: listProjectableFields, action: "Can't extract", paths: true }) ??
      describeInvalidFilter(rest)
    )
  if (operator !== 'in') return undefined
  const [values] = rest
  if (rest.length === 1 && isQueryNode(values) && values[0] === 'array' && values.length === 2)
    return describeUnqueryableField(entity, field)
  return describeUnknownFields(entity, field, {
    names: listQueryableFields,
    action: "Can't match on",
    end: " for 'in'",
  })
}

function describeUnqueryableField(entity: Entity, field: Ast | undefined): string | undefined {
  const names = listQueryableFields(entity)
  if (isQueryNode(field) || field === 'node_state' || names.includes(String(field))) return undefined
  if (entity.dotted.some((top) => String(field).startsWith(`${top}.`))) return undefined
  const known =
    names.length === 0
      ? `Entity ${entity.alias} has no queryable objects`
      : `Known queryable objects are ${formatNameList(names)}`
  return `'${field}' is not a queryable object for ${entity.alias}. ${known}`
}

interface Allowed {
  names(entity: Entity): readonly string[]
  readonly action: string
  readonly end?: string
  readonly paths?: boolean
}

function describeUnknownFields(
  entity: Entity,
  fields: Ast | undefined,
  { names, action, end = '', paths = false }: Allowed,
): string | undefined {
  const allowed = names(entity)
  const wrong = toFieldList(fields).filter((field) => {
    if (isQueryNode(field)) return !(field[0] === 'function' && Object.hasOwn(queryFunctions, String(field[1])))
    if (allowed.includes(String(field))) return false
    const { top, path } = parseField(String(field))
    return !(paths && path.length > 0 && entity.fields[top]?.paths)
  })
  if (wrong.length === 0) return undefined
  const one = wrong.map((field) => (isQueryNode(field) ? formatClojure(field) : String(field)))
  return `${action} unknown '${entity.alias}' ${wrong.length > 1 ? 'fields' : 'field'} ${formatNameList(one)}${end}. Acceptable fields are ${formatNameList(allowed)}`
}

/** Returns the message about the first invalid expression in an extract. */
function describeInvalidFilter(filters: readonly Ast[]): string | undefined {
  for (const filter of filters) {
    if (!isQueryNode(filter)) continue
    const [operator] = filter
    const message =
      operator === 'or' || operator === 'and'
        ? describeInvalidFilter(filter)
        : inExtract.has(operator)
          ? undefined
          : `${formatClojure(filter)} is not a valid expression for "extract"`
    if (message) return message
  }
  return undefined
}
