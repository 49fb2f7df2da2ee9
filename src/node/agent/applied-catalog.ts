import { defineIssues } from '../../base/issue.ts'
import type { Value } from '../../language/values/value.ts'
import { isAbsolutePath, normalizePath } from '../../machine/windows/machine-path.ts'
import { type Catalog, formatResourceReference, type Resource } from '../../model/catalog.ts'
import { inspectPlainValue, textKind } from '../resources/attribute-kinds.ts'
import { type AnyResource, formatLocation, ManagedResource } from '../resources/managed-resource.ts'
import { metaparameterAttributes, relationshipMetaparameters } from '../resources/metaparameters.ts'
import type { CatalogView } from '../resources/provider.ts'
import { capitalizeTypeName, formatReferenceValue, splitReference } from '../resources/reference.ts'
import { defineNamevar, type NativeTypeDefinition } from '../resources/type.ts'
import { filebucketType } from '../resources/types/filebucket.ts'
import { schedule } from '../resources/types/schedule.ts'
import { ResourceNames } from './catalog/resource-names.ts'

/** An entry of the catalog being applied: a resource of a known type, or a container. */
export interface CatalogEntry {
  /** Reference, such as `File[/etc/motd]`. */
  reference: string
  /** Type name in the notation of reports, such as `File`. */
  readonly typeName: string
  title: string
  readonly tags: ReadonlySet<string>
  readonly file: string | undefined
  readonly line: number | undefined
  /** Undefined for classes and defined types. */
  readonly resource: AnyResource | undefined
  /** The first container, used for the path; a class can have several containers. */
  readonly container: CatalogEntry | undefined
  readonly contents: CatalogEntry[]
  /** Relationship metaparameters, as references. */
  readonly relations: Map<string, readonly string[]>
  /**
   * Reason why this node cannot manage the resource. The resource fails with this reason when it is
   * evaluated.
   */
  failure?: string
}

const issues = defineIssues({
  TAKEN_ALIAS: {
    text: (a: { resource: AnyResource; alias: string }) =>
      `Parameter alias failed on ${a.resource.reference}: ${a.resource.title} can not create alias ${a.alias}: object already exists`,
  },
  UNKNOWN_TYPE: { text: (a: { type: string }) => `Resource type '${a.type}' was not found` },
})

/**
 * Looks up a type by name. If a module's Ruby code extends a built-in type, the parameters of
 * `resource` select the built-in or the Ruby type.
 */
export interface TypeTable {
  get(name: string, resource?: Pick<Resource, 'parameters'>): NativeTypeDefinition | undefined
}

/** A catalog prepared for application, with resources of known types, containment, and an index of names. */
export class AppliedCatalog implements CatalogView {
  readonly source: Catalog
  readonly #failures: ReadonlyMap<string, string>
  readonly #entries: CatalogEntry[] = []
  readonly #names = new ResourceNames()
  readonly #index = new Map<string, CatalogEntry>()

  /** `failures`: reasons why defined types cannot be used, by type name. */
  constructor(source: Catalog, types: TypeTable, failures: ReadonlyMap<string, string> = new Map()) {
    this.source = source
    this.#failures = failures
    const containers = new Map<string, string>()
    for (const { source: from, target } of source.edges) if (!containers.has(target)) containers.set(target, from)
    const resources = new Map(source.resources.map((resource) => [formatResourceReference(resource), resource]))
    const made = new Map<string, CatalogEntry>()
    const resolveEntry = (reference: string): CatalogEntry | undefined => {
      const resource = resources.get(reference)
      if (!resource) return this.#index.get(toIndexKey(reference))
      const known = made.get(reference)
      if (known) return known
      const container = containers.get(reference)
      const entry = this.#add(resource, types, container === undefined ? undefined : resolveEntry(container))
      made.set(reference, entry)
      return entry
    }
    for (const reference of resources.keys()) resolveEntry(reference)
    for (const { source: from, target } of source.edges) {
      const content = this.#index.get(toIndexKey(target))
      if (content) this.#index.get(toIndexKey(from))?.contents.push(content)
    }
    const order = new Map([...resources.keys()].map((reference, index) => [reference, index]))
    this.#entries.sort((a, b) => order.get(a.reference)! - order.get(b.reference)!)
    this.#addDefaults()
  }

