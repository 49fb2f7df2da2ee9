import type { Access, Expression, QualifiedReference } from '../syntax/tree/nodes.ts'
import { builtinType } from '../types/names.ts'
import type { Type } from '../values/type.ts'
import type { Value } from '../values/value.ts'

/** `Type[…]`, not `Type[…][…]`, which is a parameter of a resource. */
export interface TypeAccess extends Access {
  readonly left: QualifiedReference
}

/** True for an access whose left side is the name of a type, `Type[…]`. */
export function isTypeAccess(node: Access): node is TypeAccess {
  return node.left.kind === 'QualifiedReference'
}

/** Values of literal types by syntax node; `none` for a node that is no literal type. */
const known = new WeakMap<TypeAccess, { readonly value: Value } | 'none'>()

/**
 * The value of `Type[…]`, found once for a node where the expression says all by itself, as `Optional[String[1]]` and
 * `Class['apache']` do: it names types of the language and literals, and means the same in every scope and environment.
 */
export function literalType(node: TypeAccess, evaluate: () => Value): Value {
  const found = known.get(node)
  if (found === 'none') return evaluate()
  if (found) return found.value
  const value = evaluate()
  known.set(node, isLiteralType(node) ? { value } : 'none')
  return value
}

/** Types that are another one each time that they are made, or that are made with code. */
const ownIdentity: ReadonlySet<Type['kind']> = new Set(['Object', 'TypeSet', 'Init'])

function isLiteralType(node: Expression): boolean {
  if (node.kind === 'Access') return isTypeAccess(node) && isLiteralType(node.left) && node.keys.every(isLiteral)
  if (node.kind !== 'QualifiedReference') return false
  const type = builtinType(node.casedValue)
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
