import { type Ast, isQueryNode } from '../ast.ts'
import { formatNameList, throwInvalidQuery } from '../issues.ts'

/** Entities whose past state is known. */
const known: readonly string[] = [
  ...['catalogs', 'resources', 'edges', 'facts', 'factsets', 'fact_contents', 'fact_names', 'fact_paths'],
  ...['inventory', 'nodes', 'reports', 'events', 'sourced_files'],
]

/** Entities that contain only names; allowed in nested queries. */
const names: readonly string[] = ['environments', 'producers']

const isQuery = (ast: Ast): boolean => {
  const operator = isQueryNode(ast) ? ast[0] : undefined
  return operator === 'from' || operator === 'subquery' || (typeof operator === 'string' && /^select_/.test(operator))
}

/** Rejects entities whose past state is not known. Throws INVALID_QUERY. */
export function checkEntities(query: Ast): void {
  const [main, ...nested] = listEntities(query)
  const wrong = [
    ...(main !== undefined && !known.includes(main) ? [main] : []),
    ...nested.filter((name) => !known.includes(name) && !names.includes(name)),
  ]
  if (wrong.length > 0)
    throwInvalidQuery(
      `'as_of' is not supported for ${formatNameList(wrong)}. Entities with a history are ${formatNameList(known)}`,
    )
}

/** Names of the entities in a query, the outermost first. */
function listEntities(ast: Ast): string[] {
  if (!isQueryNode(ast)) return []
  const [operator, name] = ast
  const own =
    !isQuery(ast) || typeof operator !== 'string'
      ? []
      : [operator.startsWith('select_') ? operator.slice('select_'.length) : String(name).replaceAll('-', '_')]
  return [...own, ...ast.flatMap(listEntities)]
}

/**
 * Returns the certnames to which a query is restricted; `undefined` if the query may select any
 * node, as a query with nested queries may.
 */
export function findRestrictedCertnames(query: Ast): readonly string[] | undefined {
  if (!isQueryNode(query) || query.slice(1).some(hasNestedQuery)) return undefined
  for (const clause of query.slice(2)) {
    const found = findRestriction(clause)
    if (found) return found
  }
  return undefined
}

function hasNestedQuery(ast: Ast): boolean {
  return isQueryNode(ast) && (isQuery(ast) || ast.some(hasNestedQuery))
}

function findRestriction(ast: Ast): readonly string[] | undefined {
  if (!isQueryNode(ast)) return undefined
  const [operator, field, value] = ast
  switch (operator) {
    case '=':
      return field === 'certname' && typeof value === 'string' ? [value] : undefined
    case 'in': {
      const list = isQueryNode(value) && value[0] === 'array' ? value[1] : undefined
      return field === 'certname' && isQueryNode(list) && list.every((each) => typeof each === 'string')
        ? (list as readonly string[])
        : undefined
    }
    case 'extract':
      return findRestriction(value ?? null)
    case 'and':
      for (const each of ast.slice(1)) {
        const found = findRestriction(each)
        if (found) return found
      }
  }
  return undefined
}
