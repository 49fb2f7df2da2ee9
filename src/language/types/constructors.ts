import { compareCodeUnits } from '../../base/text/code-unit-order.ts'
import type { Hash } from '../values/hash.ts'
import { toTypeKey } from '../values/hash-key.ts'
import type { Regexp } from '../values/regexp.ts'
import type { SemVerRange } from '../values/semver.ts'
import type * as T from '../values/type.ts'
import type { Bounds, Type } from '../values/type.ts'

/** Bounds without a minimum and a maximum. */
export const UNBOUNDED: Bounds<number> = Object.freeze({ from: undefined, to: undefined })

function createSimpleType<Kind extends T.SimpleType['kind']>(kind: Kind): T.SimpleType & { readonly kind: Kind } {
  return Object.freeze({ kind }) as T.SimpleType & { readonly kind: Kind }
}

/** `Any`: every value, including undef. */
export const ANY = createSimpleType('Any')
/** The element type of `[]` and `{}`: assignable to and from every type. It has no name in the language. */
export const UNIT = createSimpleType('Unit')
/** `Undef`: only undef. */
export const UNDEF = createSimpleType('Undef')
/** `Default`: only the value `default`, `DEFAULT` in `values/value.ts`. */
export const DEFAULT_TYPE = createSimpleType('Default')
/** `Scalar`: `ScalarData`, Regexp, SemVer, SemVerRange, Timespan and Timestamp. */
export const SCALAR = createSimpleType('Scalar')
/** `ScalarData`: String, Integer, Float and Boolean, without undef. */
export const SCALAR_DATA = createSimpleType('ScalarData')
/** `Numeric`: Integer and Float. */
export const NUMERIC = createSimpleType('Numeric')
/** `CatalogEntry`: the common parent of `Resource` and `Class`. */
export const CATALOG_ENTRY = createSimpleType('CatalogEntry')
/** `SemVerRange`: version ranges. The type of the versions in a range is `SemVer['>=1.0.0']`. */
export const SEMVER_RANGE = createSimpleType('SemVerRange')
/** `Binary`: bytes. A base64 text is a String. */
export const BINARY = createSimpleType('Binary')

/** Frozen bounds; `undefined` means unbounded. */
export function createBounds<Bound>(from?: Bound, to?: Bound): Bounds<Bound> {
  return Object.freeze({ from, to })
}

/** Frozen bounds of a size; a negative bound becomes 0. */
export function createSizeBounds(from?: number, to?: number): Bounds<number> {
  return createBounds(Math.max(0, from ?? 0), to === undefined ? undefined : Math.max(0, to))
}

/** `Integer[from, to]`, inclusive; `undefined` means `default`, unbounded. */
export function createIntegerType(from?: number | bigint, to?: number | bigint): T.IntegerType {
  return Object.freeze({ kind: 'Integer', from, to })
}

/** `Float[from, to]`, inclusive; `undefined` means `default`, unbounded. */
export function createFloatType(from?: number, to?: number): T.FloatType {
  return Object.freeze({ kind: 'Float', from, to })
}

/** `Timestamp[from, to]`; bounds in nanoseconds since 1970. */
export function createTimestampType(from?: bigint, to?: bigint): T.TimestampType {
  return Object.freeze({ kind: 'Timestamp', from, to })
}

/** `Timespan[from, to]`; bounds in nanoseconds. */
export function createTimespanType(from?: bigint, to?: bigint): T.TimespanType {
  return Object.freeze({ kind: 'Timespan', from, to })
}

/** `Boolean`, or `Boolean[value]`, which accepts only that value. */
export function createBooleanType(value?: boolean): T.BooleanType {
  return Object.freeze({ kind: 'Boolean', value })
}

/** `String[from, to]`, in code points; see `createLiteralStringType` for a single value. */
export function createStringType(size: Bounds<number> = UNBOUNDED): T.StringType {
  return Object.freeze({ kind: 'String', size, value: undefined })
}

/** The type of exactly one string. */
export function createLiteralStringType(value: string): T.StringType {
  return Object.freeze({ kind: 'String', size: UNBOUNDED, value })
}

/** `Enum['a', 'b']`; values are sorted and made unique, as in Puppet. */
export function createEnumType(values: readonly string[] = [], caseInsensitive = false): T.EnumType {
  return Object.freeze({
    kind: 'Enum',
    values: Object.freeze([...new Set(values)].sort(compareCodeUnits)),
    caseInsensitive,
  })
}

