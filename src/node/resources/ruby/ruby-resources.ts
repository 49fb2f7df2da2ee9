import { throwIssue } from '../../../base/issue.ts'
import type { Json } from '../../../base/json/json-checks.ts'
import { Hash } from '../../../language/values/hash.ts'
import { convertJsonToValue } from '../../../language/values/json-values.ts'
import { Sensitive } from '../../../language/values/sensitive.ts'
import type { Value } from '../../../language/values/value.ts'
import { wrapTaggedData } from '../../../ruby/node/plain-data.ts'
import { type Crossings, toRuby } from '../../../ruby/tagged-json.ts'
import type { PlainValue } from '../attribute-kinds.ts'
import { failWithFormError, failWithMessage, issues } from '../issues.ts'
import { type AnyResource, ManagedResource } from '../managed-resource.ts'
import type { AnyProvider, Instance } from '../provider.ts'
import { formatReferenceValue } from '../reference.ts'
import { type Autorelation, anyType, type NativeTypeDefinition, type ResourceAttributes } from '../type.ts'
import { createReplayingCalls } from './call-replay.ts'
import type {
  ChosenProvider,
  GeneratedDescription,
  RubyCalls,
  RubyDescription,
  RubyOwner,
  RubyPart,
} from './ruby-protocol.ts'
import { createRubyProvider } from './ruby-provider.ts'
import { createTypeFromShape, type RubyTypeShape } from './type-shape.ts'

/** A resource of a catalog for Ruby: of a Ruby type, or of another type that Ruby code may look up. */
export interface DeclaredResource {
  readonly type: string
  readonly title: string
  readonly name: string | undefined
  /** The containment path, such as `/Stage[main]/Ntp/Foo[bar]`. */
  readonly path: string
  readonly file: string | undefined
  readonly line: number | undefined
  readonly tags: Iterable<string>
  readonly parameters: ReadonlyMap<string, Value>
  /** Attributes that are resolved when the resource is evaluated. */
  readonly late: ReadonlySet<string>
  /** The resource, if its type is defined in Ruby. */
  readonly resource: AnyResource | undefined
}

type Relation = 'require' | 'before' | 'subscribe' | 'notify'
type RelationsById = Readonly<Record<string, Readonly<Record<Relation, readonly string[]>>>>

/** A resource on this machine, as listed by Ruby. */
interface ListedThing {
  readonly listed: number
  readonly title: string
}

/** Metaparameters also set on Ruby's resources, because Ruby code follows them. */
const knownToRuby: readonly string[] = ['noop', 'loglevel', 'schedule', 'tag']

/** The Ruby types of a run and their resources. */
export class RubyResources implements RubyOwner {
  readonly ruby: RubyCalls
  readonly types = new Map<string, NativeTypeDefinition>()
  /** Reasons why types cannot be used, by type name. */
  readonly failures = new Map<string, string>()
  readonly #native: ReadonlyMap<string, NativeTypeDefinition>
  readonly #shapes = new Map<string, RubyTypeShape>()
  readonly #parts = new Map<AnyResource, RubyPart>()
  readonly #providers = new Map<string, AnyProvider>()
  /** Providers found suitable before; each check takes half as long as reading a resource. */
  readonly #working = new Set<AnyProvider>()
  #relations: RelationsById = {}

  constructor(ruby: RubyCalls, native: ReadonlyMap<string, NativeTypeDefinition>) {
    this.ruby = createReplayingCalls(ruby)
    this.#native = native
  }

  /** Loads types in Ruby. Unknown types appear neither in `types` nor in `failures`. */
  async load(names: readonly string[]): Promise<void> {
    const shapes = (await this.ruby.call('types', [names])) as unknown as readonly RubyTypeShape[]
    for (const shape of shapes) {
      if (shape.error === undefined) this.#add(shape)
      else if (shape.error !== null) this.failures.set(shape.name, shape.error)
    }
  }

