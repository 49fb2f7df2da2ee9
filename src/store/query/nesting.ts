import { budgets } from '../../base/budgets/budgets.ts'
import { type Ast, type AstNode, isNode } from './ast.ts'
import { refuse } from './issues.ts'

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
export function connectiveIn(node: Ast): Connective | 'not' | undefined {
  const operator = isNode(node) && typeof node[0] === 'string' ? node[0].toLowerCase() : undefined
  return operator === 'and' || operator === 'or' || operator === 'not' ? operator : undefined
}

/** Returns the connective that results from a negation: `not (a and b)` is `not a or not b`. */
export function negated(connective: Connective, negation: Negation): Connective {
  if (negation === 'none') return connective
  return connective === 'and' ? 'or' : 'and'
}

/**
 * Returns the operands of a connective; an operand with the same connective is replaced by its own
 * operands. Throws INVALID_QUERY.
 */
export function flattenOperands(wanted: Connective, clauses: AstNode, negation: Negation): Leaf[] {
  const found: Leaf[] = []
  for (const clause of clauses) collect(clause, negation)
  return found

  function collect(node: Ast, negation: Negation): void {
    const connective = connectiveIn(node)
    if (connective === 'not') {
      collect(operandOfNot(node as AstNode), negation === 'none' ? 'direct' : 'none')
    } else if (connective === undefined || negated(connective, negation) !== wanted) {
      found.push({ node, negation })
    } else {
      const inner = negation === 'none' ? 'none' : 'through'
      for (const clause of operands(node as AstNode)) collect(clause, inner)
    }
  }
}

/** The clauses of `and` or `or`. Throws INVALID_QUERY. */
export function operands(node: AstNode): AstNode {
  const [operator, ...clauses] = node
  const name = String(operator).toLowerCase()
  if (clauses.length === 0) refuse(`'${name}' takes at least one argument, but none were supplied`)
  if (clauses.some((clause) => clause === null || (isNode(clause) && clause.length === 0)))
    refuse('[] is not well-formed: queries must contain at least one operator')
  return clauses
}

/** The clause of `not`. Throws INVALID_QUERY. */
export function operandOfNot([, ...clauses]: AstNode): Ast {
  if (clauses.length !== 1) refuse(`'not' takes exactly one argument, but ${clauses.length} were supplied`)
  return clauses[0]!
}

/** Flattens a connective whose last operand has the same connective; PQL nests long conditions in this way. */
export function withoutChains(ast: Ast): Ast {
  if (!isNode(ast)) return ast
  const [operator, ...rest] = ast
  if (operator !== 'and' && operator !== 'or') return ast.some(isNode) ? ast.map(withoutChains) : ast
  const all: Ast[] = []
  let clauses: AstNode = rest
  for (;;) {
    const last = clauses.at(-1)
    const isChain = isNode(last) && last[0] === operator && last.length > 1
    for (const clause of isChain ? clauses.slice(0, -1) : clauses) all.push(withoutChains(clause))
    if (!isChain) return [operator, ...all]
    clauses = last.slice(1)
  }
}

const heights = new WeakMap<AstNode, number>()

/**
 * The number of entries that a condition needs on the stack of SQLite's parser, which has 100
 * entries before version 3.46: one for each parenthesis, a few for a subquery. A connective inside
 * the same connective needs no entry.
 */
export function heightIn(ast: Ast): number {
  if (!isNode(ast)) return 0
  const known = heights.get(ast)
  if (known !== undefined) return known
  const height = measured(ast)
  heights.set(ast, height)
  return height
}

const [leafHeight, subqueryHeight, heightAhead, highest] = [12, 8, 50, 62]

function measured(node: AstNode): number {
  const [operator, ...rest] = node
  const connective = connectiveIn(node)
  if (connective === 'not') return Math.max(leafHeight, ...rest.map(heightIn))
  if (connective !== undefined)
    return (
      1 +
      rest.reduce<number>((most, clause) => Math.max(most, heightIn(clause) - Number(isEqual(connective, clause))), 0)
    )
  if (operator !== 'in' && operator !== 'subquery') return leafHeight
  const height = subqueryHeight + nestedHeight(rest)
  return height > heightAhead ? leafHeight : height
}

/** True for a clause that is merged into the surrounding connective. */
function isEqual(connective: Connective, clause: Ast): boolean {
  let [node, negation]: [Ast, Negation] = [clause, 'none']
  while (connectiveIn(node) === 'not') {
    negation = negation === 'none' ? 'direct' : 'none'
    node = (node as AstNode)[1] ?? null
  }
  const inner = connectiveIn(node)
  return inner !== undefined && inner !== 'not' && negated(inner, negation) === connective
}

/** The height of the conditions of `extract`, `from` and `select_ENTITY`. */
function nestedHeight(parts: AstNode): number {
  let most = 0
  for (const part of parts) {
    if (!isNode(part)) continue
    const [operator, ...rest] = part
    const isQuery = operator === 'extract' || operator === 'from' || String(operator).startsWith('select')
    most = Math.max(most, isQuery ? nestedHeight(rest) : heightIn(part))
  }
  return most
}

/** True for a query inside `in` that is nested so deeply that it is evaluated before the outer query. */
export function isAnsweredAhead(query: AstNode): boolean {
  return subqueryHeight + nestedHeight([query]) > heightAhead
}

/** Rejects conditions in which `and` and `or` alternate too deeply. Throws INVALID_QUERY. */
export function requireShallow(condition: Ast): void {
  if (heightIn(condition) > highest)
    refuse(`Conditions alternate between 'and' and 'or' more than ${budgets.query.queryAlternations.bound} levels deep`)
}
