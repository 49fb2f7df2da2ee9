import { type Ast, isQueryNode, type QueryNode } from '../ast.ts'
import { throwInvalidQuery } from '../issues.ts'

/** A query without its `as_of` clause, and the operand of that clause. */
export interface SplitQuery {
  readonly query: Ast | undefined
  readonly asOf: Ast | undefined
}

/** Removes the clause `["as_of", OPERAND]` from `["from", ENTITY, …]`. Throws INVALID_QUERY. */
export function splitAsOf(query: Ast | undefined): SplitQuery {
  if (!isQueryNode(query) || query[0] !== 'from') return { query, asOf: undefined }
  const isAsOfClause = (ast: Ast): ast is QueryNode => isQueryNode(ast) && ast[0] === 'as_of'
  const clauses = query.slice(2).filter(isAsOfClause)
  if (clauses.length === 0) return { query, asOf: undefined }
  if (clauses.length > 1) throwInvalidQuery("Multiple 'as_of' clauses are not permitted")
  const [, asOf] = clauses[0]!
  if (asOf === undefined || asOf === null) throwInvalidQuery("Received 'as_of' clause without an argument")
  return { query: query.filter((ast) => !isAsOfClause(ast)), asOf }
}

/**
 * Pattern of the suffix `as of "…"` after the closing brace of a PQL query. The quotes around a
 * code_id are optional. The first group that matches contains the operand.
 */
const behind = /^\}\s{0,100}as\s{1,100}of\s{1,100}(?:"([^"\n]{1,300})"|'([^'\n]{1,300})'|([\w:.+-]{1,300}))\s{0,100}$/

/** Splits PQL text into the query and the operand of its `as of` suffix. */
export function splitPql(text: string): { readonly text: string; readonly asOf: string | undefined } {
  const start = text.lastIndexOf('}')
  const found = start === -1 ? null : behind.exec(text.slice(start))
  if (!found) return { text, asOf: undefined }
  return { text: text.slice(0, start + 1), asOf: found[1] ?? found[2] ?? found[3] }
}