  /**
   * Creates Ruby's resources for a catalog, and adds the other resources for lookups. `getPart`
   * throws the errors of a resource.
   */
  async declare(all: readonly DeclaredResource[]): Promise<void> {
    const own = new Map<number, DeclaredResource>()
    const described = all.map((each, index) => {
      if (each.resource) own.set(index + 1, each)
      return this.#forRuby(each, each.resource ? index + 1 : undefined)
    })
    const made = await this.ruby.call('declare', [wrapTaggedData(['l', ...described])])
    for (const description of made as unknown as readonly RubyDescription[]) {
      const { resource, path } = own.get(description.id)!
      this.#parts.set(resource!, { id: description.id, path, description })
    }
  }

  /** Reads the automatic relationships of Ruby's resources; all resources must be declared before. */
  async relate(): Promise<void> {
    this.#relations = (await this.ruby.call('relations', [])) as unknown as RelationsById
  }

  getPart(resource: AnyResource): RubyPart {
    return this.#parts.get(resource) ?? failWithMessage(`${resource.reference} was not declared to Ruby`)
  }

  /** Passes the values resolved at evaluation to Ruby. */
  async #settle(resource: AnyResource, values: ReadonlyMap<string, Value>): Promise<void> {
    const { id, path } = this.getPart(resource)
    const names = [...values].flatMap(([name, value]) => (value === undefined ? [] : [name]))
    const settled = wrapTaggedData(toRuby(Hash.from(toRubyValues(values)), crossings))
    const sensitive = names.filter((name) => resource.hides(name))
    const description = (await this.ruby.call('settle', [id, settled, sensitive])) as unknown as RubyDescription
    this.#parts.set(resource, { id, path, description })
  }

  /** The provider that Ruby chose; undefined if none is suitable yet. */
  getProvider(
    resource: AnyResource,
    { provider: name, prefetches }: ChosenProvider = this.getPart(resource).description,
  ): AnyProvider | undefined {
    const { type } = resource
    const shape = this.#shapes.get(type.name)!
    if (name === null && shape.has_providers) return undefined
    const key = `${type.name} ${name}`
    const known = this.#providers.get(key)
    if (known) return known
    const made = createRubyProvider(this, { type, shape, name: name ?? type.name, prefetches })
    this.#providers.set(key, made)
    return made
  }

  /** Creates the resources that a Ruby resource generated. */
  async generated(described: readonly GeneratedDescription[], parent: RubyPart): Promise<readonly AnyResource[]> {
    const missing = described.map(({ type }) => type).filter((type) => !this.#native.has(type) && !this.types.has(type))
    if (missing.length > 0) await this.load([...new Set(missing)])
    return described.map((each) => this.#generatedOne(each, parent))
  }

  /** The resources of a Ruby type on this machine. */
  async instances(name: string): Promise<readonly Instance[]> {
    const type = this.types.get(name)!
    const listed = (await this.ruby.call('instances', [name])) as unknown as readonly ListedThing[]
    return listed.map(({ listed, title }) => ({
      type,
      provider: undefined,
      seen: { name: title },
      prepareRemoval: (resource) => this.#prepareRemoval(listed, resource),
    }))
  }

  async #prepareRemoval(listed: number, resource: AnyResource): Promise<boolean> {
    const handedOn = [...resource.given].filter(([metaparameter]) => knownToRuby.includes(metaparameter))
    const metaparameters = Object.fromEntries(handedOn) as Record<string, Json>
    const made = await this.ruby.call('removal', [listed, metaparameters])
    if (made === null) return false
    const description = made as unknown as RubyDescription
    this.#parts.set(resource, { id: description.id, path: `/${resource.reference}`, description })
    resource.provider = this.getProvider(resource)
    return true
  }

  #generatedOne(each: GeneratedDescription, parent: RubyPart): AnyResource {
    const type =
      this.#native.get(each.type) ??
      this.types.get(each.type) ??
      failWithMessage(`Could not find resource type '${each.type}'`)
    const known = [...this.#parts].find(([, { id }]) => id === each.id)
    if (known) return known[0]
    const { title, tags } = each
    const place = { file: each.file ?? undefined, line: each.line ?? undefined }
    const values = new Map(
      Object.entries(each.parameters).map(([name, value]) => [name, convertJsonToValue(value as never)]),
    )
    const made: AnyResource = new ManagedResource(type, { title, tags, values, ...place })
    if (this.types.get(each.type) === type) {
      const path = parent.path.replace(/\/[^/]*\[[^[]*\]$/s, `/${made.reference}`)
      this.#parts.set(made, { id: each.id, path, description: each })
      made.provider = this.getProvider(made)
    }
    made.parse()
    return made
  }

  #add(shape: RubyTypeShape): void {
    this.#shapes.set(shape.name, shape)
    const createAutorelation = (relation: Relation): Record<string, Autorelation<ResourceAttributes>> => ({
      [anyType]: (resource) => this.#relations[this.getPart(resource).id]?.[relation] ?? [],
    })
    const type = createTypeFromShape(shape, {
      adopt: (resource) => this.#adopt(resource),
      settle: (resource, values) => this.#settle(resource, values),
      ownProviders: {
        choose: (resource) => this.getProvider(resource),
        canWork: (resource) => this.#canWork(resource),
      },
      autorequire: createAutorelation('require'),
      autobefore: createAutorelation('before'),
      autosubscribe: createAutorelation('subscribe'),
      autonotify: createAutorelation('notify'),
    })
    this.types.set(shape.name, type)
  }

  /** Takes over the attribute values from Ruby. */
  #adopt(resource: AnyResource): void {
    const { description } = this.getPart(resource)
    const { error } = description
    if (error !== undefined) throwIssue(issues.PLAIN, { message: resource.withoutSecrets(error) })
    for (const name of description.sensitive) resource.hide(name)
    for (const [name, value] of Object.entries(description.values))
      if (value !== null) resource.put(name, value as PlainValue)
  }

  async #canWork(resource: AnyResource): Promise<boolean> {
    if (resource.provider && this.#working.has(resource.provider)) return true
    const { id } = this.getPart(resource)
    const answer = (await this.ruby.call('suitable', [id])) as unknown as { suitable: boolean } & ChosenProvider
    resource.provider ??= this.getProvider(resource, answer)
    if (answer.suitable && resource.provider) this.#working.add(resource.provider)
    return answer.suitable
  }

  #forRuby(declared: DeclaredResource, id?: number): Json {
    const { type, title, name, path, file, line, tags, parameters, late, resource } = declared
    const sensitive = [...parameters].flatMap(([attribute, value]) => (value instanceof Sensitive ? [attribute] : []))
    const place = { file, line: line ?? undefined, path }
    const described = { type, title, name, ...place, id, tags: [...tags], sensitive, late: [...late] }
    return toRuby(
      Hash.from({
        ...described,
        plain: !resource && !this.#native.has(type.toLowerCase()),
        parameters: Hash.from(toRubyValues(parameters)),
      }),
      crossings,
    )
  }
}

function toRubyValues(values: ReadonlyMap<string, Value>): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    [...values].flatMap(([name, value]) => (value === undefined ? [] : [[name, toRubyValue(value)]])),
  )
}

/** Converts a value for Ruby's resources: Sensitive unwrapped, references as text. */
function toRubyValue(value: Value): Value {
  if (value instanceof Sensitive) return toRubyValue(value.unwrap())
  if (Array.isArray(value)) return value.map(toRubyValue)
  if (value instanceof Hash) return Hash.of(new Map([...value].map(([key, each]) => [key, toRubyValue(each)])) as never)
  return formatReferenceValue(value) ?? value
}

const crossings: Crossings = {
  keep: () => failWithFormError('A lambda or an object cannot be a value of a resource'),
  kept: () => undefined,
  getScopeNumber: () => 0,
  block: () => failWithFormError('A Ruby block cannot be a value of a resource'),
  resolve: () => undefined,
}
