import type { TokenKind } from '../lexer/token.ts'
import type { Access, Expression, Lambda, Parameter, QualifiedReference } from '../tree/nodes.ts'
import { blockBody } from './blocks.ts'
import type { Cursor } from './cursor.ts'
import { accessKeys } from './lists.ts'

/** `($a, Type $b = 1,)`, or nothing. */
export function parameterList(p: Cursor): Parameter[] {
  if (!p.accept('(') && !p.accept('\n(')) return []
  const list = p.at(')') ? [] : parameters(p, ')')
  p.expect(')')
  return list
}

/** `|$a, $b| >> Type { … }`, if it is here. */
export function optionalLambda(p: Cursor): Lambda | undefined {
  if (!p.at('|')) return undefined
  const open = p.next()
  const list = p.at('|') ? [] : parameters(p, '|')
  p.expect('|')
  const returnType = optionalReturnType(p)
  const body = blockBody(p)
  return { kind: 'Lambda', span: p.span(open, body.span), parameters: list, body, returnType }
}

/** One or more parameters, and perhaps a comma, up to the closer. */
export function parameters(p: Cursor, closer: TokenKind): Parameter[] {
  const list = [parameter(p)]
  while (p.accept(',') && !p.at(closer)) list.push(parameter(p))
  return list
}

function parameter(p: Cursor): Parameter {
  const type = p.at('CLASSREF') ? typeReference(p) : undefined
  const capturesRest = p.accept('*') !== undefined
  const name = p.expect('VARIABLE')
  const value = p.accept('=') ? p.parse.expression(p) : undefined
  return { kind: 'Parameter', span: p.span(name), name: name.value, type, value, capturesRest }
}

/** `>> Type`, if it is here. */
export function optionalReturnType(p: Cursor): Expression | undefined {
  return p.accept('>>') ? typeReference(p) : undefined
}

/** `A::B` */
export function qualifiedReference(p: Cursor): QualifiedReference {
  const name = p.expect('CLASSREF')
  return { kind: 'QualifiedReference', span: p.span(name), casedValue: name.value }
}

/** `A::B` or `A::B[key, …]` */
function typeReference(p: Cursor): QualifiedReference | Access {
  const name = qualifiedReference(p)
  return p.at('[') ? typeAccess(p, name, false) : name
}

/** `[key, …]` after a type. */
export function typeAccess(p: Cursor, left: QualifiedReference, trailing: boolean): Access {
  p.expect('[')
  const keys = accessKeys(p, trailing)
  return { kind: 'Access', span: p.span(left.span, p.expect(']')), left, keys }
}
