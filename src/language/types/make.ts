import { byCodeUnit } from '../../base/text/by-code-unit.ts'
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

/** `Any`: every value, undef too. */
export const ANY = simple('Any')
/** The element type of `[]` and `{}`: assignable to and from every type, without a name in the language. */
export const UNIT = simple('Unit')
/** `Undef`: of undef alone. */
export const UNDEF = simple('Undef')
/** `Default`: of the value `default` alone, which is `DEFAULT` in `values/value.ts`. */
export const DEFAULT_TYPE = simple('Default')
/** `Scalar`: `ScalarData`, Regexp, SemVer, SemVerRange, Timespan and Timestamp. */
export const SCALAR = simple('Scalar')
/** `ScalarData`: String, Integer, Float and Boolean; undef is none. */
export const SCALAR_DATA = simple('ScalarData')
/** `Numeric`: Integer and Float. */
export const NUMERIC = simple('Numeric')
/** `CatalogEntry`: what `Resource` and `Class` have in common. */
export const CATALOG_ENTRY = simple('CatalogEntry')
/** `SemVerRange`: of ranges; the type of the versions in a range is `SemVer['>=1.0.0']`. */
export const SEMVER_RANGE = simple('SemVerRange')
/** `Binary`: of bytes; a base64 text is a String. */
export const BINARY = simple('Binary')

/** Bounds, frozen; both ends may be absent. */
export function bounds<Bound>(from?: Bound, to?: Bound): Bounds<Bound> {
  return Object.freeze({ from, to })
}

/** Bounds of a size: never negative. */
export function sizeBounds(from?: number, to?: number): Bounds<number> {
  return bounds(Math.max(0, from ?? 0), to === undefined ? undefined : Math.max(0, to))
}

/** `Integer[from, to]`, ends included; `undefined` is `default`, no bound. */
export function integerType(from?: number | bigint, to?: number | bigint): T.IntegerType {
  return Object.freeze({ kind: 'Integer', from, to })
}

/** `Float[from, to]`, ends included; `undefined` is `default`, no bound. */
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

/** `Boolean`, or `Boolean[value]`, of that value alone. */
export function booleanType(value?: boolean): T.BooleanType {
  return Object.freeze({ kind: 'Boolean', value })
}

/** `String[from, to]`, by code points; `literalStringType` makes that of one value. */
export function stringType(size: Bounds<number> = UNBOUNDED): T.StringType {
  return Object.freeze({ kind: 'String', size, value: undefined })
}

/** The type of exactly one string. */
export function literalStringType(value: string): T.StringType {
  return Object.freeze({ kind: 'String', size: UNBOUNDED, value })
}

/** `Enum['a', 'b']`; values are sorted, each once, as Puppet keeps them. */
export function enumType(values: readonly string[] = [], caseInsensitive = false): T.EnumType {
  return Object.freeze({ kind: 'Enum', values: Object.freeze([...new Set(values)].sort(byCodeUnit)), caseInsensitive })
}

/** `Pattern[/a/, /b/]`: of texts that any of them matches; without patterns, of every text. */
export function patternType(patterns: readonly Regexp[] = []): T.PatternType {
  const unique = new Map(patterns.map((pattern) => [pattern.source, pattern]))
  return Object.freeze({ kind: 'Pattern', patterns: Object.freeze([...unique.values()]) })
}

/** `Regexp[/a/]`: of the regular expression with that source; `undefined` is any. */
export function regexpType(pattern?: Regexp): T.RegexpType {
  return Object.freeze({ kind: 'Regexp', pattern })
}

/** `Collection[from, to]`: of arrays and hashes by their size. */
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

/** `Tuple[A, B, from, to]`: elements beyond the types are of the last; without a size, as many as there are types. */
export function tupleType(types: readonly Type[] = [], size?: Bounds<number>): T.TupleType {
  return Object.freeze({ kind: 'Tuple', types: Object.freeze([...types]), size })
}

/** `Struct[{a => A}]`: of hashes with these keys and no others. */
export function structType(elements: readonly T.StructElement[] = []): T.StructType {
  return Object.freeze({ kind: 'Struct', elements: Object.freeze([...elements]) })
}

/** `Variant[A, B]`, flat and without doubles; a single type is given back itself. */
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

/** `Optional[T]`; without a type the bare `Optional`, which is not `Optional[Any]`. */
export function optionalType(type?: Type): T.OptionalType {
  return type ? Object.freeze({ kind: 'Optional', type }) : OPTIONAL
}

/** `NotUndef[T]`: of the values of T but undef. */
export function notUndefType(type: Type = ANY): T.NotUndefType {
  return Object.freeze({ kind: 'NotUndef', type })
}