/** `Pattern[/a/, /b/]`: strings that match any of the patterns; without patterns, every string. */
export function createPatternType(patterns: readonly Regexp[] = []): T.PatternType {
  const unique = new Map(patterns.map((pattern) => [pattern.source, pattern]))
  return Object.freeze({ kind: 'Pattern', patterns: Object.freeze([...unique.values()]) })
}

/** `Regexp[/a/]`: the regular expression with that source; `undefined` means any. */
export function createRegexpType(pattern?: Regexp): T.RegexpType {
  return Object.freeze({ kind: 'Regexp', pattern })
}

/** `Collection[from, to]`: arrays and hashes by size. */
export function createCollectionType(size: Bounds<number> = UNBOUNDED): T.CollectionType {
  return Object.freeze({ kind: 'Collection', size })
}

/** `Array[T, from, to]`; if it must be empty, the element type is Unit. */
export function createArrayType(element: Type = ANY, size: Bounds<number> = UNBOUNDED): T.ArrayType {
  return Object.freeze({ kind: 'Array', element: isZero(size) ? UNIT : element, size })
}

/** `Hash[K, V, from, to]`; if it must be empty, the key and value types are Unit. */
export function createHashType(key: Type = ANY, value: Type = ANY, size: Bounds<number> = UNBOUNDED): T.HashType {
  const empty = isZero(size)
  return Object.freeze({ kind: 'Hash', key: empty ? UNIT : key, value: empty ? UNIT : value, size })
}

/**
 * `Tuple[A, B, from, to]`; further elements have the last type. Without a size, the number of types
 * is the size.
 */
export function createTupleType(types: readonly Type[] = [], size?: Bounds<number>): T.TupleType {
  return Object.freeze({ kind: 'Tuple', types: Object.freeze([...types]), size })
}

/** `Struct[{a => A}]`: hashes with exactly these keys. */
export function createStructType(elements: readonly T.StructElement[] = []): T.StructType {
  return Object.freeze({ kind: 'Struct', elements: Object.freeze([...elements]) })
}

/** `Variant[A, B]`, flattened and without duplicates; a single type is returned unchanged. */
export function createVariantType(types: readonly Type[]): Type {
  const unique = new Map<string, Type>()
  for (const type of types.flatMap((each) => (each.kind === 'Variant' ? each.types : [each]))) {
    const key = toTypeKey(type)
    if (!unique.has(key)) unique.set(key, type)
  }
  const flat = [...unique.values()]
  return flat.length === 1 ? flat[0]! : Object.freeze({ kind: 'Variant', types: Object.freeze(flat) })
}

/** `Callable[…]`; without parameters, any callable. A return type of Any is omitted. */
export function createCallableType(parameters?: T.TupleType, block?: Type, returns?: Type): T.CallableType {
  return Object.freeze({ kind: 'Callable', parameters, block, returns: returns?.kind === 'Any' ? undefined : returns })
}

/** `Optional[T]`; without a type, the bare `Optional`, which differs from `Optional[Any]`. */
export function createOptionalType(type?: Type): T.OptionalType {
  return type ? Object.freeze({ kind: 'Optional', type }) : OPTIONAL
}

/** `NotUndef[T]`: the values of T except undef. */
export function createNotUndefType(type: Type = ANY): T.NotUndefType {
  return Object.freeze({ kind: 'NotUndef', type })
}

/** `Type[T]`; without a type, the bare `Type`. */
export function createTypeType(type?: Type): T.TypeType {
  return type ? Object.freeze({ kind: 'Type', type }) : TYPE
}

/** `Sensitive[T]`: Sensitive values that wrap a T. */
export function createSensitiveType(type: Type = ANY): T.SensitiveType {
  return Object.freeze({ kind: 'Sensitive', type })
}

/** `Iterable[T]`; without a type, the bare `Iterable`. */
export function createIterableType(type?: Type): T.IterableType {
  return type ? Object.freeze({ kind: 'Iterable', type }) : ITERABLE
}

/** `Iterator[T]`; without a type, the bare `Iterator`. */
export function createIteratorType(type?: Type): T.IteratorType {
  return type ? Object.freeze({ kind: 'Iterator', type }) : ITERATOR
}

/** `SemVer[…]`: versions in any of the ranges; without ranges, every version. */
export function createSemVerType(ranges: readonly SemVerRange[] = []): T.SemVerType {
  return Object.freeze({ kind: 'SemVer', ranges: Object.freeze([...ranges]) })
}

/** `URI[{…}]`: URIs with these parts; `undefined` means any. */
export function createUriType(parameters?: Hash): T.UriType {
  return Object.freeze({ kind: 'URI', parameters })
}

