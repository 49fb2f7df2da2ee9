import { type Ast, isNode } from '../ast.ts'
import { listed, refuse } from '../issues.ts'

/** Entities whose past state is known. */
const known: readonly string[] = [
  ...['catalogs', 'resources', 'edges', 'facts', 'factsets', 'fact_contents', 'fact_names', 'fact_paths'],
  ...['inventory', 'nodes', 'reports', 'events', 'sourced_files'],
]

/** Entities that contain only names; allowed in nested queries. */
const names: readonly string[] = ['environments', 'producers']

const isQuery = (ast: Ast): boolean => {
  const operator = isNode(ast) ? ast[0] : undefined
  return operator === 'from' || operator === 'subquery' || (typeof operator === 'string' && /^select_/.test(operator))
}

/** Rejects entities whose past state is not known. Throws INVALID_QUERY. */
export function checkEntities(query: Ast): void {
  const [main, ...nested] = entitiesIn(query)
  const wrong = [
    ...(main !== undefined && !known.includes(main) ? [main] : []),
    ...nested.filter((name) => !known.includes(name) && !names.includes(name)),
  ]
  if (wrong.length > 0)
    refuse(`'as_of' is not supported for ${listed(wrong)}. Entities whose past is known are ${listed(known)}`)
}

/** Names of the entities in a query, the outermost first. */
function entitiesIn(ast: Ast): string[] {
  if (!isNode(ast)) return []
  const [operator, name] = ast
  const own =
    !isQuery(ast) || typeof operator !== 'string'
      ? []
      : [operator.startsWith('select_') ? operator.slice('select_'.length) : String(name).replaceAll('-', '_')]
  return [...own, ...ast.flatMap(entitiesIn)]
}

/**
 * Returns the certnames to which a query is restricted; `undefined` if the query may select any
 * node, as a query with nested queries may.
 */
export function certnamesOf(query: Ast): readonly string[] | undefined {
  if (!isNode(query) || query.slice(1).some(hasQuery)) return undefined
  for (const clause of query.slice(2)) {
    const found = restriction(clause)
    if (found) return found
  }
  return undefined
}

function hasQuery(ast: Ast): boolean {
  return isNode(ast) && (isQuery(ast) || ast.some(hasQuery))
}

function restriction(ast: Ast): readonly string[] | undefined {
  if (!isNode(ast)) return undefined
  const [operator, field, value] = ast
  switch (operator) {
    case '=':
      return field === 'certname' && typeof value === 'string' ? [value] : undefined
    case 'in': {
      const list = isNode(value) && value[0] === 'array' ? value[1] : undefined
      return field === 'certname' && isNode(list) && list.every((each) => typeof each === 'string')
        ? (list as readonly string[])
        : undefined
    }
    case 'extract':
      return restriction(value ?? null)
    case 'and':
      for (const each of ast.slice(1)) {
        const found = restriction(each)
        if (found) return found
      }
  }
  return undefined
}
