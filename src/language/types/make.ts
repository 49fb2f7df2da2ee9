import { byCodeUnit } from '../../base/text/by-code-unit.ts'
import type { Hash } from '../values/hash.ts'
import { toTypeKey } from '../values/hash-key.ts'
import type { Regexp } from '../values/regexp.ts'
import type { SemVerRange } from '../values/semver.ts'
import type * as T from '../values/type.ts'
import type { Bounds, Type } from '../values/type.ts'

/** No bounds. */
export const UNBOUNDED: Bounds<number> = Object.freeze({ from: undefined, to: undefined })

function simple<Kind extends T.SimpleType['kind']>(kind: Kind): T.SimpleType & { readonly kind: Kind } {
  return Object.freeze({ kind }) as T.SimpleType & { readonly kind: Kind }
}

/** `Any`: every value, including undef. */
export const ANY = simple('Any')
/** The element type of `[]` and `{}`: assignable to and from every type. It has no name in the language. */
export const UNIT = simple('Unit')
/** `Undef`: only undef. */
export const UNDEF = simple('Undef')
/** `Default`: only the value `default`, `DEFAULT` in `values/value.ts`. */
export const DEFAULT_TYPE = simple('Default')
/** `Scalar`: `ScalarData`, Regexp, SemVer, SemVerRange, Timespan and Timestamp. */
export const SCALAR = simple('Scalar')
/** `ScalarData`: String, Integer, Float and Boolean, without undef. */
export const SCALAR_DATA = simple('ScalarData')
/** `Numeric`: Integer and Float. */
export const NUMERIC = simple('Numeric')
/** `CatalogEntry`: the common parent of `Resource` and `Class`. */
export const CATALOG_ENTRY = simple('CatalogEntry')
/** `SemVerRange`: version ranges. The type of the versions in a range is `SemVer['>=1.0.0']`. */
export const SEMVER_RANGE = simple('SemVerRange')
/** `Binary`: bytes. A base64 text is a String. */
export const BINARY = simple('Binary')

/** Frozen bounds; `undefined` means unbounded. */
export function bounds<Bound>(from?: Bound, to?: Bound): Bounds<Bound> {
  return Object.freeze({ from, to })
}

/** Frozen bounds of a size; a negative bound becomes 0. */
export function sizeBounds(from?: number, to?: number): Bounds<number> {
  return bounds(Math.max(0, from ?? 0), to === undefined ? undefined : Math.max(0, to))
}

/** `Integer[from, to]`, inclusive; `undefined` means `default`, unbounded. */
export function integerType(from?: number | bigint, to?: number | bigint): T.IntegerType {
  return Object.freeze({ kind: 'Integer', from, to })
}

/** `Float[from, to]`, inclusive; `undefined` means `default`, unbounded. */
export function floatType(from?: number, to?: number): T.FloatType {
  return Object.freeze({ kind: 'Float', from, to })
}

/** `Timestamp[from, to]`; bounds in nanoseconds since 1970. */
export function timestampType(from?: bigint, to?: bigint): T.TimestampType {
  return Object.freeze({ kind: 'Timestamp', from, to })
}

/** `Timespan[from, to]`; bounds in nanoseconds. */
export function timespanType(from?: bigint, to?: bigint): T.TimespanType {
  return Object.freeze({ kind: 'Timespan', from, to })
}

/** `Boolean`, or `Boolean[value]`, which accepts only that value. */
export function booleanType(value?: boolean): T.BooleanType {
  return Object.freeze({ kind: 'Boolean', value })
}

/** `String[from, to]`, in code points; see `literalStringType` for a single value. */
export function stringType(size: Bounds<number> = UNBOUNDED): T.StringType {
  return Object.freeze({ kind: 'String', size, value: undefined })
}

/** The type of exactly one string. */
export function literalStringType(value: string): T.StringType {
  return Object.freeze({ kind: 'String', size: UNBOUNDED, value })
}

/** `Enum['a', 'b']`; values are sorted and made unique, as in Puppet. */
export function enumType(values: readonly string[] = [], caseInsensitive = false): T.EnumType {
  return Object.freeze({ kind: 'Enum', values: Object.freeze([...new Set(values)].sort(byCodeUnit)), caseInsensitive })
}

/** `Pattern[/a/, /b/]`: strings that match any of the patterns; without patterns, every string. */
export function patternType(patterns: readonly Regexp[] = []): T.PatternType {
  const unique = new Map(patterns.map((pattern) => [pattern.source, pattern]))
  return Object.freeze({ kind: 'Pattern', patterns: Object.freeze([...unique.values()]) })
}

