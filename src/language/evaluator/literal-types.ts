import type { Access, Expression, QualifiedReference } from '../syntax/tree/nodes.ts'
import { findBuiltinType } from '../types/builtin-types.ts'
import type { Type } from '../values/type.ts'
import type { Value } from '../values/value.ts'

/** `Type[…]`, but not `Type[…][…]`, which reads a parameter of a resource. */
export interface TypeAccess extends Access {
  readonly left: QualifiedReference
}

/** True if the left side of an access is a type name: `Type[…]`. */
export function isTypeAccess(node: Access): node is TypeAccess {
  return node.left.kind === 'QualifiedReference'
}

/** Cached values of literal types by syntax node; `none` for a node that is not a literal type. */
const cache = new WeakMap<TypeAccess, { readonly value: Value } | 'none'>()

/**
 * Evaluates `Type[…]`, and caches the value if it contains only built-in types and literals, as in
 * `Optional[String[1]]` and `Class['apache']`. Such a type is the same in every scope and
 * environment.
 */
export function evaluateLiteralType(node: TypeAccess, evaluate: () => Value): Value {
  const found = cache.get(node)
  if (found === 'none') return evaluate()
  if (found) return found.value
  const value = evaluate()
  cache.set(node, isLiteralType(node) ? { value } : 'none')
  return value
}

/** Types that need a new object for each evaluation, or whose evaluation runs code. */
const ownIdentity: ReadonlySet<Type['kind']> = new Set(['Object', 'TypeSet', 'Init'])

function isLiteralType(node: Expression): boolean {
  if (node.kind === 'Access') return isTypeAccess(node) && isLiteralType(node.left) && node.keys.every(isLiteral)
  if (node.kind !== 'QualifiedReference') return false
  const type = findBuiltinType(node.casedValue)
  return type !== undefined && !ownIdentity.has(type.kind)
}

function isLiteral(node: Expression): boolean {
  switch (node.kind) {
    case 'LiteralString':
    case 'LiteralInteger':
    case 'LiteralFloat':
    case 'LiteralBoolean':
    case 'LiteralUndef':
    case 'LiteralDefault':
    case 'LiteralRegexp':
    case 'QualifiedName':
      return true
    case 'LiteralHash':
      return node.entries.every(({ key, value }) => isLiteral(key) && isLiteral(value))
    default:
      return isLiteralType(node)
  }
}
