import { type Ast, type AstNode, isNode } from './ast.ts'
import { isPaging } from './select.ts'

/** Adds a condition to a query, which may be `["extract", …]`, `["from", …]`, a condition, or absent. */
export function restricted(query: Ast | undefined, condition: Ast): Ast {
  if (query === undefined || query === null) return condition
  if (!isNode(query)) return ['and', query, condition]
  const [operator, first, second, ...rest] = query
  if (operator === 'extract') return restrictedExtract(query, condition)
  if (operator !== 'from') return ['and', query, condition]
  const clauses = query.slice(2)
  if (clauses.every((each) => isNode(each) && isPaging(each))) return ['from', first!, condition, ...clauses]
  return ['from', first!, restricted(second, condition), ...rest]
}

function restrictedExtract([, fields, expression, groups]: AstNode, condition: Ast): Ast {
  if (groups !== undefined) return ['extract', fields!, restricted(expression, condition), groups]
  if (expression === undefined || expression === null) return ['extract', fields!, condition]
  if (isNode(expression) && expression[0] === 'group_by') return ['extract', fields!, condition, expression]
  return ['extract', fields!, ['and', expression, condition]]
}

/** Restricts a query to active nodes, unless the query has a condition on the state of nodes. */
export function ofActiveNodes(query: Ast | undefined): Ast {
  const says =
    query !== undefined && saysState(isNode(query) && query[0] === 'extract' && query.length === 3 ? query[2]! : query)
  return says ? query : restricted(query, ['=', 'node_state', 'active'])
}

function saysState(ast: Ast): boolean {
  if (!isNode(ast)) return false
  const [operator, field, ...rest] = ast
  if (operator === '=' && rest.length === 1)
    if (field === 'node_state' || (isNode(field) && field[0] === 'node' && field[1] === 'active')) return true
  return ast.slice(1).some(saysState)
}
