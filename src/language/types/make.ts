import type { Hash } from '../values/hash.ts'
import { keyOfType } from '../values/hash-key.ts'
import type { Regexp } from '../values/regexp.ts'
import type { SemVerRange } from '../values/semver.ts'
import type * as T from '../values/type.ts'
import type { Bounds, Type } from '../values/type.ts'

/** No bounds. */
export const UNBOUNDED: Bounds<number> = Object.freeze({ from: undefined, to: undefined })

function simple<Kind extends T.SimpleType['kind']>(kind: Kind): T.SimpleType & { readonly kind: Kind } {
  return Object.freeze({ kind }) as T.SimpleType & { readonly kind: Kind }
}

export const ANY = simple('Any')
export const UNIT = simple('Unit')
export const UNDEF = simple('Undef')
export const DEFAULT_TYPE = simple('Default')
export const SCALAR = simple('Scalar')
export const SCALAR_DATA = simple('ScalarData')
export const NUMERIC = simple('Numeric')
export const CATALOG_ENTRY = simple('CatalogEntry')
export const SEMVER_RANGE = simple('SemVerRange')
export const BINARY = simple('Binary')

/** Bounds, frozen; both ends may be absent. */
export function bounds<Bound>(from?: Bound, to?: Bound): Bounds<Bound> {
  return Object.freeze({ from, to })
}

/** Bounds of a size: never negative. */
export function sizeBounds(from?: number, to?: number): Bounds<number> {
  return bounds(Math.max(0, from ?? 0), to === undefined ? undefined : Math.max(0, to))
}

export function integerType(from?: number | bigint, to?: number | bigint): T.IntegerType {
  return Object.freeze({ kind: 'Integer', from, to })
}

export function floatType(from?: number, to?: number): T.FloatType {
  return Object.freeze({ kind: 'Float', from, to })
}

/** From and to in nanoseconds. */
export function timestampType(from?: bigint, to?: bigint): T.TimestampType {
  return Object.freeze({ kind: 'Timestamp', from, to })
}

/** From and to in nanoseconds. */
export function timespanType(from?: bigint, to?: bigint): T.TimespanType {
  return Object.freeze({ kind: 'Timespan', from, to })
}

export function booleanType(value?: boolean): T.BooleanType {
  return Object.freeze({ kind: 'Boolean', value })
}

export function stringType(size: Bounds<number> = UNBOUNDED): T.StringType {
  return Object.freeze({ kind: 'String', size, value: undefined })
}

/** The type of exactly one string. */
export function literalStringType(value: string): T.StringType {
  return Object.freeze({ kind: 'String', size: UNBOUNDED, value })
}

/** The values are kept sorted and once, as Puppet keeps them. */
export function enumType(values: readonly string[] = [], caseInsensitive = false): T.EnumType {
  return Object.freeze({ kind: 'Enum', values: Object.freeze([...new Set(values)].sort(byBytes)), caseInsensitive })
}

export function patternType(patterns: readonly Regexp[] = []): T.PatternType {
  const unique = new Map(patterns.map((pattern) => [pattern.source, pattern]))
  return Object.freeze({ kind: 'Pattern', patterns: Object.freeze([...unique.values()]) })
}

export function regexpType(pattern?: Regexp): T.RegexpType {
  return Object.freeze({ kind: 'Regexp', pattern })
}

export function collectionType(size: Bounds<number> = UNBOUNDED): T.CollectionType {
  return Object.freeze({ kind: 'Collection', size })
}

/** An array that must be empty has elements of type Unit. */
export function arrayType(element: Type = ANY, size: Bounds<number> = UNBOUNDED): T.ArrayType {
  return Object.freeze({ kind: 'Array', element: isZero(size) ? UNIT : element, size })
}

/** A hash that must be empty has keys and values of type Unit. */
export function hashType(key: Type = ANY, value: Type = ANY, size: Bounds<number> = UNBOUNDED): T.HashType {
  const empty = isZero(size)
  return Object.freeze({ kind: 'Hash', key: empty ? UNIT : key, value: empty ? UNIT : value, size })
}

export function tupleType(types: readonly Type[] = [], size?: Bounds<number>): T.TupleType {
  return Object.freeze({ kind: 'Tuple', types: Object.freeze([...types]), size })
}

export function structType(elements: readonly T.StructElement[] = []): T.StructType {
  return Object.freeze({ kind: 'Struct', elements: Object.freeze([...elements]) })
}

/** Flat and without doubles; of one type, it is that type. */
export function variantType(types: readonly Type[]): Type {
  const unique = new Map<string, Type>()
  for (const type of types.flatMap((each) => (each.kind === 'Variant' ? each.types : [each]))) {
    const key = keyOfType(type)
    if (!unique.has(key)) unique.set(key, type)
  }
  const flat = [...unique.values()]
  return flat.length === 1 ? flat[0]! : Object.freeze({ kind: 'Variant', types: Object.freeze(flat) })
}