/** `Type[T]`; without a type the bare `Type`. */
export function typeType(type?: Type): T.TypeType {
  return type ? Object.freeze({ kind: 'Type', type }) : TYPE
}

/** `Sensitive[T]`: of Sensitive values with a T inside. */
export function sensitiveType(type: Type = ANY): T.SensitiveType {
  return Object.freeze({ kind: 'Sensitive', type })
}

/** `Iterable[T]`; without a type the bare `Iterable`. */
export function iterableType(type?: Type): T.IterableType {
  return type ? Object.freeze({ kind: 'Iterable', type }) : ITERABLE
}

/** `Iterator[T]`; without a type the bare `Iterator`. */
export function iteratorType(type?: Type): T.IteratorType {
  return type ? Object.freeze({ kind: 'Iterator', type }) : ITERATOR
}

/** `SemVer[…]`: of versions in any of the ranges; without ranges, of every version. */
export function semVerType(ranges: readonly SemVerRange[] = []): T.SemVerType {
  return Object.freeze({ kind: 'SemVer', ranges: Object.freeze([...ranges]) })
}

/** `URI[{…}]`: of URIs with these parts; `undefined` is any. */
export function uriType(parameters?: Hash): T.UriType {
  return Object.freeze({ kind: 'URI', parameters })
}

/** `Runtime[runtime, name]`: of objects of a language below Puppet's, as `Runtime[ruby, 'Symbol']`. */
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

/** `TypeReference['Foo[1]']`: the text of a type that nobody defined; no value is an instance. */
export function typeReferenceType(typeString: string): T.TypeReferenceType {
  return Object.freeze({ kind: 'TypeReference', typeString })
}

function isZero({ to }: Bounds<number>): boolean {
  return to === 0
}

/** `Integer`: a `number` or a `bigint`. */
export const INTEGER: T.IntegerType = integerType()
/** `Float`: an Integer is none. */
export const FLOAT: T.FloatType = floatType()
/** `Timestamp`: any point in time. */
export const TIMESTAMP: T.TimestampType = timestampType()
/** `Timespan`: any length of time, a negative one too. */
export const TIMESPAN: T.TimespanType = timespanType()
/** `Boolean`: true and false. */
export const BOOLEAN: T.BooleanType = booleanType()
/** `String`: the empty text too. */
export const STRING: T.StringType = stringType()
/** `String[1]`. */
export const NON_EMPTY_STRING: T.StringType = stringType(sizeBounds(1))
/** The bare `Enum`: no text is an instance, though every type of texts is assignable (Puppet: PEnumType). */
export const ENUM: T.EnumType = enumType()
/** The bare `Pattern`: every text. */
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
/** The bare `Struct`: `{}` alone. */
export const STRUCT: T.StructType = structType()
/** The bare `Variant`: no value. */
export const VARIANT: Type = variantType([])
/** The bare `Callable`: every function and lambda. */
export const CALLABLE: T.CallableType = callableType()
/** The bare `Optional`: undef alone, unlike `Optional[Any]`. */
export const OPTIONAL: T.OptionalType = Object.freeze({ kind: 'Optional', type: ANY, isBare: true })
/** The bare `NotUndef`: every value but undef. */
export const NOT_UNDEF: T.NotUndefType = notUndefType()
/** The bare `Type`: every type; `Type[Any]` is narrower. */
export const TYPE: T.TypeType = Object.freeze({ kind: 'Type', type: ANY, isBare: true })
/** The bare `Sensitive`: `Sensitive[Any]`. */
export const SENSITIVE: T.SensitiveType = sensitiveType()
/** The bare `Iterable`: collections, texts, Iterators, Integers from 0, types that list their values. */
export const ITERABLE: T.IterableType = Object.freeze({ kind: 'Iterable', type: ANY, isBare: true })
/** The bare `Iterator`: every Iterator, whatever its elements are. */
export const ITERATOR: T.IteratorType = Object.freeze({ kind: 'Iterator', type: ANY, isBare: true })
/** The bare `Init`: all of `RichData`. */
export const INIT: T.InitType = Object.freeze({ kind: 'Init', type: undefined, arguments: [], acceptance: undefined })
/** The bare `SemVer`: every version. */
export const SEMVER: T.SemVerType = semVerType()
/** The bare `URI`: every URI. */
export const URI: T.UriType = uriType()
/** The bare `Runtime`: every object of a language below Puppet's. */
export const RUNTIME: T.RuntimeType = runtimeType()
/** The bare `Resource`: references to resources of every type. */
export const RESOURCE: T.ResourceType = resourceType()
/** The bare `Class`: references to every class. */
export const CLASS: T.ClassType = classType()
