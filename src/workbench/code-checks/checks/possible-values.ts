import type { Expression } from '../../../language/syntax/tree/nodes.ts'
import type { Type } from '../../../language/values/type.ts'

/**
 * False if no value of a type equals a literal text, Boolean, number or undef, as `==` and options compare them: texts
 * without regard to case. True for all other expressions, and for types whose values are not listed.
 */
export function canEqual(type: Type, literal: Expression): boolean {
  switch (type.kind) {
    case 'Optional':
      return literal.kind === 'LiteralUndef' || canEqual(type.type, literal)
    case 'Variant':
      return type.types.length === 0 || type.types.some((each) => canEqual(each, literal))
    case 'TypeAlias':
      return canEqual(type.resolved, literal)
    case 'Enum':
      return isText(literal)
        ? type.values.length === 0 || type.values.some((each) => each.toLowerCase() === literal.value.toLowerCase())
        : !isScalar(literal)
    case 'String':
    case 'Pattern':
      return isText(literal) || !isScalar(literal)
    case 'Boolean':
      return literal.kind === 'LiteralBoolean'
        ? type.value === undefined || type.value === literal.value
        : !isScalar(literal)
    case 'Integer':
    case 'Float':
    case 'Numeric':
      return literal.kind === 'LiteralInteger' || !isScalar(literal)
    case 'Array':
    case 'Hash':
    case 'Tuple':
    case 'Struct':
      return !isScalar(literal)
    default:
      return true
  }
}

/** The values of a type that lists them, in their order; undefined stands for undef. Empty for other types. */
export function listPossibleValues(type: Type): readonly (string | boolean | undefined)[] {
  switch (type.kind) {
    case 'Enum':
      return type.values
    case 'Boolean':
      return type.value === undefined ? [true, false] : [type.value]
    case 'Optional': {
      const values = listPossibleValues(type.type)
      return values.length === 0 ? [] : [...values, undefined]
    }
    case 'Variant':
      return [...new Set(type.types.flatMap(listPossibleValues))]
    case 'TypeAlias':
      return listPossibleValues(type.resolved)
    default:
      return []
  }
}

function isText(node: Expression): node is Extract<Expression, { kind: 'LiteralString' | 'QualifiedName' }> {
  return node.kind === 'LiteralString' || node.kind === 'QualifiedName'
}

function isScalar(node: Expression): boolean {
  return isText(node) || ['LiteralBoolean', 'LiteralInteger', 'LiteralUndef'].includes(node.kind)
}
