import { sortByName } from '../by-name.ts'
import { parseDocstring } from '../docstring/docstring.ts'
import type {
  AttributeItem,
  Docstring,
  DocTag,
  FeatureItem,
  ItemPlace,
  ProviderItem,
  ResourceTypeItem,
} from '../model.ts'
import { createAttribute } from './resource-types.ts'

/** Collects a resource type, to which several files can add. */
export class TypeBuilder {
  readonly #name: string
  readonly #place: ItemPlace
  #docstring: Docstring = { text: '', tags: [] }
  readonly #properties: AttributeItem[] = []
  readonly #parameters: AttributeItem[] = []
  readonly #checks: AttributeItem[] = []
  readonly #features: FeatureItem[] = []

  constructor(name: string, place: ItemPlace) {
    this.#name = name
    this.#place = place
  }

  /** Replaces the docstring, and adds the parameters and properties of its directives. */
  setComment(comment: string): void {
    const { text, tags, directives } = parseDocstring(comment)
    this.#docstring = { text, tags }
    for (const directive of directives) this.#addDirective(directive)
  }

  #addDirective({ tag, name = '', text = '', types = [] }: DocTag): void {
    const attribute = { ...createAttribute(name, text), values: types }
    if (tag === 'puppet.type.param') this.addParameter(attribute)
    if (tag === 'puppet.type.property') this.addProperty(attribute)
  }

  addProperty(property: AttributeItem): void {
    this.#properties.push(property)
  }

  addParameter(parameter: AttributeItem): void {
    this.#parameters.push(parameter)
  }

  addCheck(check: AttributeItem): void {
    this.#checks.push(check)
  }

  addFeature(feature: FeatureItem): void {
    this.#features.push(feature)
  }

  /** Makes `name` the namevar if no attribute is one. */
  setDefaultNamevar(): void {
    if ([...this.#properties, ...this.#parameters].some(({ isNamevar }) => isNamevar)) return
    // The last property and the first parameter of this name count, and a property before a parameter.
    const inProperties = this.#properties.findLastIndex(({ name }) => name === 'name')
    const [list, index] =
      inProperties === -1
        ? [this.#parameters, this.#parameters.findIndex(({ name }) => name === 'name')]
        : [this.#properties, inProperties]
    const attribute = list[index]
    if (attribute) list[index] = { ...attribute, isNamevar: true }
  }

  /** The type with its providers. A type with providers has the parameter `provider`. */
  build(providers: readonly ProviderItem[]): ResourceTypeItem {
    const hasProvider = providers.length === 0 || this.#parameters.some(({ name }) => name === 'provider')
    const provider = createAttribute(
      'provider',
      `The specific backend to use for this \`${this.#name}\` resource. You will seldom need ` +
        'to specify this --- Puppet will usually discover the appropriate provider for your platform.',
    )
    return {
      kind: 'resource type',
      name: this.#name,
      ...this.#place,
      docstring: this.#docstring,
      properties: sortByName(this.#properties),
      parameters: sortByName(hasProvider ? this.#parameters : [...this.#parameters, provider]),
      checks: sortByName(this.#checks),
      features: sortByName(this.#features),
      providers,
    }
  }
}
