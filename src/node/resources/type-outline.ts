import { metaparameters } from './metaparameters.ts'
import type { AnyProvider, FactValuesWanted } from './provider.ts'
import { providersOf } from './providers.ts'
import type { Attribute, Attributes, TypeDefinition } from './type.ts'
import { types } from './types.ts'

/** A type as people read of it: what it takes, and who provides it. */
export interface TypeOutline {
  readonly name: string
  readonly doc: string
  readonly attributes: readonly AttributeOutline[]
  readonly features: readonly { readonly name: string; readonly doc: string }[]
  readonly providers: readonly ProviderOutline[]
}

/** An attribute as people read of it. */
export interface AttributeOutline {
  readonly name: string
  readonly role: string
  readonly doc: string
  /** All values that it takes, where they can be counted. */
  readonly values: readonly string[]
  /** The value when none is given, where that is always the same. */
  readonly default: string | undefined
  /** Features of the provider without which it is ignored. */
  readonly needs: readonly string[]
}

/** A provider as people read of it. */
export interface ProviderOutline {
  readonly name: string
  readonly doc: string
  /** Programs and files that must be there, and facts of machines that it works on. */
  readonly requires: readonly string[]
  /** Facts of machines that it is the default on, each with its values. */
  readonly defaultFor: readonly string[]
  readonly features: readonly string[]
}

/** The outlines of all built-in types, by name. */
export function allOutlines(): Promise<readonly TypeOutline[]> {
  return Promise.all([...types.keys()].sort().map((name) => outlineOf(types.get(name)!)))
}

/** The outlines of the attributes that every type takes. */
export function metaparameterOutlines(): readonly AttributeOutline[] {
  return attributesOf(metaparameters)
}

/** The outline of a type. */
export async function outlineOf(type: TypeDefinition): Promise<TypeOutline> {
  const { name, doc, attributes, features = {} } = type
  return {
    name,
    doc,
    attributes: attributesOf(attributes),
    features: Object.entries(features).map(([feature, sentence]) => ({ name: feature, doc: sentence })),
    providers: type.providesItself || type.passive ? [] : (await providersOf(name)).map(providerOf),
  }
}

function attributesOf(attributes: Attributes): readonly AttributeOutline[] {
  return Object.entries(attributes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, attribute]) => attributeOf(name, attribute))
}

function attributeOf(name: string, attribute: Attribute<unknown>): AttributeOutline {
  const { role, doc, kind, needs, default: standard } = attribute
  const isPlain = ['string', 'number', 'boolean'].includes(typeof standard)
  return {
    name,
    role,
    doc,
    values: kind.values ?? [],
    default: isPlain ? String(standard) : undefined,
    needs: needs === undefined ? [] : [needs],
  }
}

function providerOf({ name, doc, suitable = {}, defaultFor = [], features = [] }: AnyProvider): ProviderOutline {
  const { commands = [], files = [], facts } = suitable
  const wanted = (each: FactValuesWanted) =>
    Object.entries(each)
      .map(([fact, values]) => `${fact} = ${values.join(', ')}`)
      .join(' and ')
  return {
    name,
    doc,
    requires: [...commands, ...files, ...(facts ? [wanted(facts)] : [])],
    defaultFor: ([defaultFor].flat() as FactValuesWanted[]).map(wanted),
    features: [...features].sort(),
  }
}
