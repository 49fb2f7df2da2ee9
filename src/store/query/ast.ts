import type { ExactJson } from '../../base/json/exact-json.ts'
import { throwInvalidQuery } from './issues.ts'

/** A query in PuppetDB's AST syntax, as JSON: `["=", "certname", "a"]`. */
export type Ast = ExactJson

/** A node of the AST: an operator and its operands. */
export type QueryNode = readonly Ast[]

/** True for a node of the AST. */
export function isQueryNode(ast: Ast | undefined): ast is QueryNode {
  return Array.isArray(ast)
}

/** Returns one or several fields as a list. */
export function toFieldList(ast: Ast | undefined): QueryNode {
  return isQueryNode(ast) && ast[0] !== 'function' ? ast : ast === undefined ? [] : [ast]
}

/** True for a number, in any form that exact JSON uses for numbers. */
export function isQueryNumber(ast: Ast | undefined): ast is number | bigint {
  return typeof ast === 'number' || typeof ast === 'bigint' || ast instanceof Number
}

/** Converts a number for a database. Throws INVALID_QUERY if it is too large. */
export function toSqlNumber(ast: Ast | undefined): number {
  const number = Number(ast)
  return Number.isFinite(number) ? number : throwInvalidQuery('A number in the query is too large')
}

/** Operators with two operands. */
export const binaryOperators: ReadonlySet<unknown> = new Set(['=', '>', '<', '>=', '<=', '~', '~>'])

/** Functions, each with its allowed numbers of arguments. */
export const queryFunctions: Readonly<Record<string, readonly number[]>> = {
  sum: [1],
  avg: [1],
  min: [1],
  max: [1],
  count: [0, 1],
  to_string: [2],
  jsonb_typeof: [1],
}
