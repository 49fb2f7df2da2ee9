import type { Hash } from './hash.ts'
import type { Regexp } from './regexp.ts'
import type { SemVer, SemVerRange } from './semver.ts'
import type { Value } from './value.ts'

/** Inclusive lower and upper bound; `undefined` means unbounded. */
export interface Bounds<Bound = number | bigint> {
  readonly from: Bound | undefined
  readonly to: Bound | undefined
}

interface Kinded<Kind extends string> {
  readonly kind: Kind
}

/**
 * A type with one type parameter. The bare type differs from the type with `Any`: `Type[Any]` is narrower than `Type`.
 */
interface Containing<Kind extends string> extends Kinded<Kind> {
  readonly type: Type
  readonly isBare?: true
}

/** `Integer[from, to]`; a bound is a bigint if a number would lose digits. */
export interface IntegerType extends Kinded<'Integer'>, Bounds {}
/** `Float[from, to]`; Integer types are not assignable to it. */
export interface FloatType extends Kinded<'Float'>, Bounds<number> {}
/** `Timestamp[from, to]`: bounds in nanoseconds since 1970. */
export interface TimestampType extends Kinded<'Timestamp'>, Bounds<bigint> {}
/** `Timespan[from, to]`: bounds in nanoseconds. */
export interface TimespanType extends Kinded<'Timespan'>, Bounds<bigint> {}
/** `Boolean`, or `Boolean[value]`; `undefined` matches both values. */
export interface BooleanType extends Kinded<'Boolean'> {
  readonly value: boolean | undefined
}
/** A String type with a size range or with a single value. Only inferred types have a single value. */
export interface StringType extends Kinded<'String'> {
  readonly size: Bounds<number>
  readonly value: string | undefined
}
/** `Enum['a', 'b']`; `Enum['a', 'b', true]` ignores case. Values are sorted and unique. */
export interface EnumType extends Kinded<'Enum'> {
  readonly values: readonly string[]
  readonly caseInsensitive: boolean
}
/** `Pattern[/a/, /b/]`; without patterns, it matches every string. */
export interface PatternType extends Kinded<'Pattern'> {
  readonly patterns: readonly Regexp[]
}
/**
 * `Regexp[/a/]`: the type of regular expressions, not of strings; `undefined` matches every regular
 * expression.
 */