/** `Regexp[/a/]`: the regular expression with that source; `undefined` means any. */
export function regexpType(pattern?: Regexp): T.RegexpType {
  return Object.freeze({ kind: 'Regexp', pattern })
}

/** `Collection[from, to]`: arrays and hashes by size. */
export function collectionType(size: Bounds<number> = UNBOUNDED): T.CollectionType {
  return Object.freeze({ kind: 'Collection', size })
}

/** `Array[T, from, to]`; if it must be empty, the element type is Unit. */
export function arrayType(element: Type = ANY, size: Bounds<number> = UNBOUNDED): T.ArrayType {
  return Object.freeze({ kind: 'Array', element: isZero(size) ? UNIT : element, size })
}

/** `Hash[K, V, from, to]`; if it must be empty, the key and value types are Unit. */
export function hashType(key: Type = ANY, value: Type = ANY, size: Bounds<number> = UNBOUNDED): T.HashType {
  const empty = isZero(size)
  return Object.freeze({ kind: 'Hash', key: empty ? UNIT : key, value: empty ? UNIT : value, size })
}

/**
 * `Tuple[A, B, from, to]`; further elements have the last type. Without a size, the number of types
 * is the size.
 */
export function tupleType(types: readonly Type[] = [], size?: Bounds<number>): T.TupleType {
  return Object.freeze({ kind: 'Tuple', types: Object.freeze([...types]), size })
}

/** `Struct[{a => A}]`: hashes with exactly these keys. */
export function structType(elements: readonly T.StructElement[] = []): T.StructType {
  return Object.freeze({ kind: 'Struct', elements: Object.freeze([...elements]) })
}

/** `Variant[A, B]`, flattened and without duplicates; a single type is returned unchanged. */
export function variantType(types: readonly Type[]): Type {
  const unique = new Map<string, Type>()
  for (const type of types.flatMap((each) => (each.kind === 'Variant' ? each.types : [each]))) {
    const key = toTypeKey(type)
    if (!unique.has(key)) unique.set(key, type)
  }
  const flat = [...unique.values()]
  return flat.length === 1 ? flat[0]! : Object.freeze({ kind: 'Variant', types: Object.freeze(flat) })
}

/** `Callable[…]`; without parameters, any callable. A return type of Any is omitted. */
export function callableType(parameters?: T.TupleType, block?: Type, returns?: Type): T.CallableType {
  return Object.freeze({ kind: 'Callable', parameters, block, returns: returns?.kind === 'Any' ? undefined : returns })
}

/** `Optional[T]`; without a type, the bare `Optional`, which differs from `Optional[Any]`. */
export function optionalType(type?: Type): T.OptionalType {
  return type ? Object.freeze({ kind: 'Optional', type }) : OPTIONAL
}

/** `NotUndef[T]`: the values of T except undef. */
export function notUndefType(type: Type = ANY): T.NotUndefType {
  return Object.freeze({ kind: 'NotUndef', type })
}

/** `Type[T]`; without a type, the bare `Type`. */
export function typeType(type?: Type): T.TypeType {
  return type ? Object.freeze({ kind: 'Type', type }) : TYPE
}

/** `Sensitive[T]`: Sensitive values that wrap a T. */
export function sensitiveType(type: Type = ANY): T.SensitiveType {
  return Object.freeze({ kind: 'Sensitive', type })
}

/** `Iterable[T]`; without a type, the bare `Iterable`. */
export function iterableType(type?: Type): T.IterableType {
  return type ? Object.freeze({ kind: 'Iterable', type }) : ITERABLE
}

/** `Iterator[T]`; without a type, the bare `Iterator`. */
export function iteratorType(type?: Type): T.IteratorType {
  return type ? Object.freeze({ kind: 'Iterator', type }) : ITERATOR
}

/** `SemVer[…]`: versions in any of the ranges; without ranges, every version. */
export function semVerType(ranges: readonly SemVerRange[] = []): T.SemVerType {
  return Object.freeze({ kind: 'SemVer', ranges: Object.freeze([...ranges]) })
}

/** `URI[{…}]`: URIs with these parts; `undefined` means any. */
export function uriType(parameters?: Hash): T.UriType {
  return Object.freeze({ kind: 'URI', parameters })
}

/** `Runtime[runtime, name]`: objects of the host language, as in `Runtime[ruby, 'Symbol']`. */
export function runtimeType(runtime?: string, name?: string): T.RuntimeType {
  return Object.freeze({ kind: 'Runtime', runtime, name })
}

