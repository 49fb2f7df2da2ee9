import type { TokenKind } from '../lexer/token.ts'
import type { Apply, Expression, Render, ReservedWord } from '../tree/nodes.ts'
import { blockBody, toBlock } from './blocks.ts'
import { caseExpression, ifExpression, unlessExpression } from './conditionals.ts'
import type { TokenCursor } from './cursor.ts'
import {
  classDefinition,
  functionDefinition,
  nodeDefinition,
  planDefinition,
  resourceTypeDefinition,
  typeDefinition,
} from './definitions.ts'
import { callArguments, hashLiteral, listLiteral } from './lists.ts'
import { numberLiteral } from './numbers.ts'
import { optionalLambda, qualifiedReference } from './parameters.ts'
import { heredoc, interpolatedString, literalString } from './strings.ts'

type Rule = (p: TokenCursor) => Expression

/** Rules for operands, by the kind of the operand's first token. */
const rules: Partial<Record<TokenKind, Rule>> = {
  VARIABLE(p) {
    const token = p.next()
    return { kind: 'Variable', span: p.span(token), name: token.value }
  },
  NAME(p) {
    const token = p.next()
    return { kind: 'QualifiedName', span: p.span(token), value: token.value }
  },
  BOOLEAN(p) {
    const token = p.next()
    return { kind: 'LiteralBoolean', span: p.span(token), value: token.value === 'true' }
  },
  REGEX(p) {
    const token = p.next()
    return { kind: 'LiteralRegexp', span: p.span(token), pattern: token.value }
  },
  NUMBER: numberLiteral,
  CLASSREF: qualifiedReference,
  STRING: literalString,
  WORD: literalString,
  DQPRE: interpolatedString,
  HEREDOC: heredoc,
  '[': listLiteral,
  ' [': listLiteral,
  '{': hashLiteral,
  '(': parenthesizedExpression,
  '\n(': parenthesizedExpression,
  undef: (p) => ({ kind: 'LiteralUndef', span: p.span(p.next()) }),
  default: (p) => ({ kind: 'LiteralDefault', span: p.span(p.next()) }),
  attr: reservedWord,
  private: reservedWord,
  if: ifExpression,
  unless: unlessExpression,
  case: caseExpression,
  class: classDefinition,
  define: resourceTypeDefinition,
  node: nodeDefinition,
  function: functionDefinition,
  plan: planDefinition,
  apply: applyExpression,
  type: (p) => (p.kindAfter === '(' ? typeCall(p) : typeDefinition(p)),
  RENDER_STRING(p) {
    const token = p.next()
    return { kind: 'RenderString', span: p.span(token), value: token.value }
  },
  RENDER_EXPR: render,
}

/** True if a token of this kind can start an operand. */
export function startsPrimary(kind: TokenKind): boolean {
  return rules[kind] !== undefined
}

/** Parses an operand without its suffixes. */
export function primary(p: TokenCursor): Expression {
  return (rules[p.kind] ?? failUnexpected)(p)
}

function failUnexpected(p: TokenCursor): never {
  return p.unexpected()
}

function parenthesizedExpression(p: TokenCursor): Expression {
  const open = p.next()
  const expression = p.parse.assignment(p)
  return { kind: 'Parenthesized', span: p.span(open, p.expect(')')), expression }
}

function reservedWord(p: TokenCursor): ReservedWord {
  const token = p.next()
  return { kind: 'ReservedWord', span: p.span(token), word: token.value, future: false }
}

/** Parses a call of the function `type`: `type(…)`. */
function typeCall(p: TokenCursor): Expression {
  const word = p.next()
  p.expect('(')
  const functor = { kind: 'QualifiedName', span: p.span(word), value: word.value } as const
  const values = callArguments(p, true)
  const close = p.expect(')')
  const lambda = optionalLambda(p)
  const span = p.span(word, lambda?.span ?? close)
  return { kind: 'CallNamedFunction', span, functor, arguments: values, lambda, rvalRequired: true }
}

/** Parses `apply(targets) { … }` in a plan. */
function applyExpression(p: TokenCursor): Apply {
  const word = p.next()
  p.expect('(')
  if (p.at(')')) p.unexpected()
  const values = callArguments(p, true)
  p.expect(')')
  const body = blockBody(p)
  return { kind: 'Apply', span: p.span(word, body.span), arguments: values, body }
}

/** Parses an expression tag of a template: `<%= expression %>` or `<%= { statements } %>`. */
function render(p: TokenCursor): Render {
  const open = p.next()
  const expression = p.at('{') && !startsHash(p) ? renderBlock(p) : p.parse.expression(p)
  return { kind: 'Render', span: p.span(open, p.expect('EPP_END')), expression }
}

function renderBlock(p: TokenCursor): Expression {
  const brace = p.expect('{')
  const statements = p.parse.statements(p)
  return toBlock(p, statements, p.span(brace, p.expect('}')))
}

/** True if the next `{` starts a hash: `{}` or `{ key =>`. */
function startsHash(p: TokenCursor): boolean {
  if (p.kindAfter === '}') return true
  if (p.kindAfter === 'type' || p.kindAfter === 'function') return false
  const mark = p.mark()
  const count = p.definitions.length
  p.expect('{')
  p.parse.assignment(p)
  const isHash = p.at('=>')
  p.back(mark)
  p.forget(count)
  return isHash
}
