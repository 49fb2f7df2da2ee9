import type { Value } from '../../language/values/value.ts'
import { type AttributeKind, createEnumKind } from './attribute-kinds.ts'
import type { ManagedResource } from './managed-resource.ts'
import type { AnyProvider } from './provider.ts'

/** An attribute of a resource type. */
export interface ResourceAttribute<Result, Role extends AttributeRole = AttributeRole>
  extends AttributeOptions<Result> {
  readonly role: Role
  readonly kind: AttributeKind<Result>
  readonly doc: string
}

/** A property is a state of the system; a parameter controls how a resource is managed; the namevar identifies it. */
export type AttributeRole = 'namevar' | 'property' | 'parameter'

/** Options of an attribute. */
export interface AttributeOptions<Result> {
  /** The default value, if any. */
  readonly default?: Result | ((resource: ManagedResource) => Result | undefined)
  /** A feature without which a provider does not support the attribute. */
  readonly needs?: string
  /** Features that single values require; `*` stands for all other values. */
  readonly valueNeeds?: Readonly<Record<string, string | undefined>>
  /** Compares the current with the desired value. Equal values are always in sync, without a call. */
  inSync?(is: unknown, should: Result): boolean
  /** Formats the current value for the log, if it differs from the default format. */
  show?(is: unknown): string
  /** Formats the desired value for the log, if it differs from the default format. */
  showWanted?(should: Result): string
  /**
   * The property is never in sync, but setting it is not a change of the system, as in `notify`
   * (Puppet: idempotent => false).
   */
  readonly idempotent?: false
  /** True if the values are never logged. */
  readonly sensitive?: true
}

/** The attributes of a type, in the order in which they are set. */
// biome-ignore lint/suspicious/noExplicitAny: each attribute has a result of its own
export type ResourceAttributes = Readonly<Record<string, ResourceAttribute<any>>>

/** The parsed value of an attribute. */
export type AttributeResult<Each> = Each extends ResourceAttribute<infer Result> ? Result : never

/** Key of an autorelation that returns references to resources of any type. */
export const anyType = '*'

/** Finds implicit dependencies on resources of another type (autorequire). Titles without a resource are ignored. */
export type Autorelation<Of extends ResourceAttributes> = (
  resource: ManagedResource<Of>,
  catalog: { has(type: string, title: string): boolean; ofType(type: string): readonly { readonly name: string }[] },
) => readonly (string | undefined)[]

/** A resource type; its providers manage the resources. */
export interface NativeTypeDefinition<Of extends ResourceAttributes = ResourceAttributes> {
  readonly name: string
  readonly doc: string
  /** Features that providers may have, each with a description. */
  readonly features?: Readonly<Record<string, string>>
  readonly attributes: Of
  /** True if two resources may have the same name (Puppet: isomorphic => false). */
  readonly repeatable?: true
  /** The values of the namevars, sorted by name, in Ruby notation. Default: the name. */
  identity?(resource: ManagedResource<Of>): readonly string[]
  /** Further names of the resource in its catalog, such as the path of a registry key in lower case. */
  aliases?(resource: ManagedResource<Of>): readonly string[]
  /** True if a change of the resource also refreshes the resource (Puppet: self_refresh). */
  readonly refreshesItself?: true
  /**
   * True if the type has no provider, because its resources are containers or only other resources
   * read them.
   */
  readonly passive?: true
  /** The target of the resources: this machine (default), a device that is managed from here, or both. */
  readonly appliesTo?: 'host' | 'device' | 'both'
  /** True if the type has no provider in Puppet; reports then contain no provider. */
  readonly providesItself?: true
  /** True if generated resources are applied before the resource instead of after it (Puppet: depthfirst). */
  readonly generatesBefore?: true
  /** Derives the namevars from a title, if the title is not simply the name. */
  readonly fromTitle?: (title: string) => Readonly<Record<string, string>>
  /** Derives the displayed title from the attributes. Default: the name. */
  readonly ownTitle?: (get: (attribute: string) => unknown) => string
  readonly autorequire?: Readonly<Record<string, Autorelation<Of>>>
  readonly autobefore?: Readonly<Record<string, Autorelation<Of>>>
  readonly autosubscribe?: Readonly<Record<string, Autorelation<Of>>>
  readonly autonotify?: Readonly<Record<string, Autorelation<Of>>>
  /** Derives attributes from other attributes, before validation. */
  readonly complete?: (resource: ManagedResource<Of>) => void
  /**
   * Validates a resource together with the other resources of its catalog. After an error, nothing
   * is applied.
   */
  readonly finish?: (resource: ManagedResource<Of>, catalog: { has(type: string, title: string): boolean }) => void
  /** Validates the attributes together. Throws the first error. */
  readonly validate?: (resource: ManagedResource<Of>) => void
  /** Takes over the attribute values from Ruby instead of parsing them. Throws the first error. */
  readonly adopt?: (resource: ManagedResource<Of>) => void
  /** Passes on values that were computed when the resource was evaluated, before `adopt` is called again. */
  readonly settle?: (resource: ManagedResource<Of>, values: DeclaredValues) => Promise<void>
  /** Providers that are not in the table of built-in providers. */
  readonly ownProviders?: OwnProviders
  /** Attributes that are sensitive if another attribute is. */
  readonly sensitiveWith?: Readonly<Record<string, readonly string[]>>
}

