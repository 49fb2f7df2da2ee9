import { fail } from '../../../base/issue.ts'
import type { Json } from '../../../base/json/wire.ts'
import { Hash } from '../../../language/values/hash.ts'
import { Sensitive } from '../../../language/values/sensitive.ts'
import type { Value } from '../../../language/values/value.ts'
import { valueFromJson } from '../../../language/values/value-from-json.ts'
import { alreadyTagged } from '../../../ruby/node/plain.ts'
import { type Crossings, toRuby } from '../../../ruby/tagged-json.ts'
import { complain, complainAboutForm, issues } from '../issues.ts'
import type { Plain } from '../kind.ts'
import { type AnyResource, ManagedResource } from '../managed-resource.ts'
import type { AnyProvider, Instance } from '../provider.ts'
import { referenceText } from '../reference.ts'
import { type Attributes, type Autorelation, anyType, type TypeDefinition } from '../type.ts'
import { replayedAfterCrashes } from './replay.ts'
import type {
  ChosenProvider,
  GeneratedDescription,
  RubyCalls,
  RubyDescription,
  RubyOwner,
  RubyPart,
} from './ruby-part.ts'
import { rubyProvider } from './ruby-provider.ts'
import { type RubyTypeShape, typeOfShape } from './shape.ts'

/** A resource of a catalog, for Ruby: its own, or one of another type that its code may look for. */
export interface DeclaredResource {
  readonly type: string
  readonly title: string
  readonly name: string | undefined
  /** `/Stage[main]/Ntp/Foo[bar]` */
  readonly path: string
  readonly file: string | undefined
  readonly line: number | undefined
  readonly tags: Iterable<string>
  readonly parameters: ReadonlyMap<string, Value>
  /** Attributes whose values come when the resource has its turn. */
  readonly late: ReadonlySet<string>
  /** Of a type of Ruby's. */
  readonly resource: AnyResource | undefined
}

type Relation = 'require' | 'before' | 'subscribe' | 'notify'
type RelationsById = Readonly<Record<string, Readonly<Record<Relation, readonly string[]>>>>

/** A thing of this machine, as Ruby listed it. */
interface ListedThing {
  readonly listed: number
  readonly title: string
}

/** Metaparameters that Ruby's resources have themselves, so that what code says or does is as they say. */
const knownToRuby: readonly string[] = ['noop', 'loglevel', 'schedule', 'tag']

/** The resources of a run whose types are Ruby's, and these types. */
export class RubyResources implements RubyOwner {
  readonly ruby: RubyCalls
  readonly types = new Map<string, TypeDefinition>()
  /** Why a type cannot be used. */
  readonly failures = new Map<string, string>()
  readonly #native: ReadonlyMap<string, TypeDefinition>
  readonly #shapes = new Map<string, RubyTypeShape>()
  readonly #parts = new Map<AnyResource, RubyPart>()
  readonly #providers = new Map<string, AnyProvider>()
  /** Providers that could work for a resource before: a question for each takes as long as half of a look. */
  readonly #working = new Set<AnyProvider>()
  #relations: RelationsById = {}

  constructor(ruby: RubyCalls, native: ReadonlyMap<string, TypeDefinition>) {
    this.ruby = replayedAfterCrashes(ruby)
    this.#native = native
  }

  /** Has Ruby load types; those that it does not know are in neither table. */
  async load(names: readonly string[]): Promise<void> {
    const shapes = (await this.ruby.call('types', [names])) as unknown as readonly RubyTypeShape[]
    for (const shape of shapes) {
      if (shape.error === undefined) this.#add(shape)
      else if (shape.error !== null) this.failures.set(shape.name, shape.error)
    }
  }

  /** Has Ruby make its resources of a catalog, among all others; errors are told by `partOf`. */
  async declare(all: readonly DeclaredResource[]): Promise<void> {
    const own = new Map<number, DeclaredResource>()
    const described = all.map((each, index) => {
      if (each.resource) own.set(index + 1, each)
      return this.#forRuby(each, each.resource ? index + 1 : undefined)
    })
    const made = await this.ruby.call('declare', [alreadyTagged(['l', ...described])])
    for (const description of made as unknown as readonly RubyDescription[]) {
      const { resource, path } = own.get(description.id)!
      this.#parts.set(resource!, { id: description.id, path, description })
    }
  }

  /** Learns what Ruby's resources depend on by themselves; all of them have to be declared. */
  async relate(): Promise<void> {
    this.#relations = (await this.ruby.call('relations', [])) as unknown as RelationsById
  }

  partOf(resource: AnyResource): RubyPart {
    return this.#parts.get(resource) ?? complain(`${resource.reference} was not declared to Ruby`)
  }

