import type { Span } from '../../../base/source.ts'
import { refuse } from '../../ruby-semantics/argument-error.ts'
import { getChildren } from '../../syntax/tree/children.ts'
import type { AnyNode, Expression } from '../../syntax/tree/nodes.ts'
import { Float } from '../../values/float.ts'
import { Hash } from '../../values/hash.ts'
import { Regexp } from '../../values/regexp.ts'
import { isType, type Type } from '../../values/type.ts'
import { DEFAULT, type Value } from '../../values/value.ts'
import { typeReferenceType } from '../make.ts'
import { builtinType } from '../names.ts'
import { parametersFor } from './interpret-parameters.ts'

/** Finds a type that is not built-in: an alias, an Object type or a resource type. */
export type ResolveType = (name: string) => Type | undefined

/**
 * Converts an expression to a type without evaluation, as in type aliases and type strings. An
 * unknown name gives a TypeReference. Throws RUNTIME_ERROR. Puppet: type_parser.rb.
 */
export function typeFromExpression(expression: Expression, resolve: ResolveType = () => undefined): Type {
  const value = literalFromExpression(expression, resolve)
  return isType(value) ? value : refuseExpression(expression)
}

/** Finds a built-in type or one from `resolve`; otherwise returns a TypeReference. */
function typeByName(name: string, resolve: ResolveType = () => undefined): Type {
  return builtinType(name) ?? resolve(name.replace(/^::/, '')) ?? typeReferenceType(name)
}

/** Converts a literal expression to a value: strings, numbers, types, and lists and hashes of them. */
export function literalFromExpression(expression: Expression, resolve: ResolveType): Value {
  switch (expression.kind) {
    case 'QualifiedReference':
      return typeByName(expression.casedValue, resolve)
    case 'QualifiedName':
    case 'LiteralString':
    case 'LiteralInteger':
    case 'LiteralBoolean':
      return expression.value
    case 'LiteralFloat':
      return new Float(expression.value)
    case 'LiteralUndef':
      return undefined
    case 'LiteralDefault':
      return DEFAULT
    case 'LiteralRegexp':
      return new Regexp(expression.pattern)
    case 'LiteralList':
      return expression.values.map((each) => literalFromExpression(each, resolve))
    case 'LiteralHash':
      return hashFromExpression(expression, resolve)
    case 'UnaryMinus':
      return negative(literalFromExpression(expression.expression, resolve)) ?? refuseExpression(expression)
    case 'Access':
      return typeFromAccess(expression, resolve)
    case 'Heredoc':
      return literalFromExpression(expression.text, resolve)
    default:
      return refuseExpression(expression)
  }
}

/** Throws RUNTIME_ERROR for an expression that is not a type. */
function refuseExpression(expression: Expression): never {
  refuse(`The expression <${textOfTree(expression)}> is not a valid type specification.`)
}

function hashFromExpression({ entries }: Extract<Expression, { kind: 'LiteralHash' }>, resolve: ResolveType): Hash {
  return Hash.of(
    entries.map(
      ({ key, value }) => [literalFromExpression(key, resolve), literalFromExpression(value, resolve)] as const,
    ),
  )
}

function typeFromAccess(expression: Extract<Expression, { kind: 'Access' }>, resolve: ResolveType): Value {
  const { left, keys } = expression
  const parameters = keys.map((key) => literalFromExpression(key, resolve))
  if (left.kind !== 'QualifiedReference') return refuseExpression(expression)
  const base = typeByName(left.casedValue, resolve)
  if (base.kind === 'TypeReference' && base.typeString !== 'UnresolvedReference')
    return typeReferenceType(textOfTree(expression))
  const type = parametersFor(left.casedValue, base, parameters, () => refuseExpression(expression))
  return type ?? refuseExpression(expression)
}

function negative(value: Value): Value {
  if (typeof value === 'number' || typeof value === 'bigint') return -value
  return value instanceof Float ? new Float(-value.value) : undefined
}

/**
 * Returns the source text of a node and its children. As in Puppet, the span of parentheses excludes the closing
 * parenthesis, and the type of an alias has no span.
 */
function textOfTree(node: AnyNode): string {
  const { source, start } = node.span
  const isOpen = node.kind === 'Parenthesized' || (node.kind === 'Access' && start < node.left.span.start)
  const spans = spansIn(node).slice(isOpen ? 1 : 0)
  return source.text.slice(
    Math.min(start, ...spans.map((each) => each.start)),
    Math.max(...spans.map(({ end }) => end)),
  )
}

function spansIn(node: AnyNode): Span[] {
  return [node.span, ...getChildren(node).flatMap(spansIn)]
}