/** `Runtime[runtime, name]`: objects of the host language, as in `Runtime[ruby, 'Symbol']`. */
export function createRuntimeType(runtime?: string, name?: string): T.RuntimeType {
  return Object.freeze({ kind: 'Runtime', runtime, name })
}

/** A resource type or reference; the type name is case-insensitive. */
export function createResourceType(typeName?: string, title?: string): T.ResourceType {
  return Object.freeze({ kind: 'Resource', typeName: typeName?.toLowerCase(), title })
}

/** A class reference; the name is case-insensitive, with or without a leading `::`. */
export function createClassType(className?: string): T.ClassType {
  return Object.freeze({ kind: 'Class', className: className?.toLowerCase().replace(/^::/, '') })
}

/** An alias; `resolve` is called once, on first use. */
export function createTypeAliasType(name: string, resolve: () => Type): T.TypeAliasType {
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
export function createTypeReferenceType(typeString: string): T.TypeReferenceType {
  return Object.freeze({ kind: 'TypeReference', typeString })
}

function isZero({ to }: Bounds<number>): boolean {
  return to === 0
}

/** `Integer`: a `number` or a `bigint`. */
export const INTEGER: T.IntegerType = createIntegerType()
/** `Float`; Integers are not instances. */
export const FLOAT: T.FloatType = createFloatType()
/** `Timestamp`: any point in time. */
export const TIMESTAMP: T.TimestampType = createTimestampType()
/** `Timespan`: any duration, including negative ones. */
export const TIMESPAN: T.TimespanType = createTimespanType()
/** `Boolean`: true and false. */
export const BOOLEAN: T.BooleanType = createBooleanType()
/** `String`, including the empty string. */
export const STRING: T.StringType = createStringType()
/** `String[1]`: every non-empty string. */
export const NON_EMPTY_STRING: T.StringType = createStringType(createSizeBounds(1))
/** The bare `Enum`: no value is an instance, but every string type is assignable to it (Puppet: PEnumType). */
export const ENUM: T.EnumType = createEnumType()
/** The bare `Pattern`: every string. */
export const PATTERN: T.PatternType = createPatternType()
/** The bare `Regexp`: every regular expression. */
export const REGEXP: T.RegexpType = createRegexpType()
/** The bare `Collection`: every array and hash. */
export const COLLECTION: T.CollectionType = createCollectionType()
/** The bare `Array`: `Array[Any]`. */
export const ARRAY: T.ArrayType = createArrayType()
/** `Array[0, 0]`: the type of `[]`. */
export const EMPTY_ARRAY: T.ArrayType = createArrayType(UNIT, createSizeBounds(0, 0))
/** The bare `Hash`: `Hash[Any, Any]`. */
export const HASH: T.HashType = createHashType()
/** `Hash[0, 0]`: the type of `{}`. */
export const EMPTY_HASH: T.HashType = createHashType(UNIT, UNIT, createSizeBounds(0, 0))
/** The bare `Tuple`: every array, of any size. */
export const TUPLE: T.TupleType = createTupleType()
/** The bare `Struct`: only `{}`. */
export const STRUCT: T.StructType = createStructType()
/** The bare `Variant`: no value is an instance. */
export const VARIANT: Type = createVariantType([])
/** The bare `Callable`: every function and lambda. */
export const CALLABLE: T.CallableType = createCallableType()
/** The bare `Optional`: only undef, unlike `Optional[Any]`. */
export const OPTIONAL: T.OptionalType = Object.freeze({ kind: 'Optional', type: ANY, isBare: true })
/** The bare `NotUndef`: every value except undef. */
export const NOT_UNDEF: T.NotUndefType = createNotUndefType()
/** The bare `Type`: every type; `Type[Any]` is narrower. */
export const TYPE: T.TypeType = Object.freeze({ kind: 'Type', type: ANY, isBare: true })
/** The bare `Sensitive`: `Sensitive[Any]`. */
export const SENSITIVE: T.SensitiveType = createSensitiveType()
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
export const SEMVER: T.SemVerType = createSemVerType()
/** The bare `URI`: every URI. */
export const URI: T.UriType = createUriType()
/** The bare `Runtime`: every object of the host language. */
export const RUNTIME: T.RuntimeType = createRuntimeType()
/** The bare `Resource`: references to resources of any type. */
export const RESOURCE: T.ResourceType = createResourceType()
/** The bare `Class`: references to any class. */
export const CLASS: T.ClassType = createClassType()
