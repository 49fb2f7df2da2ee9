import type { Json } from '../../../base/json/json-checks.ts'
import { hasDeferred } from '../../../language/values/deferred.ts'
import { convertJsonToValue } from '../../../language/values/json-values.ts'
import type { Value } from '../../../language/values/value.ts'
import type { System } from '../../../machine/system/system.ts'
import type { RubyLine } from '../../../ruby/node/host.ts'
import type { NodeMachineOptions, RubyChange } from '../../../ruby/node/node-machine.ts'
import { NodeRuby } from '../../../ruby/node/node-ruby.ts'
import type { RubyPreload } from '../../../ruby/node/ruby-preload.ts'
import type { FactValues } from '../../facts/fact.ts'
import type { AnyProvider, Instance } from '../../resources/provider.ts'
import { definePurgeProvider } from '../../resources/providers/resources/purge.ts'
import { capitalizeTypeName } from '../../resources/reference.ts'
import { type DeclaredResource, RubyResources } from '../../resources/ruby/ruby-resources.ts'
import { getTypeNamevar, listNamevars, listProperties, type NativeTypeDefinition } from '../../resources/type.ts'
import { resourcesType } from '../../resources/types/resources.ts'
import { types } from '../../resources/types.ts'
import { type AppliedCatalog, type CatalogEntry, formatContainmentPath, type TypeTable } from '../applied-catalog.ts'
import { type Log, toLogLevel } from '../log.ts'
import { type ExtendedType, findNativeDefault, getRequestedProvider } from './native-types.ts'

/** Names of types that only Ruby defines, and built-in types with providers in Ruby. */
export interface RubyRunTypes {
  readonly names: readonly string[]
  readonly extended: readonly ExtendedType[]
}

/** Options of a run's Ruby. `system` is the system whose resources are managed. */
export interface RubyRunOptions {
  readonly timeOver?: AbortSignal | undefined
  readonly system: System
  readonly facts: FactValues
  readonly log: Log
  /** Returns a Ruby thread that was started in advance. */
  readonly rubyAhead?: RubyPreload | undefined
}

/** Ruby types and providers of a run's modules, on a thread that is started only for catalogs that need it. */
export class AgentRuby {
  readonly #ruby: NodeRuby
  readonly #resources: RubyResources
  readonly #extended = new Map<string, ExtendedType & { readonly isDefault: boolean }>()
  #catalog: AppliedCatalog | undefined

  private constructor(ruby: NodeRuby, resources: RubyResources) {
    this.#ruby = ruby
    this.#resources = resources
  }

  /** Starts the thread and loads these types. */
  static async open(
    { names, extended }: RubyRunTypes,
    options: NodeMachineOptions,
    { timeOver, system, facts, log, rubyAhead }: RubyRunOptions,
  ): Promise<AgentRuby> {
    const onChange = (change: RubyChange) => run.#change(change)
    const ruby = new NodeRuby(addBuiltinTypes(options), createLineWriter(log), onChange, timeOver, rubyAhead)
    const resources = new RubyResources(ruby, types)
    const run = new AgentRuby(ruby, resources)
    await resources.load([...extended.map(({ name }) => name), ...names])
    for (const each of extended) {
      const wish = each.mayBeDefault ? [each.name, ...(await findNativeDefault(each.name, system, facts))] : undefined
      const isDefault = wish !== undefined && (await resources.ruby.call('native_default', wish)) !== null
      run.#extended.set(each.name, { ...each, isDefault })
    }
    return run
  }

  /** The thread, for functions of modules. */
  get ruby(): NodeRuby {
    return this.#ruby
  }

