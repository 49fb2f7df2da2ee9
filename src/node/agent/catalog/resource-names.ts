import { defineIssues, throwIssue } from '../../../base/issue.ts'
import { inspectPlainValue } from '../../resources/attribute-kinds.ts'
import { formatLocation } from '../../resources/managed-resource.ts'

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
      `Duplicate declaration: ${a.resource.reference} is already declared${formatLocationSuffix(a.existing)}; cannot redeclare${formatLocation(a.resource)}`,
  },
  NAME_TWICE: {
    text: (a: { resource: NamedResource; existing: NamedResource; alias: string; parts: string }) =>
      `Cannot alias ${a.resource.reference} to ${a.alias}${formatLocationSuffix(a.resource)}; resource [${inspectPlainValue(getTypeName(a.resource))}, ${a.parts}] already declared${formatLocation(a.existing)}`,
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
    const key = formatNameKey(resource, inspectPlainValue(resource.title))
    const existing = this.#owners.get(key)
    if (existing && existing !== resource) throwIssue(issues.RESOURCE_TWICE, { resource, existing })
    this.#owners.set(key, resource)
  }

  /** Throws NAME_TWICE if another resource has the name. */
  addAlias(resource: NamedResource, alias: string): void {
    const part = inspectPlainValue(alias)
    this.#add(resource, part, part)
  }

  /** Adds the values of the namevars, in Ruby's notation. Throws NAME_TWICE if another resource has the same values. */
  addIdentity(resource: NamedResource, values: readonly string[]): void {
    const parts = values.join(', ')
    this.#add(resource, parts, `[${parts}]`)
  }

  /** Finds a resource by its type and its title, its alias, or its namevar if the type has only one namevar. */
  find(resource: Pick<NamedResource, 'reference' | 'title'>): NamedResource | undefined {
    return this.#owners.get(formatNameKey(resource, inspectPlainValue(resource.title)))
  }

  #add(resource: NamedResource, parts: string, alias: string): void {
    const key = formatNameKey(resource, parts)
    const existing = this.#owners.get(key)
    if (existing && existing !== resource) throwIssue(issues.NAME_TWICE, { resource, existing, alias, parts })
    this.#owners.set(key, resource)
  }
}

const getTypeName = ({ reference }: Pick<NamedResource, 'reference'>) => reference.slice(0, reference.indexOf('['))

const formatNameKey = (resource: Pick<NamedResource, 'reference'>, parts: string) => `${getTypeName(resource)} ${parts}`

function formatLocationSuffix(resource: NamedResource): string {
  const place = formatLocation(resource)
  return place === '' ? '' : ` at${place}`
}
