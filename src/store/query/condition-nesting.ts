import { budgets } from '../../base/budgets/budgets.ts'
import { type Ast, isQueryNode, type QueryNode } from './ast.ts'
import { throwInvalidQuery } from './issues.ts'

/**
 * The negation of a condition: by a `not` directly around the condition, or by a `not` around the
 * `and` or `or` that contains it.
 */
export type Negation = 'none' | 'direct' | 'through'

/** A condition whose operator is not `and`, `or` or `not`. */
export interface Leaf {
  readonly node: Ast
  readonly negation: Negation
}

/** An operator that joins conditions. */
export type Connective = 'and' | 'or'

/** Returns the connective of an AST node in lower case. */
export function getConnective(node: Ast): Connective | 'not' | undefined {
  const operator = isQueryNode(node) && typeof node[0] === 'string' ? node[0].toLowerCase() : undefined
  return operator === 'and' || operator === 'or' || operator === 'not' ? operator : undefined
}

/** Returns the connective that results from a negation: `not (a and b)` is `not a or not b`. */
export function negateConnective(connective: Connective, negation: Negation): Connective {
  if (negation === 'none') return connective
  return connective === 'and' ? 'or' : 'and'
}

/**
 * Returns the operands of a connective; an operand with the same connective is replaced by its own
 * operands. Throws INVALID_QUERY.
 */
export function flattenOperands(wanted: Connective, clauses: QueryNode, negation: Negation): Leaf[] {
  const found: Leaf[] = []
  for (const clause of clauses) collect(clause, negation)
  return found

  function collect(node: Ast, negation: Negation): void {
    const connective = getConnective(node)
    if (connective === 'not') {
      collect(getNotOperand(node as QueryNode), negation === 'none' ? 'direct' : 'none')
    } else if (connective === undefined || negateConnective(connective, negation) !== wanted) {
      found.push({ node, negation })
    } else {
      const inner = negation === 'none' ? 'none' : 'through'
      for (const clause of getOperands(node as QueryNode)) collect(clause, inner)
    }
  }
}

/** The clauses of `and` or `or`. Throws INVALID_QUERY. */
export function getOperands(node: QueryNode): QueryNode {
  const [operator, ...clauses] = node
  const name = String(operator).toLowerCase()
  if (clauses.length === 0) throwInvalidQuery(`'${name}' takes at least one argument, but none were supplied`)
  if (clauses.some((clause) => clause === null || (isQueryNode(clause) && clause.length === 0)))
    throwInvalidQuery('[] is not well-formed: queries must contain at least one operator')
  return clauses
}

/** The clause of `not`. Throws INVALID_QUERY. */
export function getNotOperand([, ...clauses]: QueryNode): Ast {
  if (clauses.length !== 1) throwInvalidQuery(`'not' takes exactly one argument, but ${clauses.length} were supplied`)
  return clauses[0]!
}

/** Flattens a connective whose last operand has the same connective; PQL nests long conditions in this way. */
export function flattenChains(ast: Ast): Ast {
  if (!isQueryNode(ast)) return ast
  const [operator, ...rest] = ast
  if (operator !== 'and' && operator !== 'or') return ast.some(isQueryNode) ? ast.map(flattenChains) : ast
  const all: Ast[] = []
  let clauses: QueryNode = rest
  for (;;) {
    const last = clauses.at(-1)
    const isChain = isQueryNode(last) && last[0] === operator && last.length > 1
    for (const clause of isChain ? clauses.slice(0, -1) : clauses) all.push(flattenChains(clause))
    if (!isChain) return [operator, ...all]
    clauses = last.slice(1)
  }
}

const heights = new WeakMap<QueryNode, number>()

/**
 * The number of entries that a condition needs on the stack of SQLite's parser, which has 100
 * entries before version 3.46: one for each parenthesis, a few for a subquery. A connective inside
 * the same connective needs no entry.
 */
export function measureHeight(ast: Ast): number {
  if (!isQueryNode(ast)) return 0
  const known = heights.get(ast)
  if (known !== undefined) return known
  const height = measureNode(ast)
  heights.set(ast, height)
  return height
}

const [leafHeight, subqueryHeight, heightAhead, highest] = [12, 8, 50, 62]

function measureNode(node: QueryNode): number {
  const [operator, ...rest] = node
  const connective = getConnective(node)
  if (connective === 'not') return Math.max(leafHeight, ...rest.map(measureHeight))
  if (connective !== undefined)
    return (
      1 +
      rest.reduce<number>(
        (most, clause) => Math.max(most, measureHeight(clause) - Number(isMergedClause(connective, clause))),
        0,
      )
    )
  if (operator !== 'in' && operator !== 'subquery') return leafHeight
  const height = subqueryHeight + measureNestedHeight(rest)
  return height > heightAhead ? leafHeight : height
}

/** True for a clause that is merged into the surrounding connective. */
function isMergedClause(connective: Connective, clause: Ast): boolean {
  let [node, negation]: [Ast, Negation] = [clause, 'none']
  while (getConnective(node) === 'not') {
    negation = negation === 'none' ? 'direct' : 'none'
    node = (node as QueryNode)[1] ?? null
  }
  const inner = getConnective(node)
  return inner !== undefined && inner !== 'not' && negateConnective(inner, negation) === connective
}

/**
 * The number of stack entries that the conditions of `extract`, `from` and `select_ENTITY` need.
 */
function measureNestedHeight(parts: QueryNode): number {
  let most = 0
  for (const part of parts) {
    if (!isQueryNode(part)) continue
    const [operator, ...rest] = part
    const isQuery = operator === 'extract' || operator === 'from' || String(operator).startsWith('select')
    most = Math.max(most, isQuery ? measureNestedHeight(rest) : measureHeight(part))
  }
  return most
}

/** True for a query inside `in` that is nested so deeply that it is evaluated before the outer query. */
export function isEvaluatedFirst(query: QueryNode): boolean {
  return subqueryHeight + measureNestedHeight([query]) > heightAhead
}

/** Rejects conditions in which `and` and `or` alternate too deeply. Throws INVALID_QUERY. */
export function checkDepth(condition: Ast): void {
  if (measureHeight(condition) > highest)
    throwInvalidQuery(
      `Conditions alternate between 'and' and 'or' more than ${budgets.query.queryAlternations.bound} levels deep`,
    )
}