  get environment(): string {
    return this.source.environment
  }

  get metadata(): Catalog['metadata'] {
    return this.source.metadata
  }

  get recursiveMetadata(): Catalog['recursiveMetadata'] {
    return this.source.recursiveMetadata
  }

  /** All entries in catalog order. */
  entries(): readonly CatalogEntry[] {
    return this.#entries
  }

  /** Finds an entry by type and title, name or alias. */
  lookup(type: string, title: string): CatalogEntry | undefined {
    return this.#index.get(formatIndexKey(type, title))
  }

  find(type: string, title: string): AnyResource | undefined {
    return this.lookup(type, title)?.resource
  }

  has(type: string, title: string): boolean {
    return this.#index.has(formatIndexKey(type, title))
  }

  ofType(type: string): readonly AnyResource[] {
    return this.#entries.flatMap(({ resource }) => (resource?.type.name === type ? [resource] : []))
  }

  /** Adds a resource generated by `parent` at index `place` (default: at the end). */
  addGenerated(resource: AnyResource, parent: CatalogEntry, place = this.#entries.length): CatalogEntry {
    for (const tag of parent.tags) resource.tags.add(tag)
    const entry = createEntry(
      resource.reference,
      resource,
      parent.container,
      resource.tags,
      collectRelations(resource.given),
    )
    this.#entries.splice(place, 0, entry)
    parent.container?.contents.push(entry)
    this.#register(entry, [resource.title, resource.name])
    return entry
  }

  /** Registers the names and aliases of a resource, after its attributes are parsed. */
  registerNames(entry: CatalogEntry): void {
    const { resource } = entry
    if (!resource) return
    const { type, name } = resource
    const title = type.ownTitle?.((attribute) => resource.value(attribute))
    if (title !== undefined) {
      entry.title = title
      entry.reference = `${entry.typeName}[${title}]`
    }
    const own = (type.aliases?.(resource) ?? []).filter((alias) => alias !== entry.title)
    const aliases = [...(resource.meta('alias') ?? []), ...own]
    for (const alias of aliases) this.#addAlias(entry, resource, alias)
    this.#names.addTitle(entry)
    const identity =
      type.repeatable || title !== undefined ? [] : (type.identity?.(resource) ?? [inspectPlainValue(name)])
    if (identity.length > 0) this.#names.addIdentity(entry, identity)
    this.#register(entry, [entry.title, ...(identity.length === 1 ? [name] : []), ...aliases])
  }

  #addAlias(entry: CatalogEntry, resource: AnyResource, alias: string): void {
    const existing = this.#names.find({ reference: entry.reference, title: alias })
    if (!existing) this.#names.addAlias(entry, alias)
    else if (existing !== entry) resource.fail(issues.TAKEN_ALIAS.text({ resource, alias }))
  }

  #add(resource: Resource, types: TypeTable, container: CatalogEntry | undefined): CatalogEntry {
    const reference = formatResourceReference(resource)
    const type = types.get(resource.type.toLowerCase(), resource)
    const failure = this.#failures.get(resource.type.toLowerCase())
    const isMissing = !type && (failure !== undefined || resource.kind === 'compilable_type')
    const managed = isMissing
      ? createUntypedResource(resource)
      : type && new ManagedResource(type, { ...resource, values: resource.parameters })
    const entry = createEntry(
      reference,
      managed,
      container,
      new Set(resource.tags),
      collectRelations(resource.parameters),
      resource,
    )
    if (isMissing) entry.failure = failure ?? `${issues.UNKNOWN_TYPE.text(resource)}${formatLocation(resource)}`
    this.#entries.push(entry)
    this.#register(entry, [resource.title])
    return entry
  }

  #register(entry: CatalogEntry, titles: readonly string[]): void {
    const { type } = splitReference(entry.reference)!
    for (const title of titles)
      if (!this.#index.has(formatIndexKey(type, title))) this.#index.set(formatIndexKey(type, title), entry)
  }

  /** Adds Puppet's default resources: the standard schedules and the filebucket for backups. */
  #addDefaults(): void {
    const add = (type: NativeTypeDefinition, title: string, values: readonly (readonly [string, Value])[]) => {
      if (this.has(type.name, title) || this.ofType(type.name).some(({ given }) => given.get('name') === title)) return
      const resource = new ManagedResource(type, { title, tags: [type.name, title], values: new Map(values) })
      const entry = createEntry(resource.reference, resource, undefined, resource.tags, new Map())
      this.#entries.push(entry)
      this.#register(entry, [title])
    }
    add(schedule as NativeTypeDefinition, 'puppet', [
      ['period', 'hourly'],
      ['repeat', 2],
    ])
    for (const period of ['hourly', 'daily', 'weekly', 'monthly', 'never'])
      add(schedule as NativeTypeDefinition, period, [['period', period]])
    add(filebucketType as NativeTypeDefinition, 'puppet', [])
  }
}