export interface RegexpType extends Kinded<'Regexp'> {
  readonly pattern: Regexp | undefined
}
/** `Collection[from, to]`: arrays and hashes by size. */
export interface CollectionType extends Kinded<'Collection'> {
  readonly size: Bounds<number>
}
/** `Array[T, from, to]`; the element type is Unit if the size can only be 0. */
export interface ArrayType extends Kinded<'Array'> {
  readonly element: Type
  readonly size: Bounds<number>
}
/** `Hash[K, V, from, to]`; the key and value types are Unit if the size can only be 0. */
export interface HashType extends Kinded<'Hash'> {
  readonly key: Type
  readonly value: Type
  readonly size: Bounds<number>
}
/** `Tuple[A, B, from, to]`; further elements have the last type. */
export interface TupleType extends Kinded<'Tuple'> {
  readonly types: readonly Type[]
  /** Bounds for the number of elements; `undefined` means exactly one element for each type. */
  readonly size: Bounds<number> | undefined
}
/** `Struct[{a => A, Optional[b] => B}]`; a hash with other keys does not match. */
export interface StructType extends Kinded<'Struct'> {
  readonly elements: readonly StructElement[]
}
/** One key of a Struct, and the type of its value. */
export interface StructElement {
  readonly name: string
  /** True if the key may be absent: `Optional['name']`, or a value type that accepts undef. */
  readonly optional: boolean
  readonly value: Type
}
/** `Variant[A, B]`: flattened, without duplicates, never with exactly one type; the bare type has none. */
export interface VariantType extends Kinded<'Variant'> {
  readonly types: readonly Type[]
}
/** `Callable[…]`; if `parameters` is undefined, any callable matches. */
export interface CallableType extends Kinded<'Callable'> {
  readonly parameters: TupleType | undefined
  /** A `Callable`, or an `Optional[Callable]` if the block is optional. */
  readonly block: Type | undefined
  readonly returns: Type | undefined
}
/** `Optional[T]`; the bare type accepts only undef. */
export interface OptionalType extends Containing<'Optional'> {}
/** `NotUndef[T]`; the bare type equals `NotUndef[Any]`. */
export interface NotUndefType extends Kinded<'NotUndef'> {
  readonly type: Type
}
/** `Type[T]`: the types that are assignable to T. */
export interface TypeType extends Containing<'Type'> {}
/** `Sensitive[T]`: T is the type of the wrapped value. */
export interface SensitiveType extends Kinded<'Sensitive'> {
  readonly type: Type
}
/** `Iterable[T]`: T is the element type; for a hash, `Tuple[K, V]`. */
export interface IterableType extends Containing<'Iterable'> {}
/** `Iterator[T]`: T is the element type. */
export interface IteratorType extends Containing<'Iterator'> {}
/** `Init[T, …]`: values that `T.new` accepts, together with the further arguments in brackets. */
export interface InitType extends Kinded<'Init'> {
  readonly type: Type | undefined
  readonly arguments: readonly Value[]
  /**
   * Values that are accepted in addition to instances of T; `undefined` for the bare `Init`. Throws if T has no
   * `new`.
   */
  readonly acceptance: InitAcceptance | undefined
}
/** The values that `Init[T, …]` accepts in addition to instances of T. */
export interface InitAcceptance {
  /** Type of a value that can be the only argument of `T.new`. */
  readonly single: Type
  /** Tuple of all arguments of `T.new`, if `T.new` accepts more than one argument. */
  readonly several: Type | undefined
  /** True if such a tuple can have a single element. That element is then also accepted without an array. */
  readonly oneOfSeveral: boolean
}
/** `SemVer['>=1.0.0', …]`; without ranges, it matches every version. */
export interface SemVerType extends Kinded<'SemVer'> {
  readonly ranges: readonly SemVerRange[]
}
/** `URI[{scheme => 'https'}]`; `undefined` matches every URI. */
export interface UriType extends Kinded<'URI'> {
  /** Values or patterns for the parts of the URI, by name. */
  readonly parameters: Hash | undefined
}
/** `Runtime[ruby, 'Symbol']`; an `undefined` part matches everything. */
export interface RuntimeType extends Kinded<'Runtime'> {
  readonly runtime: string | undefined
  readonly name: string | undefined
}
/** `Resource`, `File` (`typeName` is `file`), and the reference `File['/x']`. */
export interface ResourceType extends Kinded<'Resource'> {
  /** Type name in lower case; `undefined` matches every resource type. */
  readonly typeName: string | undefined
  readonly title: string | undefined
}
/** `Class`, and the reference `Class['a::b']`. */
export interface ClassType extends Kinded<'Class'> {
  /** Class name in lower case, without a leading `::`; `undefined` matches every class. */
  readonly className: string | undefined
}
/** `type Name = Type`; resolved on first use, because an alias can refer to itself. */
export interface TypeAliasType extends Kinded<'TypeAlias'> {
  readonly name: string
  readonly resolved: Type
}
/** The name of an unknown type: `Foo::Bar[1]`. */
export interface TypeReferenceType extends Kinded<'TypeReference'> {
  readonly typeString: string
}
/** `Object[{…}]`, and named Object types: Error, Deferred, Target, types of modules. */
export interface ObjectType extends Kinded<'Object'> {
  readonly name: string | undefined
  readonly parent: Type | undefined
  /** The type's own attributes and constants, in order of definition. */
  readonly attributes: ReadonlyMap<string, AttributeDefinition>
  readonly functions: ReadonlyMap<string, FunctionMember>
  /** Names of the attributes that determine equality; `undefined` means all attributes. */
  readonly equality: readonly string[] | undefined
  readonly equalityIncludeType: boolean
  readonly checks: Value
  readonly annotations: Hash | undefined
  /** Type parameters, as in `Name[a, b]`. */
  readonly typeParameters: ReadonlyMap<string, AttributeDefinition>
  /** Values or patterns of the type parameters in `Name[a, b]`. */
  readonly parameters: ReadonlyMap<string, Value> | undefined
  /** The hash that defines this type; `undefined` for the bare `Object`. */
  readonly initHash: Hash | undefined
}
/** Properties shared by attributes and functions. */
interface Member {
  readonly name: string
  /** Name of the defining type, for messages. */
  readonly owner: string
  readonly type: Type
  readonly override: boolean
  readonly final: boolean
  readonly annotations: Hash | undefined
}
/** An attribute, constant or type parameter of an Object type. */
export interface AttributeDefinition extends Member {
  readonly feature: 'attribute' | 'type_parameter'
  readonly kind: 'constant' | 'derived' | 'given_or_derived' | 'reference' | undefined
  readonly hasValue: boolean
  readonly value: Value
}
/** A function that an Object type declares. Only `message` of `Error` has an implementation. */
export interface FunctionMember extends Member {
  readonly feature: 'function'
}
/** An attribute, a type parameter or a function of an Object type. */
export type AnyMember = AttributeDefinition | FunctionMember
/** `TypeSet[{…}]`: a versioned namespace of types. */
export interface TypeSetType extends Kinded<'TypeSet'> {
  readonly name: string | undefined
  readonly nameAuthority: string | undefined
  readonly version: SemVer | undefined
  /** Types by their local names. While `TypeSet[…]` is evaluated, an Object type without a name is still a hash. */
  readonly types: ReadonlyMap<string, Type | Hash>
  /** Other type sets, by their local names. */
  readonly references: ReadonlyMap<string, TypeSetReference>
  /** The hash that defines this type set. */
  readonly initHash: Hash
}
/** An entry of a type set's `references`: `Other => {name => 'Other::Set', version_range => '1.x'}`. */
export interface TypeSetReference {
  readonly name: string
  readonly nameAuthority: string | undefined
  readonly versionRange: SemVerRange
  readonly annotations: Hash | undefined
  /** The referenced type set. Throws if no version in the range exists. */
  readonly typeSet: TypeSetType
}
/** Types without parameters. */
export interface SimpleType
  extends Kinded<
    | 'Any'
    | 'Unit'
    | 'Undef'
    | 'Default'
    | 'Scalar'
    | 'ScalarData'
    | 'Numeric'
    | 'CatalogEntry'
    | 'SemVerRange'
    | 'Binary'
  > {}

