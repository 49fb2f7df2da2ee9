import type { Value } from '../../language/values/value.ts'
import { type Kind, oneOf } from './kind.ts'
import type { ManagedResource } from './managed-resource.ts'
import type { AnyProvider } from './provider.ts'

/** One attribute of a type. */
export interface Attribute<Result, Role extends AttributeRole = AttributeRole> extends AttributeOptions<Result> {
  readonly role: Role
  readonly kind: Kind<Result>
  readonly doc: string
}

/** A property can be read from the system and set there; a parameter only says how; the namevar names the thing. */
export type AttributeRole = 'namevar' | 'property' | 'parameter'

/** Options of an attribute. */
export interface AttributeOptions<Result> {
  /** The value when none is given; `undefined` is none. */
  readonly default?: Result | ((resource: ManagedResource) => Result | undefined)
  /** A feature that the provider must have. */
  readonly needs?: string
  /** Features that single values need; `*` stands for all that are not named. */
  readonly valueNeeds?: Readonly<Record<string, string | undefined>>
  /** Comparison of a value with the wanted one; equal values are in sync in any case. */
  inSync?(is: unknown, should: Result): boolean
  /** The present value as log lines show it, where that is not the usual form. */
  show?(is: unknown): string
  /** The wanted value as log lines show it, where that is not the usual form. */
  showWanted?(should: Result): string
  /** Never in sync, and no change of the system's: `notify` (Puppet: idempotent => false). */
  readonly idempotent?: false
  /** Its values are never shown. */
  readonly sensitive?: true
}

/** The attributes of a type, in the order in which they are set. */
// biome-ignore lint/suspicious/noExplicitAny: each attribute has a result of its own
export type Attributes = Readonly<Record<string, Attribute<any>>>

/** The parsed value of an attribute. */
export type ResultOf<Each> = Each extends Attribute<infer Result> ? Result : never

/** The key of a finder that answers references of whatever types. */
export const anyType = '*'

/** Finds resources of other types that one depends on without saying so: titles, of which only some may exist. */
export type Autorelation<Of extends Attributes> = (
  resource: ManagedResource<Of>,
  catalog: { has(type: string, title: string): boolean; ofType(type: string): readonly { readonly name: string }[] },
) => readonly (string | undefined)[]

/** A type of things to manage. Providers say how. */
export interface TypeDefinition<Of extends Attributes = Attributes> {
  readonly name: string
  readonly doc: string
  /** Features that providers may have, with a sentence on each. */
  readonly features?: Readonly<Record<string, string>>
  readonly attributes: Of
  /** Two resources may have the same name (Puppet: isomorphic => false). */
  readonly repeatable?: true
  /** The values of the namevars in the order of their names, as Ruby prints them; the name alone unless given. */
  identity?(resource: ManagedResource<Of>): readonly string[]
  /** A change of it refreshes it, too (Puppet: self_refresh). */
  readonly refreshesItself?: true
  /** No provider of its own: containers and things that only other resources read. */
  readonly passive?: true
  /** The owner of its things: this machine (by default), a device that is managed from here, or either. */
  readonly appliesTo?: 'host' | 'device' | 'both'
  /** It manages its things itself, in Puppet without a provider: reports name none. */
  readonly providesItself?: true
  /** The resources that one generates come before it, not after it (Puppet: depthfirst). */
  readonly generatesBefore?: true
  /** The namevars that a title gives, where it is not simply the name. */
  readonly fromTitle?: (title: string) => Readonly<Record<string, string>>
  /** The title of a thing by its attributes, shown whatever the manifest says; its name unless given. */
  readonly ownTitle?: (get: (attribute: string) => unknown) => string
  readonly autorequire?: Readonly<Record<string, Autorelation<Of>>>
  readonly autobefore?: Readonly<Record<string, Autorelation<Of>>>
  readonly autosubscribe?: Readonly<Record<string, Autorelation<Of>>>
  readonly autonotify?: Readonly<Record<string, Autorelation<Of>>>
  /** Fills in what follows from other attributes, before checking. */
  readonly complete?: (resource: ManagedResource<Of>) => void
  /** Throws what is wrong with a resource beside the others of its catalog, of which nothing is applied then. */
  readonly finish?: (resource: ManagedResource<Of>, catalog: { has(type: string, title: string): boolean }) => void
  /** Checks across attributes; throws what is wrong. */
  readonly validate?: (resource: ManagedResource<Of>) => void
  /** Takes in the attributes as code elsewhere made them, in place of parsing them; throws what is wrong. */
  readonly adopt?: (resource: ManagedResource<Of>) => void
  /** Hands over values that came when the resource had its turn, before `adopt` is called again. */
  readonly settle?: (resource: ManagedResource<Of>, values: GivenValues) => Promise<void>
  /** Providers that are in no table. */
  readonly ownProviders?: OwnProviders
  /** Attributes that become sensitive when another one is. */
  readonly sensitiveWith?: Readonly<Record<string, readonly string[]>>
}