/** Without parameters, of anything. A result of Any is none. */
export function callableType(parameters?: T.TupleType, block?: Type, returns?: Type): T.CallableType {
  return Object.freeze({ kind: 'Callable', parameters, block, returns: returns?.kind === 'Any' ? undefined : returns })
}

/** Without a type, the bare one; it is not `Optional[Any]`. */
export function optionalType(type?: Type): T.OptionalType {
  return type ? Object.freeze({ kind: 'Optional', type }) : OPTIONAL
}

export function notUndefType(type: Type = ANY): T.NotUndefType {
  return Object.freeze({ kind: 'NotUndef', type })
}

/** Without a type, the bare one. */
export function typeType(type?: Type): T.TypeType {
  return type ? Object.freeze({ kind: 'Type', type }) : TYPE
}

export function sensitiveType(type: Type = ANY): T.SensitiveType {
  return Object.freeze({ kind: 'Sensitive', type })
}

/** Without a type, the bare one. */
export function iterableType(type?: Type): T.IterableType {
  return type ? Object.freeze({ kind: 'Iterable', type }) : ITERABLE
}

/** Without a type, the bare one. */
export function iteratorType(type?: Type): T.IteratorType {
  return type ? Object.freeze({ kind: 'Iterator', type }) : ITERATOR
}

export function semVerType(ranges: readonly SemVerRange[] = []): T.SemVerType {
  return Object.freeze({ kind: 'SemVer', ranges: Object.freeze([...ranges]) })
}

export function uriType(parameters?: Hash): T.UriType {
  return Object.freeze({ kind: 'URI', parameters })
}

export function runtimeType(runtime?: string, name?: string): T.RuntimeType {
  return Object.freeze({ kind: 'Runtime', runtime, name })
}

/** The type name in any case. */
export function resourceType(typeName?: string, title?: string): T.ResourceType {
  return Object.freeze({ kind: 'Resource', typeName: typeName?.toLowerCase(), title })
}

/** The class name in any case, with or without a leading `::`. */
export function classType(className?: string): T.ClassType {
  return Object.freeze({ kind: 'Class', className: className?.toLowerCase().replace(/^::/, '') })
}

/** An alias; `resolve` is asked once, when what it stands for is first needed. */
export function typeAliasType(name: string, resolve: () => Type): T.TypeAliasType {
  let resolved: Type | undefined
  return Object.freeze({
    kind: 'TypeAlias',
    name,
    get resolved(): Type {
      resolved ??= resolve()
      return resolved
    },
  })
}

export function typeReferenceType(typeString: string): T.TypeReferenceType {
  return Object.freeze({ kind: 'TypeReference', typeString })
}

/** By code points, as Ruby sorts strings. */
function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function isZero({ from, to }: Bounds<number>): boolean {
  return (from ?? 0) === 0 && to === 0
}

export const INTEGER: T.IntegerType = integerType()
export const FLOAT: T.FloatType = floatType()
export const TIMESTAMP: T.TimestampType = timestampType()
export const TIMESPAN: T.TimespanType = timespanType()
export const BOOLEAN: T.BooleanType = booleanType()
export const STRING: T.StringType = stringType()
export const NON_EMPTY_STRING: T.StringType = stringType(sizeBounds(1))
export const ENUM: T.EnumType = enumType()
export const PATTERN: T.PatternType = patternType()
export const REGEXP: T.RegexpType = regexpType()
export const COLLECTION: T.CollectionType = collectionType()
export const ARRAY: T.ArrayType = arrayType()
export const EMPTY_ARRAY: T.ArrayType = arrayType(UNIT, sizeBounds(0, 0))
export const HASH: T.HashType = hashType()
export const EMPTY_HASH: T.HashType = hashType(UNIT, UNIT, sizeBounds(0, 0))
export const TUPLE: T.TupleType = tupleType()
export const STRUCT: T.StructType = structType()
export const VARIANT: Type = variantType([])
export const CALLABLE: T.CallableType = callableType()
export const OPTIONAL: T.OptionalType = Object.freeze({ kind: 'Optional', type: ANY, isBare: true })
export const NOT_UNDEF: T.NotUndefType = notUndefType()
export const TYPE: T.TypeType = Object.freeze({ kind: 'Type', type: ANY, isBare: true })
export const SENSITIVE: T.SensitiveType = sensitiveType()
export const ITERABLE: T.IterableType = Object.freeze({ kind: 'Iterable', type: ANY, isBare: true })
export const ITERATOR: T.IteratorType = Object.freeze({ kind: 'Iterator', type: ANY, isBare: true })
export const INIT: T.InitType = Object.freeze({ kind: 'Init', type: undefined, arguments: [], acceptance: undefined })
export const SEMVER: T.SemVerType = semVerType()
export const URI: T.UriType = uriType()
export const RUNTIME: T.RuntimeType = runtimeType()
export const RESOURCE: T.ResourceType = resourceType()
export const CLASS: T.ClassType = classType()
