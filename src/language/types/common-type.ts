import type * as T from '../values/type.ts'
import type { Type } from '../values/type.ts'
import { uniteBounds } from './bounds.ts'
import * as make from './constructors.ts'
import { isAssignable } from './is-assignable.ts'
import { DATA, RICH_DATA } from './standard-types.ts'

/** Returns the narrowest type that Puppet infers as common to two types. Puppet: type_calculator.rb, `common_type`. */
export function inferCommonType(a: Type, b: Type): Type {
  if (a.kind === 'Undef' || a.kind === 'Unit') return b
  if (b.kind === 'Undef' || b.kind === 'Unit') return a
  if (isAssignable(a, b)) return a
  if (isAssignable(b, a)) return b
  return mergeSameKind(a, b) ?? findCommonFamily(a, b)
}

function mergeSameKind(a: Type, b: Type): Type | undefined {
  if (a.kind === 'String' || a.kind === 'Enum') return mergeStrings(a, b)
  if (a.kind === 'Array' && b.kind === 'Array') return make.createArrayType(inferCommonType(a.element, b.element))
  if (a.kind === 'Hash' && b.kind === 'Hash')
    return make.createHashType(inferCommonType(a.key, b.key), inferCommonType(a.value, b.value))
  if (a.kind === 'Class' && b.kind === 'Class') return make.CLASS
  if (a.kind === 'Resource' && b.kind === 'Resource')
    return a.typeName === b.typeName ? make.createResourceType(a.typeName) : make.RESOURCE
  if (a.kind === 'Integer' && b.kind === 'Integer') {
    const { from, to } = uniteBounds(a, b)
    return make.createIntegerType(from, to)
  }
  if (a.kind === 'Float' && b.kind === 'Float') {
    const { from, to } = uniteBounds<number>(a, b)
    return make.createFloatType(from, to)
  }
  if (a.kind === 'Pattern' && b.kind === 'Pattern') return make.createPatternType([...a.patterns, ...b.patterns])
  if (a.kind === 'Variant' && b.kind === 'Variant') return make.createVariantType([...a.types, ...b.types])
  if (a.kind === 'Regexp' && b.kind === 'Regexp') return make.REGEXP
  if (a.kind === 'Callable' && b.kind === 'Callable') return make.CALLABLE
  return undefined
}

function mergeStrings(a: T.StringType | T.EnumType, b: Type): Type | undefined {
  if (b.kind !== 'String' && b.kind !== 'Enum') return undefined
  if (a.kind === 'String' && b.kind === 'String') {
    if (a.value !== undefined && b.value !== undefined) return make.createEnumType([a.value, b.value])
    if (isUnsized(a) || isUnsized(b)) return make.STRING
    const { from, to } = uniteBounds<number>(a.size, b.size)
    return make.createStringType(make.createSizeBounds(from, to))
  }
  const values = [a, b].map((each) => (each.kind === 'Enum' ? each.values : each.value && [each.value]))
  return values[0] && values[1] ? make.createEnumType([...values[0], ...values[1]]) : make.ENUM
}

function isUnsized({ size }: T.StringType): boolean {
  return size.from === undefined && size.to === undefined
}

function findCommonFamily(a: Type, b: Type): Type {
  for (const family of [make.NUMERIC, make.SCALAR_DATA, make.SCALAR, DATA])
    if (isAssignable(family, a) && isAssignable(family, b)) return family
  if (a.kind === 'Type' && b.kind === 'Type') return make.createTypeType(inferCommonType(a.type, b.type))
  if (isAssignable(RICH_DATA, a) && isAssignable(RICH_DATA, b)) return RICH_DATA
  return make.ANY
}
