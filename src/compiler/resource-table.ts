import { fail } from '../base/issue.ts'
import { capitalizeSegments } from '../language/types/print.ts'
import { toText } from '../language/values/print.ts'
import type { Value } from '../language/values/value.ts'
import type { CatalogResource } from './catalog-resource.ts'
import { titleOfClass } from './catalog-resource.ts'
import { placeOf } from './code-definition.ts'
import { issues } from './issues.ts'

/** An edge of containment. */
export interface Containment {
  readonly source: CatalogResource
  readonly target: CatalogResource
}

/** The resources of a catalog by what they are called, and what contains what. */
export class ResourceTable {
  /** In the order of declaration. */
  readonly resources: CatalogResource[] = []
  readonly edges: Containment[] = []
  readonly #byKey = new Map<string, CatalogResource>()
  readonly #contents = new Map<CatalogResource, Set<CatalogResource>>()

  /** Throws DUPLICATE_RESOURCE, or DUPLICATE_ALIAS where another has its identity. */
  add(resource: CatalogResource): void {
    const key = keyOf(resource.type, resource.title)
    const known = this.#byKey.get(key)
    if (known) {
      const place = placeOf(known.span)
      fail(issues.DUPLICATE_RESOURCE, { resource: resource.reference, place, here: resource.span })
    }
    this.#byKey.set(key, resource)
    this.resources.push(resource)
    for (const alias of aliasesOf(resource.get('alias'))) this.#alias(resource, [alias])
    if (isIsomorphic(resource)) {
      const identity = identityOf(resource)
      if (identity.some((part) => part !== undefined) && !(identity.length === 1 && identity[0] === resource.title))
        this.#alias(resource, identity)
    }
  }

  /** The resource of that name; a type in any case. */
  find(type: string, title: string): CatalogResource | undefined {
    const name = capitalizeSegments(type.replace(/^::/, '').toLowerCase())
    const exact = this.#byKey.get(keyOf(name, name === 'Class' ? titleOfClass(title.toLowerCase()) : title))
    if (exact || name !== 'File') return exact
    return this.#byKey.get(keyOf(name, pathOf(title)))
  }

  /** The resource of a reference such as `File[/x]`. Throws ILLEGAL_REFERENCE for what is none. */
  findReference(text: string): CatalogResource | undefined {
    const match = /^([^[\]]+)\[(.+)\]$/s.exec(text)
    if (!match) return fail(issues.ILLEGAL_REFERENCE, { text })
    return this.find(match[1]!, match[2]!)
  }

  contain(source: CatalogResource, target: CatalogResource): void {
    const contents = this.#contents.get(source) ?? new Set()
    if (contents.has(target)) return
    this.#contents.set(source, contents.add(target))
    this.edges.push({ source, target })
  }

  contents(source: CatalogResource): Iterable<CatalogResource> {
    return this.#contents.get(source) ?? []
  }

  #alias(resource: CatalogResource, identity: readonly (string | undefined)[]): void {
    const key = keyOf(resource.type, ...identity)
    const existing = this.#byKey.get(key)
    if (existing === resource) return
    if (existing) {
      const parts = identity.map((part) => (part === undefined ? 'nil' : JSON.stringify(part)))
      const shown = identity.length === 1 && resource.get('alias') !== undefined ? parts[0]! : `[${parts.join(', ')}]`
      const reference = `[${[JSON.stringify(resource.type), ...parts].join(', ')}]`
      const place = placeOf(resource.span)
      fail(issues.DUPLICATE_ALIAS, {
        resource: resource.reference,
        key: shown,
        reference,
        place,
        existing: existing.span,
      })
    }
    this.#byKey.set(key, resource)
  }
}

/** What makes a native resource the same thing as another: its namevars, in alphabetical order. */
function identityOf(resource: CatalogResource): (string | undefined)[] {
  const namevars = resource.native?.namevars ?? ['name']
  const byTitle = resource.type === 'File' ? pathOf(resource.title) : resource.title
  const main = namevars.length === 1 ? namevars[0]! : 'name'
  return [...namevars].sort().map((namevar) => {
    const value = resource.get(namevar) ?? (namevar === main ? (resource.get('name') ?? byTitle) : undefined)
    return value === undefined ? undefined : toText(value)
  })
}

function isIsomorphic({ native }: CatalogResource): boolean {
  return native?.isomorphic ?? true
}

/** A file's title is its path without slashes at its end. Puppet: type/file.rb, title_patterns. */
export function pathOf(title: string): string {
  return title.length > 1 ? title.replace(/(.)\/+$/s, '$1') : title
}

function aliasesOf(value: Value): string[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value.flatMap(aliasesOf) : [toText(value)]
}

function keyOf(...parts: readonly (string | undefined)[]): string {
  return parts.map((part) => part ?? '\0').join('\0')
}
