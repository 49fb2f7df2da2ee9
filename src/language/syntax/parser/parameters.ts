import type { TokenKind } from '../lexer/token.ts'
import type { Access, Expression, Lambda, Parameter, QualifiedReference } from '../tree/nodes.ts'
import { blockBody } from './blocks.ts'
import type { TokenCursor } from './cursor.ts'
import { accessKeys } from './lists.ts'

/** Parses `($a, Type $b = 1,)` if the next token opens a parameter list. */
export function parameterList(p: TokenCursor): Parameter[] {
  if (!p.accept('(') && !p.accept('\n(')) return []
  const list = p.at(')') ? [] : parameters(p, ')')
  p.expect(')')
  return list
}

/** Parses `|$a, $b| >> Type { … }` if the next token opens a lambda. */
export function optionalLambda(p: TokenCursor): Lambda | undefined {
  if (!p.at('|')) return undefined
  const open = p.next()
  const list = p.at('|') ? [] : parameters(p, '|')
  p.expect('|')
  const returnType = optionalReturnType(p)
  const body = blockBody(p)
  return { kind: 'Lambda', span: p.span(open, body.span), parameters: list, body, returnType }
}

/** Parses one or more parameters, with an optional trailing comma, up to `closer`. */
export function parameters(p: TokenCursor, closer: TokenKind): Parameter[] {
  const list = [parameter(p)]
  while (p.accept(',') && !p.at(closer)) list.push(parameter(p))
  return list
}

function parameter(p: TokenCursor): Parameter {
  const type = p.at('CLASSREF') ? typeReference(p) : undefined
  const capturesRest = p.accept('*') !== undefined
  const name = p.expect('VARIABLE')
  const value = p.accept('=') ? p.parse.expression(p) : undefined
  return { kind: 'Parameter', span: p.span(name), name: name.value, type, value, capturesRest }
}

/** Parses `>> Type` if the next token is `>>`. */
export function optionalReturnType(p: TokenCursor): Expression | undefined {
  return p.accept('>>') ? typeReference(p) : undefined
}

/** Parses the name of a type or class: `A::B`. */
export function qualifiedReference(p: TokenCursor): QualifiedReference {
  const name = p.expect('CLASSREF')
  return { kind: 'QualifiedReference', span: p.span(name), casedValue: name.value }
}

/** Parses a type with or without parameters: `A::B`, `A::B[key, …]`. */
function typeReference(p: TokenCursor): QualifiedReference | Access {
  const name = qualifiedReference(p)
  return p.at('[') ? typeAccess(p, name, false) : name
}

/** Parses `[key, …]` after a type name. */
export function typeAccess(p: TokenCursor, left: QualifiedReference, trailing: boolean): Access {
  p.expect('[')
  const keys = accessKeys(p, trailing)
  return { kind: 'Access', span: p.span(left.span, p.expect(']')), left, keys }
}
