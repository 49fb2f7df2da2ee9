import type * as T from '../values/type.ts'
import type { Type } from '../values/type.ts'
import { around } from './bounds.ts'
import { isAssignable } from './is-assignable.ts'
import * as make from './make.ts'
import { DATA, RICH_DATA } from './well-known.ts'

/** Returns the narrowest type that Puppet infers as common to two types. Puppet: type_calculator.rb, `common_type`. */
export function commonType(a: Type, b: Type): Type {
  if (a.kind === 'Undef' || a.kind === 'Unit') return b
  if (b.kind === 'Undef' || b.kind === 'Unit') return a
  if (isAssignable(a, b)) return a
  if (isAssignable(b, a)) return b
  return ofOneKind(a, b) ?? ofOneFamily(a, b)
}

function ofOneKind(a: Type, b: Type): Type | undefined {
  if (a.kind === 'String' || a.kind === 'Enum') return ofStrings(a, b)
  if (a.kind === 'Array' && b.kind === 'Array') return make.arrayType(commonType(a.element, b.element))
  if (a.kind === 'Hash' && b.kind === 'Hash')
    return make.hashType(commonType(a.key, b.key), commonType(a.value, b.value))
  if (a.kind === 'Class' && b.kind === 'Class') return make.CLASS
  if (a.kind === 'Resource' && b.kind === 'Resource')
    return a.typeName === b.typeName ? make.resourceType(a.typeName) : make.RESOURCE
  if (a.kind === 'Integer' && b.kind === 'Integer') {
    const { from, to } = around(a, b)
    return make.integerType(from, to)
  }
  if (a.kind === 'Float' && b.kind === 'Float') {
    const { from, to } = around<number>(a, b)
    return make.floatType(from, to)
  }
  if (a.kind === 'Pattern' && b.kind === 'Pattern') return make.patternType([...a.patterns, ...b.patterns])
  if (a.kind === 'Variant' && b.kind === 'Variant') return make.variantType([...a.types, ...b.types])
  if (a.kind === 'Regexp' && b.kind === 'Regexp') return make.REGEXP
  if (a.kind === 'Callable' && b.kind === 'Callable') return make.CALLABLE
  return undefined
}

function ofStrings(a: T.StringType | T.EnumType, b: Type): Type | undefined {
  if (b.kind !== 'String' && b.kind !== 'Enum') return undefined
  if (a.kind === 'String' && b.kind === 'String') {
    if (a.value !== undefined && b.value !== undefined) return make.enumType([a.value, b.value])
    if (isUnsized(a) || isUnsized(b)) return make.STRING
    const { from, to } = around<number>(a.size, b.size)
    return make.stringType(make.sizeBounds(from, to))
  }
  const values = [a, b].map((each) => (each.kind === 'Enum' ? each.values : each.value && [each.value]))
  return values[0] && values[1] ? make.enumType([...values[0], ...values[1]]) : make.ENUM
}

function isUnsized({ size }: T.StringType): boolean {
  return size.from === undefined && size.to === undefined
}

function ofOneFamily(a: Type, b: Type): Type {
  for (const family of [make.NUMERIC, make.SCALAR_DATA, make.SCALAR, DATA])
    if (isAssignable(family, a) && isAssignable(family, b)) return family
  if (a.kind === 'Type' && b.kind === 'Type') return make.typeType(commonType(a.type, b.type))
  if (isAssignable(RICH_DATA, a) && isAssignable(RICH_DATA, b)) return RICH_DATA
  return make.ANY
}
