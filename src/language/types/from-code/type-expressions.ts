import type { SourceSpan } from '../../../base/source.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { getChildren } from '../../syntax/tree/children.ts'
import type { AnyNode, Expression } from '../../syntax/tree/nodes.ts'
import { Float } from '../../values/float.ts'
import { Hash } from '../../values/hash.ts'
import { Regexp } from '../../values/regexp.ts'
import { isType, type Type } from '../../values/type.ts'
import { DEFAULT, type Value } from '../../values/value.ts'
import { findBuiltinType } from '../builtin-types.ts'
import { createTypeReferenceType } from '../constructors.ts'
import { interpretParameters } from './interpret-parameters.ts'

/** Finds a type that is not built-in: an alias, an Object type or a resource type. */
export type ResolveType = (name: string) => Type | undefined

/**
 * Converts an expression to a type without evaluation, as in type aliases and type strings. An
 * unknown name gives a TypeReference. Throws RUNTIME_ERROR. Puppet: type_parser.rb.
 */
export function toTypeFromExpression(expression: Expression, resolve: ResolveType = () => undefined): Type {
  const value = toLiteralValue(expression, resolve)
  return isType(value) ? value : rejectExpression(expression)
}

/** Finds a built-in type or one from `resolve`; otherwise returns a TypeReference. */
function resolveName(name: string, resolve: ResolveType = () => undefined): Type {
  return findBuiltinType(name) ?? resolve(name.replace(/^::/, '')) ?? createTypeReferenceType(name)
}

/** Converts a literal expression to a value: strings, numbers, types, and lists and hashes of them. */
export function toLiteralValue(expression: Expression, resolve: ResolveType): Value {
  switch (expression.kind) {
    case 'QualifiedReference':
      return resolveName(expression.casedValue, resolve)
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
      return expression.values.map((each) => toLiteralValue(each, resolve))
    case 'LiteralHash':
      return toHash(expression, resolve)
    case 'UnaryMinus':
      return negateValue(toLiteralValue(expression.expression, resolve)) ?? rejectExpression(expression)
    case 'Access':
      return toTypeFromAccess(expression, resolve)
    case 'Heredoc':
      return toLiteralValue(expression.text, resolve)
    default:
      return rejectExpression(expression)
  }
}

/** Throws RUNTIME_ERROR for an expression that is not a type. */
function rejectExpression(expression: Expression): never {
  throwArgumentError(`The expression <${getSourceText(expression)}> is not a valid type specification.`)
}

function toHash({ entries }: Extract<Expression, { kind: 'LiteralHash' }>, resolve: ResolveType): Hash {
  return Hash.of(
    entries.map(({ key, value }) => [toLiteralValue(key, resolve), toLiteralValue(value, resolve)] as const),
  )
}

function toTypeFromAccess(expression: Extract<Expression, { kind: 'Access' }>, resolve: ResolveType): Value {
  const { left, keys } = expression
  const parameters = keys.map((key) => toLiteralValue(key, resolve))
  if (left.kind !== 'QualifiedReference') return rejectExpression(expression)
  const base = resolveName(left.casedValue, resolve)
  if (base.kind === 'TypeReference' && base.typeString !== 'UnresolvedReference')
    return createTypeReferenceType(getSourceText(expression))
  const type = interpretParameters(left.casedValue, base, parameters, () => rejectExpression(expression))
  return type ?? rejectExpression(expression)
}

function negateValue(value: Value): Value {
  if (typeof value === 'number' || typeof value === 'bigint') return -value
  return value instanceof Float ? new Float(-value.value) : undefined
}

/**
 * Returns the source text of a node and its children. As in Puppet, the span of parentheses excludes the closing
 * parenthesis, and the type of an alias has no span.
 */
function getSourceText(node: AnyNode): string {
  const { source, start } = node.span
  const isOpen = node.kind === 'Parenthesized' || (node.kind === 'Access' && start < node.left.span.start)
  const spans = listSpans(node).slice(isOpen ? 1 : 0)
  return source.text.slice(
    Math.min(start, ...spans.map((each) => each.start)),
    Math.max(...spans.map(({ end }) => end)),
  )
}

function listSpans(node: AnyNode): SourceSpan[] {
  return [node.span, ...getChildren(node).flatMap(listSpans)]
}