function createEntry(
  reference: string,
  resource: AnyResource | undefined,
  container: CatalogEntry | undefined,
  tags: ReadonlySet<string>,
  relations: CatalogEntry['relations'],
  place: { readonly file?: string | undefined; readonly line?: number | undefined } = resource ?? {},
): CatalogEntry {
  const { title } = splitReference(reference)!
  const typeName = reference.slice(0, reference.indexOf('['))
  const { file, line } = place
  return { reference, typeName, title, tags, file, line, resource, container, contents: [], relations }
}

/** Creates a resource of an unknown type. Only its metaparameters are used, such as its relationships. */
function createUntypedResource(resource: Resource): AnyResource {
  const attributes = { name: defineNamevar(textKind, 'The name.') }
  const type: NativeTypeDefinition = { name: resource.type.toLowerCase(), doc: '', attributes, passive: true }
  const values = [...resource.parameters].filter(([name]) => Object.hasOwn(metaparameterAttributes, name))
  return new ManagedResource(type, { ...resource, values: new Map(values) })
}

/** True for classes, defined types and stages. */
export function isContainer({ resource, typeName }: CatalogEntry): boolean {
  return resource === undefined || typeName === 'Stage'
}

/** True for a resource with one of the `wanted` tags, or if `wanted` is empty. */
export function hasAnyTag({ tags }: CatalogEntry, wanted: readonly string[]): boolean {
  return wanted.length === 0 || wanted.some((tag) => tags.has(tag))
}

/** The containment path of a resource: names of its containers from the outermost, then its own name. */
export function getContainmentPath(entry: CatalogEntry): string[] {
  const own = entry.typeName === 'Class' ? capitalizeTypeName(entry.title) : entry.reference
  return entry.container ? [...getContainmentPath(entry.container), own] : [own]
}

/** The source of log lines. `property` is a property name, `provider` for the provider, or `''` for Puppet itself. */
export function formatLogSource(entry: CatalogEntry, property?: string): string {
  if (property === '') return 'Puppet'
  if (property === 'provider') return `${entry.reference}(provider=${entry.resource?.provider?.name})`
  return property === undefined ? formatContainmentPath(entry) : `${formatContainmentPath(entry)}/${property}`
}

/** The containment path as text: `/Stage[main]/Ntp/File[/etc/ntp.conf]`. */
export function formatContainmentPath(entry: CatalogEntry): string {
  return `/${getContainmentPath(entry).join('/')}`
}

function toIndexKey(reference: string): string {
  const { type, title } = splitReference(reference) ?? { type: '', title: reference }
  return formatIndexKey(type, title)
}

function formatIndexKey(type: string, title: string): string {
  const name = type.toLowerCase()
  const plain = name === 'class' ? title.toLowerCase().replace(/^::/, '') : title
  return `${name}[${name === 'file' && isAbsolutePath(plain) ? normalizePath(plain) : plain}]`
}

function collectRelations(parameters: ReadonlyMap<string, Value>): CatalogEntry['relations'] {
  const found: CatalogEntry['relations'] = new Map()
  for (const name of Object.keys(relationshipMetaparameters)) {
    const value = parameters.get(name)
    if (value !== undefined) found.set(name, listReferences(value))
  }
  return found
}

/** Returns the references in a value. Undef is ignored, also inside an array. */
function listReferences(value: Value): string[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap((each) => listReferences(each as Value))
  return [formatReferenceValue(value) ?? String(value)]
}
