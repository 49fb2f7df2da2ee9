import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { capitalizeSegments } from '../../language/types/printing/print.ts'
import { toText } from '../../language/types/printing/text.ts'
import type { Value } from '../../language/values/value.ts'
import type { NativeType } from '../code/native-types.ts'
import { issues } from '../request/issues.ts'
import { formatSpanLocation } from '../request/message-locations.ts'
import type { CatalogResource } from './catalog-resource.ts'
import { formatClassTitle } from './catalog-resource.ts'
import { type ChangeTitlePart, computeUniquenessKey, parseResourceTitle } from './resource-identity.ts'

/** An edge from a container to a resource in it. */
export interface Containment {
  readonly source: CatalogResource
  readonly target: CatalogResource
}

/** Resources of a catalog by reference and identity, and their containment. */
export class ResourceTable {
  /** Resources in order of declaration. */
  readonly resources: CatalogResource[] = []
  readonly edges: Containment[] = []
  /** Resources by reference and by identity. */
  readonly #byKey = new Map<string, CatalogResource>()
  readonly #contents = new Map<CatalogResource, Set<CatalogResource>>()
  /** Ruby types by capitalized name. */
  readonly #natives = new Map<string, NativeType>()
  readonly #change: ChangeTitlePart

  constructor(change: ChangeTitlePart) {
    this.#change = change
  }

  /** Adds a resource. Throws DUPLICATE_RESOURCE, or DUPLICATE_ALIAS if another resource has the same identity. */
  add(resource: CatalogResource): void {
    const key = resource.reference
    const known = this.#byKey.get(key)
    if (known) {
      const place = formatSpanLocation(known.span)
      throwIssue(issues.DUPLICATE_RESOURCE, { resource: resource.reference, place, here: resource.span })
    }
    const most = budgets.environment.resources.bound
    if (this.resources.length >= most) throwIssue(issues.TOO_MANY_RESOURCES, { most })
    this.#byKey.set(key, resource)
    this.resources.push(resource)
    if (resource.native) this.#natives.set(resource.type, resource.native)
    for (const alias of listAliases(resource.get('alias'))) this.#alias(resource, [alias])
    if (isIsomorphic(resource)) {
      const identity = this.#identity(resource)
      if (identity.some((part) => part !== undefined) && !(identity.length === 1 && identity[0] === resource.title))
        this.#alias(resource, identity)
    }
  }

  /** Finds a resource by type and title; the type is case-insensitive. */
  find(type: string, title: string): CatalogResource | undefined {
    const name = capitalizeSegments(type.replace(/^::/, '').toLowerCase())
    const exact = this.#byKey.get(
      formatIdentityKey(name, [name === 'Class' ? formatClassTitle(title.toLowerCase()) : title]),
    )
    const native = this.#natives.get(name)
    if (exact || !native || (native.namevars.length === 1 && !native.titlePatterns)) return exact
    const identity = computeUniquenessKey(native, { type: name, title }, () => undefined, this.#change)
    return this.#byKey.get(formatIdentityKey(name, identity))
  }

  /** Finds a resource by a reference such as `File[/x]`. Throws ILLEGAL_REFERENCE if the text is not a reference. */
  findReference(text: string): CatalogResource | undefined {
    const exact = this.#byKey.get(text)
    if (exact) return exact
    const match = /^([^[\]]+)\[(.+)\]$/s.exec(text)
    if (!match) return throwIssue(issues.ILLEGAL_REFERENCE, { text })
    return this.find(match[1]!, match[2]!)
  }

  /**
   * Returns the attributes that the title contains according to the native type's title patterns; empty for a type
   * without patterns.
   */
  attributesInTitle({ native, title }: CatalogResource): ReadonlyMap<string, Value> {
    return native?.titlePatterns ? parseResourceTitle(native, title, this.#change) : nothing
  }

  contain(source: CatalogResource, target: CatalogResource): void {
    const contents = this.#contents.get(source) ?? new Set()
    if (contents.has(target)) return
    this.#contents.set(source, contents.add(target))
    this.edges.push({ source, target })
  }

  /** True if the resource contains other resources. */
  isContainer(resource: CatalogResource): boolean {
    return this.#contents.has(resource)
  }

  contents(source: CatalogResource): Iterable<CatalogResource> {
    return this.#contents.get(source) ?? []
  }

  #identity(resource: CatalogResource): (string | undefined)[] {
    const { native, title } = resource
    if (!native) return [toText(resource.get('name') ?? title)]
    return computeUniquenessKey(native, resource, (name) => resource.parameters.get(name)?.value, this.#change)
  }

  #alias(resource: CatalogResource, identity: readonly (string | undefined)[]): void {
    const key = formatIdentityKey(resource.type, identity)
    const existing = this.#byKey.get(key)
    if (existing === resource) return
    if (existing) {
      const parts = identity.map((part) => (part === undefined ? 'nil' : JSON.stringify(part)))
      const shown = identity.length === 1 && resource.get('alias') !== undefined ? parts[0]! : `[${parts.join(', ')}]`
      const reference = `[${[JSON.stringify(resource.type), ...parts].join(', ')}]`
      const place = formatSpanLocation(resource.span)
      throwIssue(issues.DUPLICATE_ALIAS, {
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

function isIsomorphic({ native }: CatalogResource): boolean {
  return native?.isomorphic ?? true
}

function listAliases(value: Value): string[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value.flatMap(listAliases) : [toText(value)]
}

const nothing: ReadonlyMap<string, Value> = new Map()

/** Key of an identity in the table. With a single namevar, the key is the reference, such as `File[/etc/motd]`. */
function formatIdentityKey(type: string, identity: readonly (string | undefined)[]): string {
  const [only] = identity
  if (identity.length === 1 && only !== undefined) return `${type}[${only}]`
  return [type, ...identity.map((part) => part ?? '\0')].join('\0')
}
