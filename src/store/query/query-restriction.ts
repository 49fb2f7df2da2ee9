import { type Ast, isQueryNode, type QueryNode } from './ast.ts'
import { isPagingClause } from './select.ts'

/** Adds a condition to a query, which may be `["extract", …]`, `["from", …]`, a condition, or absent. */
export function restrictQuery(query: Ast | undefined, condition: Ast): Ast {
  if (query === undefined || query === null) return condition
  if (!isQueryNode(query)) return ['and', query, condition]
  const [operator, first, second, ...rest] = query
  if (operator === 'extract') return restrictExtract(query, condition)
  if (operator !== 'from') return ['and', query, condition]
  const clauses = query.slice(2)
  if (clauses.every((each) => isQueryNode(each) && isPagingClause(each))) return ['from', first!, condition, ...clauses]
  return ['from', first!, restrictQuery(second, condition), ...rest]
}

function restrictExtract([, fields, expression, groups]: QueryNode, condition: Ast): Ast {
  if (groups !== undefined) return ['extract', fields!, restrictQuery(expression, condition), groups]
  if (expression === undefined || expression === null) return ['extract', fields!, condition]
  if (isQueryNode(expression) && expression[0] === 'group_by') return ['extract', fields!, condition, expression]
  return ['extract', fields!, ['and', expression, condition]]
}

/** Restricts a query to active nodes, unless the query has a condition on the state of nodes. */
export function restrictToActiveNodes(query: Ast | undefined): Ast {
  const says =
    query !== undefined &&
    hasStateCondition(isQueryNode(query) && query[0] === 'extract' && query.length === 3 ? query[2]! : query)
  return says ? query : restrictQuery(query, ['=', 'node_state', 'active'])
}

function hasStateCondition(ast: Ast): boolean {
  if (!isQueryNode(ast)) return false
  const [operator, field, ...rest] = ast
  if (operator === '=' && rest.length === 1)
    if (field === 'node_state' || (isQueryNode(field) && field[0] === 'node' && field[1] === 'active')) return true
  return ast.slice(1).some(hasStateCondition)
}