  get types(): TypeTable {
    const all = new Map([...this.#resources.types, ...types])
    const purge: AnyProvider = definePurgeProvider(all)
    all.set(resourcesType.name, { ...resourcesType, ownProviders: { choose: () => purge, canWork: async () => true } })
    return {
      get: (name, resource) => (this.#isExtended(name, resource) ? this.#resources.types.get(name) : all.get(name)),
    }
  }

  /** True for a resource of a built-in type that a module's provider manages. */
  #isExtended(name: string, resource: Parameters<TypeTable['get']>[1]): boolean {
    const extended = resource && this.#extended.get(name)
    if (!extended) return false
    const wish = getRequestedProvider(resource)
    return wish === undefined ? extended.isDefault : extended.providers.has(wish)
  }

  /** All resources of a type on this machine; undefined if the type is not defined in Ruby. */
  instances(type: string): Promise<readonly Instance[]> | undefined {
    return this.#resources.types.has(type) && !types.has(type) ? this.#resources.instances(type) : undefined
  }

  get failures(): ReadonlyMap<string, string> {
    return this.#resources.failures
  }

  /** Creates the Ruby objects of the catalog's resources, with all values known before evaluation. */
  async declare(catalog: AppliedCatalog): Promise<void> {
    this.#catalog = catalog
    const parameters = new Map(catalog.source.resources.map((each) => [`${each.type}[${each.title}]`, each.parameters]))
    const isRubyResource = ({ resource, failure }: CatalogEntry) =>
      resource !== undefined && failure === undefined && this.#resources.types.get(resource.type.name) === resource.type
    const all = catalog
      .entries()
      .map((entry) => toDeclaredResource(entry, isRubyResource(entry), parameters.get(entry.reference)))
    await this.#resources.declare(all)
  }

  /**
   * Sets an attribute of a resource to the value that Ruby code set while it evaluated another
   * resource.
   */
  #change({ type, title, name, value }: RubyChange): void {
    this.#catalog?.find(type, title)?.set(name, convertJsonToValue(value))
  }

  relate(): Promise<void> {
    return this.#resources.relate()
  }

  /** Terminates the Ruby thread, even in the middle of a call. */
  close(): Promise<void> {
    return this.#ruby.close()
  }
}

function toDeclaredResource(
  { reference, typeName, title, file, line, tags, resource, ...entry }: CatalogEntry,
  isRuby: boolean,
  inCatalog: DeclaredResource['parameters'] = new Map(),
): DeclaredResource {
  const name = resource?.given.get(getTypeNamevar(resource.type))
  const { given = new Map<string, Value>(), late = new Set<string>() } = resource ?? {}
  const known = [...inCatalog].filter(([, value]) => !hasDeferred(value))
  return {
    type: capitalizeTypeName(typeName),
    title,
    name: typeof name === 'string' ? name : undefined,
    path: formatContainmentPath({ reference, typeName, title, file, line, tags, resource, ...entry }),
    file,
    line,
    tags,
    parameters: new Map([...known, ...[...given].filter(([attribute]) => !late.has(attribute))]),
    late,
    resource: isRuby ? resource : undefined,
  }
}

/** Adds descriptions of the built-in types to the options. */
export function addBuiltinTypes(options: NodeMachineOptions): NodeMachineOptions {
  return { ...options, builtinTypes: describeBuiltinTypes() }
}

/** Returns the parameters, properties and namevars of the built-in types for Ruby. */
export function describeBuiltinTypes(): Readonly<Record<string, Json>> {
  return Object.fromEntries([...types].map(([name, type]) => [name, describeTypeShape(type)]))
}

/** Writes Ruby's log lines; lines without a source have the source Puppet. */
export function createLineWriter(log: Log): (line: RubyLine) => void {
  return ({ level, message, source }) => log[toLogLevel(level)](message, { source: source ?? 'Puppet' })
}

function describeTypeShape(type: NativeTypeDefinition): Json {
  const properties = listProperties(type)
  return {
    parameters: Object.keys(type.attributes).filter((name) => !properties.includes(name)),
    properties,
    namevars: listNamevars(type),
    isomorphic: type.repeatable !== true,
  }
}
