import { budgets } from '../../base/budgets/budgets.ts'
import { type Ast, type AstNode, isNode } from './ast.ts'
import { refuse } from './issues.ts'

/** The negation of a condition: by its own `not`, or by a `not` around the `and` or `or` that contains it. */
export type Negation = 'none' | 'direct' | 'through'

/** A condition whose operator is not `and`, `or` or `not`. */
export interface Leaf {
  readonly node: Ast
  readonly negation: Negation
}

/** An operator that joins conditions. */
export type Connective = 'and' | 'or'

/** The connective of a node, in lower case. */
export function connectiveIn(node: Ast): Connective | 'not' | undefined {
  const operator = isNode(node) && typeof node[0] === 'string' ? node[0].toLowerCase() : undefined
  return operator === 'and' || operator === 'or' || operator === 'not' ? operator : undefined
}

/** The connective after negation: `not (a and b)` is `not a or not b`. */
export function negated(connective: Connective, negation: Negation): Connective {
  if (negation === 'none') return connective
  return connective === 'and' ? 'or' : 'and'
}

/** The operands of a connective; nested equal connectives are flattened. Throws INVALID_QUERY. */
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

/**
 * Flattens connectives whose last operand has the same connective, as PQL nests long conditions.
 */
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
 * The number of entries of a condition on the stack of SQLite's parser, which holds 100 before version 3.46: one for each
 * parenthesis, a few for a subquery. A connective inside an equal connective adds none.
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

/** True for a clause that becomes part of the connective around it. */
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

/** True for a query inside `in` that is so deep that it is evaluated before the query around it. */
export function isAnsweredAhead(query: AstNode): boolean {
  return subqueryHeight + nestedHeight([query]) > heightAhead
}

/** Refuses conditions that alternate too deeply. Throws INVALID_QUERY. */
export function requireShallow(condition: Ast): void {
  if (heightIn(condition) > highest)
    refuse(`Conditions alternate between 'and' and 'or' more than ${budgets.query.queryAlternations.bound} levels deep`)
}