/** The providers of a type that knows them itself. */
export interface OwnProviders {
  /** `undefined` where none can work yet. */
  choose(resource: ManagedResource): AnyProvider | undefined
  /** True for a resource whose provider can work by now; the resource has that provider then. */
  canWork(resource: ManagedResource): Promise<boolean>
}

/** Declares a type. */
export function defineType<const Of extends Attributes>(
  name: string,
  definition: Omit<TypeDefinition<Of>, 'name'>,
): TypeDefinition<Of> {
  return { name, ...definition }
}

/** The attribute that names the thing; the title when not given. */
export function namevar<Result>(kind: Kind<Result>, doc: string, options: AttributeOptions<Result> = {}) {
  return { role: 'namevar', kind, doc, ...options } as Attribute<Result, 'namevar'>
}

/** An attribute that can be read and set. */
export function property<Result>(kind: Kind<Result>, doc: string, options: AttributeOptions<NoInfer<Result>> = {}) {
  return { role: 'property', kind, doc, ...options } as Attribute<Result, 'property'>
}

/** An attribute that says how. */
export function parameter<Result>(kind: Kind<Result>, doc: string, options: AttributeOptions<NoInfer<Result>> = {}) {
  return { role: 'parameter', kind, doc, ...options } as Attribute<Result, 'parameter'>
}

/** Presence of a thing; wanted as soon as any property is (Puppet: `ensurable`). */
export function ensurable(doc: string) {
  return property(oneOf('present', 'absent'), doc, {
    default: (resource) => (resource.properties().length > 0 ? 'present' : undefined),
  })
}

/** Lists of a type's attributes that each of its resources asks for, made once. */
interface Outline {
  readonly namevar: string
  /** `ensure` first. */
  readonly properties: readonly string[]
  readonly defaults: readonly (readonly [name: string, attribute: Attribute<unknown>])[]
}

const outlines = new WeakMap<Attributes, Outline>()

function outlineOf({ attributes }: TypeDefinition): Outline {
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
export function namevarOf(type: TypeDefinition): string {
  return outlineOf(type).namevar
}

/** All attributes of a type that name the thing. */
export function namevarsOf({ attributes }: TypeDefinition): readonly string[] {
  return Object.keys(attributes).filter((name) => attributes[name]?.role === 'namevar')
}

/** The properties of a type in the order in which they are set, `ensure` first. */
export function propertiesOf(type: TypeDefinition): readonly string[] {
  return outlineOf(type).properties
}

/** The attributes of a type that have a value even when none is given. */
export function defaultsOf(type: TypeDefinition): readonly (readonly [name: string, attribute: Attribute<unknown>])[] {
  return outlineOf(type).defaults
}

/** Values as a catalog or a generating resource gives them. */
export type GivenValues = ReadonlyMap<string, Value>