/** A resource type or reference; the type name is case-insensitive. */
export function resourceType(typeName?: string, title?: string): T.ResourceType {
  return Object.freeze({ kind: 'Resource', typeName: typeName?.toLowerCase(), title })
}

/** A class reference; the name is case-insensitive, with or without a leading `::`. */
export function classType(className?: string): T.ClassType {
  return Object.freeze({ kind: 'Class', className: className?.toLowerCase().replace(/^::/, '') })
}

/** An alias; `resolve` is called once, on first use. */
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

/** `TypeReference['Foo[1]']`: the text of a type that is not defined; no value is an instance. */
export function typeReferenceType(typeString: string): T.TypeReferenceType {
  return Object.freeze({ kind: 'TypeReference', typeString })
}

function isZero({ to }: Bounds<number>): boolean {
  return to === 0
}

/** `Integer`: a `number` or a `bigint`. */
export const INTEGER: T.IntegerType = integerType()
/** `Float`; Integers are not instances. */
export const FLOAT: T.FloatType = floatType()
/** `Timestamp`: any point in time. */
export const TIMESTAMP: T.TimestampType = timestampType()
/** `Timespan`: any duration, including negative ones. */
export const TIMESPAN: T.TimespanType = timespanType()
/** `Boolean`: true and false. */
export const BOOLEAN: T.BooleanType = booleanType()
/** `String`, including the empty string. */
export const STRING: T.StringType = stringType()
/** `String[1]`. */
export const NON_EMPTY_STRING: T.StringType = stringType(sizeBounds(1))
/** The bare `Enum`: no value is an instance, but every string type is assignable to it (Puppet: PEnumType). */
export const ENUM: T.EnumType = enumType()
/** The bare `Pattern`: every string. */
export const PATTERN: T.PatternType = patternType()
/** The bare `Regexp`: every regular expression. */
export const REGEXP: T.RegexpType = regexpType()
/** The bare `Collection`: every array and hash. */
export const COLLECTION: T.CollectionType = collectionType()
/** The bare `Array`: `Array[Any]`. */
export const ARRAY: T.ArrayType = arrayType()
/** `Array[0, 0]`: the type of `[]`. */
export const EMPTY_ARRAY: T.ArrayType = arrayType(UNIT, sizeBounds(0, 0))
/** The bare `Hash`: `Hash[Any, Any]`. */
export const HASH: T.HashType = hashType()
/** `Hash[0, 0]`: the type of `{}`. */
export const EMPTY_HASH: T.HashType = hashType(UNIT, UNIT, sizeBounds(0, 0))
/** The bare `Tuple`: every array, of any size. */
export const TUPLE: T.TupleType = tupleType()
/** The bare `Struct`: only `{}`. */
export const STRUCT: T.StructType = structType()
/** The bare `Variant`: no value is an instance. */
export const VARIANT: Type = variantType([])
/** The bare `Callable`: every function and lambda. */
export const CALLABLE: T.CallableType = callableType()
/** The bare `Optional`: only undef, unlike `Optional[Any]`. */
export const OPTIONAL: T.OptionalType = Object.freeze({ kind: 'Optional', type: ANY, isBare: true })
/** The bare `NotUndef`: every value except undef. */
export const NOT_UNDEF: T.NotUndefType = notUndefType()
/** The bare `Type`: every type; `Type[Any]` is narrower. */
export const TYPE: T.TypeType = Object.freeze({ kind: 'Type', type: ANY, isBare: true })
/** The bare `Sensitive`: `Sensitive[Any]`. */
export const SENSITIVE: T.SensitiveType = sensitiveType()
/**
 * The bare `Iterable`: collections, strings, Iterators, Integers from 0, and types that list their
 * values.
 */
export const ITERABLE: T.IterableType = Object.freeze({ kind: 'Iterable', type: ANY, isBare: true })
/** The bare `Iterator`: every Iterator. */
export const ITERATOR: T.IteratorType = Object.freeze({ kind: 'Iterator', type: ANY, isBare: true })
/** The bare `Init`: every `RichData` value. */
export const INIT: T.InitType = Object.freeze({ kind: 'Init', type: undefined, arguments: [], acceptance: undefined })
/** The bare `SemVer`: every version. */
export const SEMVER: T.SemVerType = semVerType()
/** The bare `URI`: every URI. */
export const URI: T.UriType = uriType()
/** The bare `Runtime`: every object of the host language. */
export const RUNTIME: T.RuntimeType = runtimeType()
/** The bare `Resource`: references to resources of any type. */
export const RESOURCE: T.ResourceType = resourceType()
/** The bare `Class`: references to any class. */
export const CLASS: T.ClassType = classType()
