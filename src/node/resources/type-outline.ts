import { metaparameterAttributes } from './metaparameters.ts'
import type { AnyProvider, RequiredFactValues } from './provider.ts'
import { loadProviders } from './providers.ts'
import type { NativeTypeDefinition, ResourceAttribute, ResourceAttributes } from './type.ts'
import { types } from './types.ts'

/** Description of a type for documentation: its attributes and providers. */
export interface TypeOutline {
  readonly name: string
  readonly doc: string
  readonly attributes: readonly AttributeOutline[]
  readonly features: readonly { readonly name: string; readonly doc: string }[]
  readonly providers: readonly ProviderOutline[]
}

/** Description of an attribute. */
export interface AttributeOutline {
  readonly name: string
  readonly role: string
  readonly doc: string
  /** All permitted values, if they are a finite list. */
  readonly values: readonly string[]
  /** The default value, if it is constant. */
  readonly default: string | undefined
  /** Provider features without which the attribute is ignored. */
  readonly needs: readonly string[]
}

/** Description of a provider. */
export interface ProviderOutline {
  readonly name: string
  readonly doc: string
  /** Required programs and files, and facts of suitable machines. */
  readonly requires: readonly string[]
  /** Facts of machines on which this provider is the default, with their values. */
  readonly defaultFor: readonly string[]
  readonly features: readonly string[]
}

/** Descriptions of all built-in types, sorted by name. */
export function buildTypeOutlines(): Promise<readonly TypeOutline[]> {
  return Promise.all([...types.keys()].sort().map((name) => buildTypeOutline(types.get(name)!)))
}

/** Descriptions of the metaparameters. */
export function buildMetaparameterOutlines(): readonly AttributeOutline[] {
  return buildAttributeOutlines(metaparameterAttributes)
}

/** The description of a type. */
export async function buildTypeOutline(type: NativeTypeDefinition): Promise<TypeOutline> {
  const { name, doc, attributes, features = {} } = type
  return {
    name,
    doc,
    attributes: buildAttributeOutlines(attributes),
    features: Object.entries(features).map(([feature, sentence]) => ({ name: feature, doc: sentence })),
    providers: type.providesItself || type.passive ? [] : (await loadProviders(name)).map(buildProviderOutline),
  }
}

function buildAttributeOutlines(attributes: ResourceAttributes): readonly AttributeOutline[] {
  return Object.entries(attributes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, attribute]) => buildAttributeOutline(name, attribute))
}

function buildAttributeOutline(name: string, attribute: ResourceAttribute<unknown>): AttributeOutline {
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

function buildProviderOutline({
  name,
  doc,
  suitable = {},
  defaultFor = [],
  features = [],
}: AnyProvider): ProviderOutline {
  const { commands = [], files = [], facts } = suitable
  const formatFactValues = (each: RequiredFactValues) =>
    Object.entries(each)
      .map(([fact, values]) => `${fact} = ${values.join(', ')}`)
      .join(' and ')
  return {
    name,
    doc,
    requires: [...commands, ...files, ...(facts ? [formatFactValues(facts)] : [])],
    defaultFor: ([defaultFor].flat() as RequiredFactValues[]).map(formatFactValues),
    features: [...features].sort(),
  }
}
