import type { SourceSpan } from '../../../base/source.ts'
import { syntaxIssues } from '../issues/syntax.ts'
import type { Token, TokenKind } from '../lexer/token.ts'
import type { Expression, KeyedEntry, LiteralHash, Operation, ResourceBody } from '../tree/nodes.ts'
import { attributeOperations, isAttribute } from './attributes.ts'
import { toBlock } from './blocks.ts'
import type { TokenCursor } from './cursor.ts'
import { expression, startsExpression } from './operators.ts'
import { transformCalls } from './statement-calls.ts'

/** True if a token of this kind can start a resource or an expression. */
export function startsResource(kind: TokenKind): boolean {
  return startsExpression(kind) || kind === '@' || kind === '@@'
}

/** Parses a resource in any of its forms, or an expression. */
export function resource(p: TokenCursor): Expression {
  if (p.at('@') || p.at('@@')) return virtualResource(p)
  let left = p.at('class') && p.kindAfter === '{' ? classResource(p) : expression(p)
  let levels = 0
  while (p.at('{')) {
    p.enter()
    levels++
    left = bracedResource(p, left)
  }
  p.leave(levels)
  return left
}

/** Parses a virtual or exported resource: `@file { … }`, `@@file { … }`. */
function virtualResource(p: TokenCursor): Expression {
  p.enter()
  const mark = p.next()
  const result = resource(p)
  p.leave()
  p.lookAhead()
  if (result.kind !== 'Resource' && result.kind !== 'ResourceDefaults' && result.kind !== 'ResourceOverride')
    p.fail(mark.kind === '@' ? syntaxIssues.VIRTUAL_NOT_RESOURCE : syntaxIssues.EXPORTED_NOT_RESOURCE, {}, mark)
  const form = mark.kind === '@' ? 'virtual' : 'exported'
  const span = p.span(mark, result.span)
  if (result.kind !== 'Resource') return { ...result, form, span }
  return { ...result, form, span, bodies: result.bodies.map((body) => ({ ...body, span: p.span(mark, body.span) })) }
}

/** Parses a class declaration: `class { 'a': … }`. */
function classResource(p: TokenCursor): Expression {
  const word = p.next()
  p.expect('{')
  const bodies = resourceBodies(p, p.span(word))
  const typeName = { kind: 'QualifiedName', span: p.span(word), value: word.value } as const
  return { kind: 'Resource', span: p.span(word, p.expect('}')), form: 'regular', typeName, bodies }
}

/** Parses the braces after an expression: a resource, resource defaults or a resource override. */
function bracedResource(p: TokenCursor, left: Expression): Expression {
  const open = p.next()
  if (startsExpression(p.kind) && !isAttribute(p)) {
    const bodies = resourceBodies(p, left.span)
    const span = p.span(left.span, p.expect('}'))
    return { kind: 'Resource', span, form: 'regular', typeName: left, bodies }
  }
  const operations = attributeOperations(p)
  const close = p.expect('}')
  const span = p.span(left.span, close)
  switch (left.kind) {
    case 'QualifiedName':
      return untitledResource(p, left, operations, open, close)
    case 'QualifiedReference':
      return { kind: 'ResourceDefaults', span, form: 'regular', typeRef: left, operations }
    case 'Access':
      return { kind: 'ResourceOverride', span, form: 'regular', resources: left, operations }
    default:
      return p.fail(syntaxIssues.NOT_RESOURCE_SHAPED, {}, left.span)
  }
}

function resourceBodies(p: TokenCursor, start: SourceSpan): ResourceBody[] {
  const bodies = [resourceBody(p, start)]
  while (p.accept(';') && !p.at('}')) bodies.push(resourceBody(p, start))
  return bodies
}

/** As in Puppet, the span of a body is the span of its resource. */
function resourceBody(p: TokenCursor, start: SourceSpan): ResourceBody {
  const title = expression(p)
  p.expect(':')
  const operations = attributeOperations(p)
  const last = operations.at(-1)?.span ?? title.span
  return { kind: 'ResourceBody', span: p.span(start, last), title, operations }
}

/**
 * Parses `name { a => b }` as a statement call with a hash, or as a name and a hash. Validation
 * reports the missing title.
 */
function untitledResource(
  p: TokenCursor,
  name: Expression,
  operations: readonly Operation[],
  open: Token,
  close: Token,
): Expression {
  const span = p.span(open, close)
  const entries = operations.map((operation): KeyedEntry => {
    if (operation.kind === 'AttributesOperation') {
      const nothing = { kind: 'Nop', span } as const
      return { kind: 'KeyedEntry', span, key: nothing, value: nothing }
    }
    if (operation.operator === '+>') p.fail(syntaxIssues.RESOURCE_BODY_WITHOUT_TITLE, {}, open)
    const key = { kind: 'LiteralString', span, value: operation.name } as const
    return { kind: 'KeyedEntry', span, key, value: operation.value }
  })
  const hash: LiteralHash = { kind: 'LiteralHash', span, entries }
  return toBlock(p, transformCalls(p, [name, hash]), p.span(name.span, close))
}
