import { defineIssues, fail } from '../../../base/issue.ts'
import { inspect } from '../../resources/kind.ts'
import { placeText } from '../../resources/managed-resource.ts'

/** A resource with the names used in messages. */
export interface NamedResource {
  /** Reference, such as `File[/etc/motd]`. */
  readonly reference: string
  readonly title: string
  readonly file?: string | undefined
  readonly line?: number | undefined
}

const issues = defineIssues({
  RESOURCE_TWICE: {
    text: (a: { resource: NamedResource; existing: NamedResource }) =>
      `Duplicate declaration: ${a.resource.reference} is already declared${at(a.existing)}; cannot redeclare${placeText(a.resource)}`,
  },
  NAME_TWICE: {
    text: (a: { resource: NamedResource; existing: NamedResource; alias: string; parts: string }) =>
      `Cannot alias ${a.resource.reference} to ${a.alias}${at(a.resource)}; resource [${inspect(typeOf(a.resource))}, ${a.parts}] already declared${placeText(a.existing)}`,
  },
})

/**
 * Index of titles, aliases and namevar values in a catalog; each belongs to one resource. Puppet:
 * resource/catalog.rb.
 */
export class ResourceNames {
  readonly #owners = new Map<string, NamedResource>()

  /** Throws RESOURCE_TWICE if another resource has the title. */
  addTitle(resource: NamedResource): void {
    const key = keyOf(resource, inspect(resource.title))
    const existing = this.#owners.get(key)
    if (existing && existing !== resource) fail(issues.RESOURCE_TWICE, { resource, existing })
    this.#owners.set(key, resource)
  }

  /** Throws NAME_TWICE if another resource has the name. */
  addAlias(resource: NamedResource, alias: string): void {
    const part = inspect(alias)
    this.#add(resource, part, part)
  }

  /** Adds the values of the namevars, in Ruby's notation. Throws NAME_TWICE if another resource has the same values. */
  addIdentity(resource: NamedResource, values: readonly string[]): void {
    const parts = values.join(', ')
    this.#add(resource, parts, `[${parts}]`)
  }

  /** Finds a resource by its type and its title, its alias, or its namevar if the type has only one namevar. */
  find(resource: Pick<NamedResource, 'reference' | 'title'>): NamedResource | undefined {
    return this.#owners.get(keyOf(resource, inspect(resource.title)))
  }

  #add(resource: NamedResource, parts: string, alias: string): void {
    const key = keyOf(resource, parts)
    const existing = this.#owners.get(key)
    if (existing && existing !== resource) fail(issues.NAME_TWICE, { resource, existing, alias, parts })
    this.#owners.set(key, resource)
  }
}

const typeOf = ({ reference }: Pick<NamedResource, 'reference'>) => reference.slice(0, reference.indexOf('['))

const keyOf = (resource: Pick<NamedResource, 'reference'>, parts: string) => `${typeOf(resource)} ${parts}`

function at(resource: NamedResource): string {
  const place = placeText(resource)
  return place === '' ? '' : ` at${place}`
}
