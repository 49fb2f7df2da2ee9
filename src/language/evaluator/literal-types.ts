import type { Access, Expression } from '../ast/nodes.ts'
import { builtinType } from '../types/names.ts'
import type { Type } from '../types/type.ts'
import type { Value } from '../values/value.ts'

/** The values of the literal ones, by node; of one that is none, that it is none. */
const known = new WeakMap<Access, { readonly value: Value } | 'none'>()

/**
 * The value of `Type[…]`, found once for a node where the expression says all by itself, as `Optional[String[1]]` and
 * `Class['apache']` do: it names types of the language and literals, and means the same in every scope and environment.
 */
export function literalType(node: Access, evaluate: () => Value): Value {
  const found = known.get(node)
  if (found !== undefined) return found === 'none' ? evaluate() : found.value
  const isLiteral = isLiteralType(node)
  if (!isLiteral) known.set(node, 'none')
  const value = evaluate()
  if (isLiteral) known.set(node, { value })
  return value
}

/** Types that are another one each time that they are made, or that are made with code. */
const ownIdentity: ReadonlySet<Type['kind']> = new Set(['Object', 'TypeSet', 'Init'])

function isLiteralType(node: Expression): boolean {
  if (node.kind === 'Access') return isLiteralType(node.left) && node.keys.every(isLiteral)
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