/**
 * A type of the Puppet language, including resource and class references. Types are frozen; see
 * `types/constructors.ts`.
 */
export type Type =
  | SimpleType
  | IntegerType
  | FloatType
  | BooleanType
  | StringType
  | EnumType
  | PatternType
  | RegexpType
  | CollectionType
  | ArrayType
  | HashType
  | TupleType
  | StructType
  | VariantType
  | CallableType
  | OptionalType
  | NotUndefType
  | TypeType
  | SensitiveType
  | IterableType
  | IteratorType
  | InitType
  | TimestampType
  | TimespanType
  | SemVerType
  | UriType
  | RuntimeType
  | ResourceType
  | ClassType
  | TypeAliasType
  | TypeReferenceType
  | ObjectType
  | TypeSetType

/** True for a value that is a type, including resource and class references. */
export function isType(value: Value): value is Type {
  return typeof value === 'object' && 'kind' in value
}

/** The parent type, with aliases resolved. */
export function resolveParent({ parent }: Pick<ObjectType, 'parent'>): ObjectType | undefined {
  let resolved: Type | undefined = parent
  while (resolved?.kind === 'TypeAlias') resolved = resolved.resolved
  return resolved?.kind === 'Object' && resolved.initHash !== undefined ? resolved : undefined
}
