import type { Hash } from './hash.ts'
import type { Regexp } from './regexp.ts'
import type { SemVer, SemVerRange } from './semver.ts'
import type { Value } from './value.ts'

/** From and to, both inclusive; `undefined` is unbounded. */
export interface Bounds<Bound = number | bigint> {
  readonly from: Bound | undefined
  readonly to: Bound | undefined
}

interface Kinded<Kind extends string> {
  readonly kind: Kind
}

/** A type with a type in brackets. The bare type is not that of `Any`: `Type[Any]` is narrower than `Type`. */
interface Containing<Kind extends string> extends Kinded<Kind> {
  readonly type: Type
  readonly isBare?: true
}

/** `Integer[from, to]`: bounds are bigints where a number would lose digits. */
export interface IntegerType extends Kinded<'Integer'>, Bounds {}
/** `Float[from, to]`: no Integer type is assignable to such a type. */
export interface FloatType extends Kinded<'Float'>, Bounds<number> {}
/** `Timestamp[from, to]`: bounds in nanoseconds since 1970. */
export interface TimestampType extends Kinded<'Timestamp'>, Bounds<bigint> {}
/** `Timespan[from, to]`: bounds in nanoseconds. */
export interface TimespanType extends Kinded<'Timespan'>, Bounds<bigint> {}
/** `Boolean`, or `Boolean[value]`; `undefined` takes both. */
export interface BooleanType extends Kinded<'Boolean'> {
  readonly value: boolean | undefined
}
/** A String type by its size, or by its one value, which only inference gives. */
export interface StringType extends Kinded<'String'> {
  readonly size: Bounds<number>
  readonly value: string | undefined
}
/** `Enum['a', 'b']`; `Enum['a', 'b', true]` takes them in any case. The values are sorted, each once. */
export interface EnumType extends Kinded<'Enum'> {
  readonly values: readonly string[]
  readonly caseInsensitive: boolean
}
/** `Pattern[/a/, /b/]`: no patterns take every text. */
export interface PatternType extends Kinded<'Pattern'> {
  readonly patterns: readonly Regexp[]
}
/** `Regexp[/a/]`: of regular expressions, not of texts; `undefined` takes all. */
export interface RegexpType extends Kinded<'Regexp'> {
  readonly pattern: Regexp | undefined
}
/** `Collection[from, to]`: arrays and hashes by their size. */
export interface CollectionType extends Kinded<'Collection'> {
  readonly size: Bounds<number>
}
/** `Array[T, from, to]`: the element is Unit where the size can only be 0. */
export interface ArrayType extends Kinded<'Array'> {
  readonly element: Type
  readonly size: Bounds<number>
}
/** `Hash[K, V, from, to]`: key and value are Unit where the size can only be 0. */
export interface HashType extends Kinded<'Hash'> {
  readonly key: Type
  readonly value: Type
  readonly size: Bounds<number>
}
/** `Tuple[A, B, from, to]`: elements beyond the types are of the last one. */
export interface TupleType extends Kinded<'Tuple'> {
  readonly types: readonly Type[]
  /** `undefined`: exactly as many as there are types. */
  readonly size: Bounds<number> | undefined
}
/** `Struct[{a => A, Optional[b] => B}]`: a hash with any other key is no instance. */
export interface StructType extends Kinded<'Struct'> {
  readonly elements: readonly StructElement[]
}
/** One key of a Struct with the type of its value. */
export interface StructElement {
  readonly name: string
  /** True for a key that may be absent: `Optional['name']`, or a value type that takes undef. */
  readonly optional: boolean
  readonly value: Type
}
/** `Variant[A, B]`: flat, without doubles, never of one type alone; the bare one has no types. */
export interface VariantType extends Kinded<'Variant'> {
  readonly types: readonly Type[]
}
/** `parameters` undefined: a Callable of anything. */
export interface CallableType extends Kinded<'Callable'> {
  readonly parameters: TupleType | undefined
  /** A `Callable`, or an `Optional` of one. */
  readonly block: Type | undefined
  readonly returns: Type | undefined
}
/** `Optional[T]`: the bare one takes undef only. */
export interface OptionalType extends Containing<'Optional'> {}
/** `NotUndef[T]`: the bare one is of `Any`. */
export interface NotUndefType extends Kinded<'NotUndef'> {
  readonly type: Type
}
/** `Type[T]` */
export interface TypeType extends Containing<'Type'> {}
/** `Sensitive[T]`: T is the type of what is inside. */
export interface SensitiveType extends Kinded<'Sensitive'> {
  readonly type: Type
}
/** `Iterable[T]`: T is the type of the elements, of a hash `Tuple[K, V]`. */
export interface IterableType extends Containing<'Iterable'> {}
/** `Iterator[T]`: T is the type of the elements. */
export interface IteratorType extends Containing<'Iterator'> {}
/** `Init[T, …]`: values from which `new` makes a T, with the arguments behind them. */
export interface InitType extends Kinded<'Init'> {
  readonly type: Type | undefined
  readonly arguments: readonly Value[]
  /** `undefined` for the bare `Init`; throws where nothing can be made of its type. */
  readonly acceptance: InitAcceptance | undefined
}
/** The values that an `Init[T, …]` takes besides those of T itself. */
export interface InitAcceptance {
  /** The type of a sole argument that makes a T. */
  readonly single: Type
  /** All arguments of T's `new` as a tuple, where there may be more than one. */
  readonly several: Type | undefined
  /** True where one of these tuples may be of one element: such an element alone is taken, too. */
  readonly oneOfSeveral: boolean
}
/** `SemVer['>=1.0.0', …]`: no ranges take every version. */
export interface SemVerType extends Kinded<'SemVer'> {
  readonly ranges: readonly SemVerRange[]
}
/** `URI[{scheme => 'https'}]`: `undefined` takes every URI. */
export interface UriType extends Kinded<'URI'> {
  /** The values or patterns of the URI's parts, by name. */
  readonly parameters: Hash | undefined
}
/** `Runtime[ruby, 'Symbol']`: an `undefined` part takes any. */
export interface RuntimeType extends Kinded<'Runtime'> {
  readonly runtime: string | undefined
  readonly name: string | undefined
}
/** `Resource`, `File` (`typeName` `file`), and the reference `File['/x']`. */
export interface ResourceType extends Kinded<'Resource'> {
  /** Lower case; `undefined` for any. */
  readonly typeName: string | undefined
  readonly title: string | undefined
}
/** `Class`, and the reference `Class['a::b']`. */
export interface ClassType extends Kinded<'Class'> {
  /** Lower case, no leading `::`. */
  readonly className: string | undefined
}
/** `type Name = Type`; resolved when first needed, so that it may name itself. */
export interface TypeAliasType extends Kinded<'TypeAlias'> {
  readonly name: string
  readonly resolved: Type
}
/** A name that nothing is known of: `Foo::Bar[1]`. */
export interface TypeReferenceType extends Kinded<'TypeReference'> {
  readonly typeString: string
}
/** `Object[{…}]`, and those with names: Error, Deferred, Target, types of modules. */
export interface ObjectType extends Kinded<'Object'> {
  readonly name: string | undefined
  readonly parent: Type | undefined
  /** The type's own attributes and constants, in order. */
  readonly attributes: ReadonlyMap<string, AttributeDefinition>
  readonly functions: ReadonlyMap<string, FunctionMember>
  /** The names of the attributes that make instances equal; `undefined` for every attribute. */
  readonly equality: readonly string[] | undefined
  readonly equalityIncludeType: boolean
  readonly checks: Value
  readonly annotations: Hash | undefined
  /** For `Name[a, b]`. */
  readonly typeParameters: ReadonlyMap<string, AttributeDefinition>
  /** The values or patterns of the type parameters in `Name[a, b]`. */
  readonly parameters: ReadonlyMap<string, Value> | undefined
  /** All of it as a hash that makes it again; `undefined` for the bare `Object`. */
  readonly initHash: Hash | undefined
}
/** The common properties of attributes and functions. */
interface Member {
  readonly name: string
  /** The name of the defining type in messages. */
  readonly owner: string
  readonly type: Type
  readonly override: boolean
  readonly final: boolean
  readonly annotations: Hash | undefined
}
/** A typed slot of an Object type: an attribute, constants among them, or a type parameter. */
export interface AttributeDefinition extends Member {
  readonly feature: 'attribute' | 'type_parameter'
  readonly kind: 'constant' | 'derived' | 'given_or_derived' | 'reference' | undefined
  readonly hasValue: boolean
  readonly value: Value
}
/** A function that an Object type declares; code for it there is only for `message` of `Error`. */
export interface FunctionMember extends Member {
  readonly feature: 'function'
}
/** An attribute, a type parameter or a function of an Object type. */
export type AnyMember = AttributeDefinition | FunctionMember
/** `TypeSet[{…}]`: types that have a version, and names of their own. */
export interface TypeSetType extends Kinded<'TypeSet'> {
  readonly name: string | undefined
  readonly nameAuthority: string | undefined
  readonly version: SemVer | undefined
  /** By their names in the set. In `TypeSet[…]` as a value, an Object type without a name yet is still its hash. */
  readonly types: ReadonlyMap<string, Type | Hash>
  /** Other type sets, by the names that they go by here. */
  readonly references: ReadonlyMap<string, TypeSetReference>
  /** All of it as a hash that makes it again. */
  readonly initHash: Hash
}
/** An entry of `references` in a type set: `Other => {name => 'Other::Set', version_range => '1.x'}`. */
export interface TypeSetReference {
  readonly name: string
  readonly nameAuthority: string | undefined
  readonly versionRange: SemVerRange
  readonly annotations: Hash | undefined
  /** The type set itself; throws when there is none of that version. */
  readonly typeSet: TypeSetType
}
/** Those without parameters. */
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
 * A type of the Puppet language, as data; it is a value of the language too, and so are references to resources and
 * classes. Made by the functions of `make.ts` only, frozen.
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

/** True for a value of the language that is a type; references to resources and classes are. */
export function isType(value: Value): value is Type {
  return typeof value === 'object' && 'kind' in value
}

/** The Object type that a type inherits from, aliases resolved. */
export function parentOf({ parent }: Pick<ObjectType, 'parent'>): ObjectType | undefined {
  let resolved: Type | undefined = parent
  while (resolved?.kind === 'TypeAlias') resolved = resolved.resolved
  return resolved?.kind === 'Object' && resolved.initHash !== undefined ? resolved : undefined
}
