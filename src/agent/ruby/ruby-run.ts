import { join } from 'node:path'
import type { Json } from '../../base/wire.ts'
import type { LogLevel } from '../../language/host.ts'
import type { Value } from '../../language/values/value.ts'
import { valueFromJson } from '../../language/values/value-from-json.ts'
import type { Catalog } from '../../model/catalog.ts'
import type { AnyResource } from '../../resources/managed-resource.ts'
import { capitalised } from '../../resources/reference.ts'
import { type DeclaredResource, RubyResources } from '../../resources/ruby/ruby-resources.ts'
import { namevarOf, namevarsOf, propertiesOf, type TypeDefinition } from '../../resources/type.ts'
import { types } from '../../resources/types.ts'
import type { NodeMachineOptions, RubyChange } from '../../ruby/node/node-machine.ts'
import { NodeRuby } from '../../ruby/node/node-ruby.ts'
import type { Files } from '../../system/system.ts'
import { type AppliedCatalog, type Entry, pathOf, type TypeTable } from '../applied-catalog.ts'
import type { Log } from '../log.ts'

/** The Ruby of a run: modules' types and providers, on a thread that starts when a catalog has such types. */
export class RubyOfRun {
  readonly #ruby: NodeRuby
  readonly #resources: RubyResources
  #catalog: AppliedCatalog | undefined

  private constructor(ruby: NodeRuby, resources: RubyResources) {
    this.#ruby = ruby
    this.#resources = resources
  }

  /** `undefined` for a catalog of types that are all built in, or that no module defines. */
  static async open(
    catalog: Catalog,
    options: NodeMachineOptions | undefined,
    files: Files,
    log: Log,
  ): Promise<RubyOfRun | undefined> {
    const names = options ? await typesInRuby(catalog, options.loadPath, files) : []
    if (!options || names.length === 0) return undefined
    const ruby = new NodeRuby(
      { ...options, builtinTypes: shapesOf(types) },
      ({ level, message, source }) => log[level as LogLevel](message, { source: source ?? 'Puppet' }),
      (change) => run.#change(change),
    )
    const resources = new RubyResources(ruby, types)
    const run = new RubyOfRun(ruby, resources)
    await resources.load(names)
    return run
  }

  get types(): TypeTable {
    return new Map([...types, ...this.#resources.types])
  }

  get failures(): ReadonlyMap<string, string> {
    return this.#resources.failures
  }

  /** Has Ruby make its resources, all that they say known. */
  async declare(catalog: AppliedCatalog, resolve: (value: Value) => Value): Promise<void> {
    const valuesOf = ({ given }: AnyResource) => new Map([...given].map(([name, value]) => [name, resolve(value)]))
    this.#catalog = catalog
    const parameters = new Map(catalog.source.resources.map((each) => [`${each.type}[${each.title}]`, each.parameters]))
    const all = catalog.entries().map((entry) => declared(entry, valuesOf, parameters.get(entry.reference)))
    await this.#resources.declare(all)
  }

  /** Code of Ruby's may set what a resource of another type is to be, before that has its turn. */
  #change({ type, title, name, value }: RubyChange): void {
    this.#catalog?.find(type, title)?.set(name, valueFromJson(value))
  }

  relate(): Promise<void> {
    return this.#resources.relate()
  }

  /** Ends the thread, whatever it does. */
  close(): Promise<void> {
    return this.#ruby.close()
  }
}

/** Names of the types of a catalog that only files of Ruby define. */
async function typesInRuby(catalog: Catalog, loadPath: readonly string[], files: Files): Promise<readonly string[]> {
  const names = new Set(catalog.resources.map(({ type }) => type.toLowerCase()))
  const found: string[] = []
  for (const name of names) {
    if (types.has(name) || name.includes(':') || name === 'class') continue
    const paths = loadPath.map((folder) => join(folder, 'puppet', 'type', `${name}.rb`))
    for (const path of paths) {
      if (!(await files.stat(path))) continue
      found.push(name)
      break
    }
  }
  return found
}

function declared(
  { reference, typeName, title, file, line, tags, resource, failure, ...entry }: Entry,
  valuesOf: (resource: AnyResource) => DeclaredResource['parameters'],
  given: DeclaredResource['parameters'] = new Map(),
): DeclaredResource {
  const isRuby = resource?.type.ownProviders !== undefined && failure === undefined
  const name = resource?.given.get(namevarOf(resource.type))
  return {
    type: capitalised(typeName),
    title,
    name: typeof name === 'string' ? name : undefined,
    path: pathOf({ reference, typeName, title, file, line, tags, resource, ...entry }),
    file,
    line,
    tags,
    parameters: isRuby ? valuesOf(resource!) : given,
    resource: isRuby ? resource : undefined,
  }
}

/** Built-in types as Ruby is told of them. */
function shapesOf(table: ReadonlyMap<string, TypeDefinition>): Readonly<Record<string, Json>> {
  return Object.fromEntries([...table].map(([name, type]) => [name, shapeOf(type)]))
}

function shapeOf(type: TypeDefinition): Json {
  const properties = propertiesOf(type)
  return {
    parameters: Object.keys(type.attributes).filter((name) => !properties.includes(name)),
    properties,
    namevars: namevarsOf(type),
    isomorphic: type.repeatable !== true,
  }
}