/** The providers of a type that does not use the table of built-in providers. */
export interface OwnProviders {
  /** The provider of a resource; `undefined` if none is suitable yet. */
  choose(resource: ManagedResource): AnyProvider | undefined
  /** Assigns a provider that has become suitable. Returns false if there is none. */
  canWork(resource: ManagedResource): Promise<boolean>
}

/** Declares a resource type. */
export function defineType<const Of extends ResourceAttributes>(
  name: string,
  definition: Omit<NativeTypeDefinition<Of>, 'name'>,
): NativeTypeDefinition<Of> {
  return { name, ...definition }
}

/** Declares the attribute that identifies the resource. Default: the title. */
export function defineNamevar<Result>(kind: AttributeKind<Result>, doc: string) {
  return { role: 'namevar', kind, doc } as ResourceAttribute<Result, 'namevar'>
}

/** Declares an attribute that is a state of the system. */
export function defineProperty<Result>(
  kind: AttributeKind<Result>,
  doc: string,
  options: AttributeOptions<NoInfer<Result>> = {},
) {
  return { role: 'property', kind, doc, ...options } as ResourceAttribute<Result, 'property'>
}

/** Declares an attribute that controls how a resource is managed. */
export function defineParameter<Result>(
  kind: AttributeKind<Result>,
  doc: string,
  options: AttributeOptions<NoInfer<Result>> = {},
) {
  return { role: 'parameter', kind, doc, ...options } as ResourceAttribute<Result, 'parameter'>
}

/**
 * The property `ensure` with `present` and `absent`. Default: `present` if another property is set
 * (Puppet: `ensurable`).
 */
export function defineEnsure(doc: string) {
  return defineProperty(createEnumKind('present', 'absent'), doc, {
    default: (resource) => (resource.properties().length > 0 ? 'present' : undefined),
  })
}

/** Lists of a type's attributes that every resource needs, computed once per type. */
interface Outline {
  readonly namevar: string
  /** Names of the properties, `ensure` first. */
  readonly properties: readonly string[]
  readonly defaults: readonly (readonly [name: string, attribute: ResourceAttribute<unknown>])[]
}

const outlines = new WeakMap<ResourceAttributes, Outline>()

function getAttributeSummary({ attributes }: NativeTypeDefinition): Outline {
  const known = outlines.get(attributes)
  if (known) return known
  const all = Object.entries(attributes)
  const properties = all.flatMap(([name, { role }]) => (role === 'property' ? [name] : []))
  const outline = {
    namevar: all.find(([, { role }]) => role === 'namevar')?.[0] ?? 'name',
    properties: properties.sort((a, b) => Number(b === 'ensure') - Number(a === 'ensure')),
    defaults: all.filter((entry) => entry[1].default !== undefined),
  }
  outlines.set(attributes, outline)
  return outline
}

/** The name of a type's namevar. */
export function getTypeNamevar(type: NativeTypeDefinition): string {
  return getAttributeSummary(type).namevar
}

/** The names of all namevars of a type. */
export function listNamevars({ attributes }: NativeTypeDefinition): readonly string[] {
  return Object.keys(attributes).filter((name) => attributes[name]?.role === 'namevar')
}

/** The properties of a type in the order in which they are set, `ensure` first. */
export function listProperties(type: NativeTypeDefinition): readonly string[] {
  return getAttributeSummary(type).properties
}

/** The attributes of a type that have a default. */
export function listDefaultAttributes(
  type: NativeTypeDefinition,
): readonly (readonly [name: string, attribute: ResourceAttribute<unknown>])[] {
  return getAttributeSummary(type).defaults
}

/** Unvalidated values from a catalog or a generating resource. */
export type DeclaredValues = ReadonlyMap<string, Value>