  /** Has Ruby take values that waited for the turn of their resource. */
  async #settle(resource: AnyResource, values: ReadonlyMap<string, Value>): Promise<void> {
    const { id, path } = this.partOf(resource)
    const names = [...values].flatMap(([name, value]) => (value === undefined ? [] : [name]))
    const settled = alreadyTagged(toRuby(Hash.from(bareValues(values)), crossings))
    const sensitive = names.filter((name) => resource.hides(name))
    const description = (await this.ruby.call('settle', [id, settled, sensitive])) as unknown as RubyDescription
    this.#parts.set(resource, { id, path, description })
  }

  /** The provider that Ruby chose; `undefined` where none of the type's can work yet. */
  providerOf(
    resource: AnyResource,
    { provider: name, prefetches }: ChosenProvider = this.partOf(resource).description,
  ): AnyProvider | undefined {
    const { type } = resource
    const shape = this.#shapes.get(type.name)!
    if (name === null && shape.has_providers) return undefined
    const key = `${type.name} ${name}`
    const known = this.#providers.get(key)
    if (known) return known
    const made = rubyProvider(this, { type, shape, name: name ?? type.name, prefetches })
    this.#providers.set(key, made)
    return made
  }

  /** Resources that one of Ruby's generated. */
  async generated(described: readonly GeneratedDescription[], parent: RubyPart): Promise<readonly AnyResource[]> {
    const missing = described.map(({ type }) => type).filter((type) => !this.#native.has(type) && !this.types.has(type))
    if (missing.length > 0) await this.load([...new Set(missing)])
    return described.map((each) => this.#generatedOne(each, parent))
  }

  /** The things of a type of Ruby's on this machine. */
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
    resource.provider = this.providerOf(resource)
    return true
  }

  #generatedOne(each: GeneratedDescription, parent: RubyPart): AnyResource {
    const type =
      this.#native.get(each.type) ??
      this.types.get(each.type) ??
      complain(`Could not find resource type '${each.type}'`)
    const known = [...this.#parts].find(([, { id }]) => id === each.id)
    if (known) return known[0]
    const { title, tags } = each
    const place = { file: each.file ?? undefined, line: each.line ?? undefined }
    const values = new Map(
      Object.entries(each.parameters).map(([name, value]) => [name, valueFromJson(value as never)]),
    )
    const made: AnyResource = new ManagedResource(type, { title, tags, values, ...place })
    if (this.types.get(each.type) === type) {
      const path = parent.path.replace(/\/[^/]*\[[^[]*\]$/s, `/${made.reference}`)
      this.#parts.set(made, { id: each.id, path, description: each })
      made.provider = this.providerOf(made)
    }
    made.parse()
    return made
  }

  #add(shape: RubyTypeShape): void {
    this.#shapes.set(shape.name, shape)
    const related = (relation: Relation): Record<string, Autorelation<Attributes>> => ({
      [anyType]: (resource) => this.#relations[this.partOf(resource).id]?.[relation] ?? [],
    })
    const type = typeOfShape(shape, {
      adopt: (resource) => this.#adopt(resource),
      settle: (resource, values) => this.#settle(resource, values),
      ownProviders: {
        choose: (resource) => this.providerOf(resource),
        canWork: (resource) => this.#canWork(resource),
      },
      autorequire: related('require'),
      autobefore: related('before'),
      autosubscribe: related('subscribe'),
      autonotify: related('notify'),
    })
    this.types.set(shape.name, type)
  }

  /** Takes what Ruby made of the attributes. */
  #adopt(resource: AnyResource): void {
    const { description } = this.partOf(resource)
    const { error } = description
    if (error !== undefined) fail(issues.PLAIN, { message: resource.withoutSecrets(error) })
    for (const name of description.sensitive) resource.hide(name)
    for (const [name, value] of Object.entries(description.values))
      if (value !== null) resource.put(name, value as Plain)
  }

  async #canWork(resource: AnyResource): Promise<boolean> {
    if (resource.provider && this.#working.has(resource.provider)) return true
    const { id } = this.partOf(resource)
    const answer = (await this.ruby.call('suitable', [id])) as unknown as { suitable: boolean } & ChosenProvider
    resource.provider ??= this.providerOf(resource, answer)
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
        parameters: Hash.from(bareValues(parameters)),
      }),
      crossings,
    )
  }
}

function bareValues(values: ReadonlyMap<string, Value>): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    [...values].flatMap(([name, value]) => (value === undefined ? [] : [[name, forRuby(value)]])),
  )
}

/** A value as Ruby's resources have it: bare, references as text. */
function forRuby(value: Value): Value {
  if (value instanceof Sensitive) return forRuby(value.unwrap())
  if (Array.isArray(value)) return value.map(forRuby)
  if (value instanceof Hash) return Hash.of(new Map([...value].map(([key, each]) => [key, forRuby(each)])) as never)
  return referenceText(value) ?? value
}

const crossings: Crossings = {
  keep: () => complainAboutForm('A lambda or an object cannot be a value of a resource'),
  kept: () => undefined,
  numberOf: () => 0,
  block: () => complainAboutForm('A block of Ruby cannot be a value of a resource'),
  resolve: () => undefined,
}
