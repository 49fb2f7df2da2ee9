import type { SourceSpan } from '../../../base/source.ts'
import type { Token, TokenKind } from '../lexer/token.ts'
import type {
  Arithmetic,
  CallMethod,
  Collect,
  Comparison,
  Expression,
  Match,
  NamedAccess,
  Query,
} from '../tree/nodes.ts'
import { attributeOperations } from './attributes.ts'
import { selector } from './conditionals.ts'
import type { TokenCursor } from './cursor.ts'
import { accessKeys, callArguments } from './lists.ts'
import { optionalLambda } from './parameters.ts'
import { primary, startsPrimary } from './primary.ts'

/** Precedence of binary operators, as in Puppet's grammar. All of these operators are left-associative. */
const binding: Partial<Record<TokenKind, number>> = {
  in: 10,
  '=~': 9,
  '!~': 9,
  '*': 8,
  '/': 8,
  '%': 8,
  '+': 7,
  '-': 7,
  '<<': 6,
  '>>': 6,
  '==': 5,
  '!=': 5,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '?': 3,
  and: 2,
  or: 1,
}

/** True if a token of this kind can start an expression. */
export function startsExpression(kind: TokenKind): boolean {
  return startsPrimary(kind) || kind === '-' || kind === '*' || kind === '!'
}

/** Parses operators and operands, without assignments, relationships and resources. */
export function expression(p: TokenCursor): Expression {
  p.enter(2)
  const result = operation(p, 1)
  p.leave(2)
  return result
}

/** Parses operands joined by operators of precedence `least` or higher. */
function operation(p: TokenCursor, least: number): Expression {
  let left = unary(p)
  let levels = 0
  for (;;) {
    const strength = binding[p.kind]
    if (strength === undefined || strength < least) break
    p.enter()
    levels++
    left = p.at('?') ? postfix(p, selector(p, left)) : buildBinary(p, left, p.next(), operation(p, strength + 1))
  }
  p.leave(levels)
  return left
}

function buildBinary(p: TokenCursor, left: Expression, token: Token, right: Expression): Expression {
  // As in Puppet, the span of an operation is the span of its operator.
  const span = p.span(token)
  switch (token.kind) {
    case 'and':
      return { kind: 'And', span, left, right }
    case 'or':
      return { kind: 'Or', span, left, right }
    case 'in':
      return { kind: 'In', span, left, right }
    case '=~':
    case '!~':
      return { kind: 'Match', span, operator: token.kind, left, right } satisfies Match
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return { kind: 'Comparison', span, operator: token.kind, left, right } satisfies Comparison
    default:
      return { kind: 'Arithmetic', span, operator: token.kind as Arithmetic['operator'], left, right }
  }
}

const prefixes: Partial<Record<TokenKind, 'Not' | 'UnaryMinus' | 'Unfold'>> = {
  '!': 'Not',
  '-': 'UnaryMinus',
  '*': 'Unfold',
}

/** Parses an operand with its prefix operators, which bind tighter than binary operators. */
function unary(p: TokenCursor): Expression {
  const kind = prefixes[p.kind]
  if (!kind) return postfix(p, primary(p))
  p.enter(2)
  const token = p.next()
  const result: Expression = { kind, span: p.span(token), expression: unary(p) }
  p.leave(2)
  return result
}

/** Parses the suffixes of an operand: access, method calls, collectors. */
function postfix(p: TokenCursor, operand: Expression): Expression {
  let left = operand
  let levels = 0
  for (;;) {
    const rule = suffixes[p.kind]
    if (!rule) break
    p.enter()
    levels++
    left = rule(p, left)
  }
  p.leave(levels)
  return left
}

const suffixes: Partial<Record<TokenKind, (p: TokenCursor, left: Expression) => Expression>> = {
  '[': access,
  '(': call,
  '.': methodCall,
  '<|': collect,
  '<<|': collect,
}

function access(p: TokenCursor, left: Expression): Expression {
  p.next()
  const keys = accessKeys(p, true)
  return { kind: 'Access', span: p.span(left.span, p.expect(']')), left, keys }
}

function call(p: TokenCursor, functor: Expression): Expression {
  p.next()
  const values = callArguments(p, true)
  const close = p.expect(')')
  const lambda = optionalLambda(p)
  const span = p.span(functor.span, lambda?.span ?? close)
  return { kind: 'CallNamedFunction', span, functor, arguments: values, lambda, rvalRequired: true }
}

/** Parses `left.name(…)`. The span of the call is that of `(`, or that of `.` if there are no arguments. */
function methodCall(p: TokenCursor, left: Expression): CallMethod {
  const dot = p.next()
  if (!p.at('NAME') && !p.at('type')) p.unexpected()
  const name = p.next()
  const right = { kind: 'QualifiedName', span: p.span(name), value: name.value } as const
  const functor: NamedAccess = { kind: 'NamedAccess', span: p.span(dot, name), left, right }
  let span: SourceSpan = functor.span
  let values: Expression[] = []
  if (p.at('(')) {
    const open = p.next()
    values = callArguments(p, false)
    span = p.span(open, p.expect(')'))
  }
  return { kind: 'CallMethod', span, functor, arguments: values, lambda: optionalLambda(p), rvalRequired: true }
}

/** Parses a collector: `Type <| query |> { … }`. */
function collect(p: TokenCursor, type: Expression): Collect {
  const open = p.next()
  const exported = open.kind === '<<|'
  const closer = exported ? '|>>' : '|>'
  const asked = p.at(closer) ? undefined : p.parse.expression(p)
  const query: Query = { kind: 'Query', span: p.span(open, p.expect(closer)), exported, expression: asked }
  if (!p.accept('{')) return { kind: 'Collect', span: p.span(type.span, query.span), type, query, operations: [] }
  const operations = attributeOperations(p)
  return { kind: 'Collect', span: p.span(type.span, p.expect('}')), type, query, operations }
}
