import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { listManifests } from '../../code/environments/manifest-paths.ts'
import { getUnwatchedTree } from '../../code/environments/watched-tree.ts'
import { makeContext } from '../../language/evaluator/evaluation.ts'
import type { CallContext } from '../../language/host.ts'
import type { ParseResult } from '../../language/syntax/parser/parser.ts'
import type { FunctionDefinition, Program, TypeAlias } from '../../language/syntax/tree/nodes.ts'
import type { Type } from '../../language/values/type.ts'
import { measurePhase } from '../profile/measure-phase.ts'
import { type CodeDefinition, normalizeName, settingsClass } from './code-definition.ts'
import { DefinitionTable, formatDefinitionLocation } from './definition-table.ts'
import { formatTreePath, type ModuleFiles } from './module-files.ts'
import { bundledTypes, type ModuleTypes, type NativeType, nativeTypes } from './native-types.ts'
import { type CodeOptions, parseFile, parseText } from './source-cache.ts'
import { getFileFunction, getFileType, getFileTypeSet } from './type-file.ts'

/** Kinds of definitions in the site manifests. */
export type DefinitionKind = 'class' | 'define' | 'node' | 'function' | 'alias'

/**
 * Called for each use of a definition from the site manifests. For a node definition, `name` is the name of the node.
 */
export type UsesDefinition = (kind: DefinitionKind, name: string) => void

/** Classes, defined types, nodes, functions and types of an environment, loaded on demand. */
export class KnownTypes {
  readonly #files: ModuleFiles
  readonly #options: CodeOptions
  readonly #table = new DefinitionTable()
  /** Definitions from the site manifests. */
  readonly #site = new Set<unknown>()
  readonly #natives = new Map<string, NativeType | undefined>()
  readonly #loaded = new Set<string>()
  readonly #parameterTypes = new Map<CodeDefinition, ReadonlyMap<string, Type>>()
  readonly #moduleTypes: ModuleTypes
  readonly #top: CallContext
  readonly #uses: UsesDefinition | undefined

  /** `host` receives warnings about loaded code. Parameter types are evaluated in the top scope. */
  constructor(
    files: ModuleFiles,
    options: CodeOptions,
    moduleTypes: ModuleTypes,
    top: CallContext,
    uses?: UsesDefinition,
  ) {
    this.#uses = uses
    this.#files = files
    this.#options = options
    this.#moduleTypes = moduleTypes
    this.#top = top
  }

  class(name: string): CodeDefinition | undefined {
    const plain = normalizeName(name)
    return plain === settingsClass.name
      ? settingsClass
      : this.#used('class', plain, this.#find(this.#table.classes, plain))
  }

  define(name: string): CodeDefinition | undefined {
    const plain = normalizeName(name)
    return this.#used('define', plain, this.#find(this.#table.defines, plain))
  }

  /** Returns a built-in type or a type written in Ruby. */
  native(name: string): NativeType | undefined {
    const known = nativeTypes.get(name)
    if (known || name.includes(':')) return known
    if (!this.#natives.has(name))
      this.#natives.set(
        name,
        this.rubyTypeFile(name) === undefined ? bundledTypes.get(name) : this.#moduleTypes.find(name),
      )
    return this.#natives.get(name)
  }

  /** Returns a resource type: a built-in type, a type written in Ruby, or a defined type. */
  resourceType(name: string): NativeType | CodeDefinition | undefined {
    return this.native(name) ?? this.define(name)
  }

  /** Returns a function written in Puppet code. */
  function(name: string): FunctionDefinition | undefined {
    const known = this.#table.functions.get(name)
    if (known) return this.#used('function', name, known)
    const [module, ...rest] = name.split('::')
    if (rest.length > 0) this.#load(module!, `functions/${rest.join('/')}.pp`)
    return this.#table.functions.get(name) ?? this.#own('functions', name, getFileFunction, this.#table.functions)
  }

  /** Returns the file of a Puppet 4 function written in Ruby. */
  rubyFunction(name: string): string | undefined {
    const [module, ...rest] = name.split('::')
    const path = `lib/puppet/functions/${[module, ...rest].join('/')}.rb`
    const place = (rest.length > 0 && this.#files.file(module!, path)) || this.#files.fileInAny(path)
    return place && formatTreePath(place)
  }

  /** Returns the file of a Puppet 3 function. */
  legacyRubyFunction(name: string): string | undefined {
    const place = name.includes('::') ? undefined : this.#files.fileInAny(`lib/puppet/parser/functions/${name}.rb`)
    return place && formatTreePath(place)
  }

  /** Returns the file of a resource type written in Ruby. */
  rubyTypeFile(name: string): string | undefined {
    const place = /^\w+$/.test(name) ? this.#files.fileInAny(`lib/puppet/type/${name}.rb`) : undefined
    return place && formatTreePath(place)
  }

  /** True if a module has providers for the type, which then accepts the parameter `provider`. */
  hasProviders(type: string): boolean {
    return /^\w+$/.test(type) && this.#files.hasProviders(type)
  }

  /** Returns a type alias by its full, case-insensitive name. */
  alias(name: string): TypeAlias | undefined {
    const key = normalizeName(name)
    const [module, ...rest] = key.split('::')
    const known =
      this.#table.aliases.get(key) ??
      this.#aliasInFile(module!, rest.join('/') || 'init_typeset', key) ??
      this.#own('types', key, getFileType, this.#table.aliases)
    return this.#used('alias', key, known)
  }

  /** Returns the location of a type alias, in Puppet's format. */
  getAliasLocation(name: string): string | undefined {
    const key = normalizeName(name)
    const alias = this.#used('alias', key, this.#table.aliases.get(key))
    return alias && formatDefinitionLocation(alias.span)
  }

  /**
   * Returns names for hints: of loaded classes and defined types, of modules, and of all definitions in the module of
   * `near`.
   */
  definitionNames(near: string): Set<string> {
    const loaded = [...this.#table.classes.keys(), ...this.#table.defines.keys()]
    return new Set([...loaded, ...this.#files.names(), ...this.#files.definedIn(getModuleName(near), 'manifests')])
  }

  /** Returns the names of loaded resource types and aliases, for hints. */
  typeNames(near: string): Set<string> {
    const loaded = [...nativeTypes.keys(), ...this.#table.defines.keys(), ...this.#table.aliases.keys()]
    const inModule = ['manifests', 'types'].flatMap((folder) => this.#files.definedIn(getModuleName(near), folder))
    return new Set([...loaded, ...inModule])
  }

  get hasNodes(): boolean {
    return this.#table.hasNodes
  }

  /** Returns the definition for the node with this name. */
  node(name: string): CodeDefinition | undefined {
    this.#uses?.('node', name)
    return this.#table.node(name)
  }

  /** Returns the types of a definition's typed parameters. The types are checked as soon as the file is loaded. */
  parameterTypes(definition: CodeDefinition): ReadonlyMap<string, Type> {
    const known = this.#parameterTypes.get(definition)
    if (known) return known
    const { host, scope } = this.#top
    const typed = definition.parameters.flatMap(({ name, type }) =>
      type ? [[name, makeContext(host, scope).evaluate(type) as Type] as const] : [],
    )
    const types = new Map(typed)
    this.#parameterTypes.set(definition, types)
    return types
  }

  /** Adds the site manifests. Throws DUPLICATE_DEFINITION or REDEFINED_TYPE. */
  addSite(parsed: readonly ParseResult[]): void {
    for (const each of parsed) {
      this.#warn(each)
      this.#table.add(each.program, '')
    }
    this.#table.checkAliases()
    const { classes, defines, functions, aliases } = this.#table
    for (const each of [classes, defines, functions, aliases]) for (const one of each.values()) this.#site.add(one)
  }

  #warn({ warnings }: ParseResult): void {
    for (const warning of warnings) this.#top.host.warn(warning)
  }

  /** Returns a found definition, and reports its use if it is from the site manifests. */
  #used<Definition>(kind: DefinitionKind, name: string, found: Definition): Definition {
    if (this.#site.has(found)) this.#uses?.(kind, name)
    return found
  }

  #find(known: ReadonlyMap<string, CodeDefinition>, name: string): CodeDefinition | undefined {
    const found = known.get(name)
    if (found || name === '') return found
    const [module, ...rest] = name.split('::')
    // A module's init.pp is loaded before its other files. Puppet: module.rb, `match_manifests`.
    for (const path of ['init', ...rest.map((_, index) => rest.slice(0, rest.length - index).join('/'))]) {
      this.#load(module!, `manifests/${path}.pp`)
      const loaded = known.get(name)
      if (loaded) return loaded
    }
    return undefined
  }

  #aliasInFile(module: string, name: string, key: string): TypeAlias | undefined {
    const place = this.#files.file(module, `types/${name}.pp`)
    if (!place) return undefined
    const parsed = this.#parse(() => this.#files.program(module, `types/${name}.pp`, this.#options))!
    this.#warn(parsed)
    const read = name === 'init_typeset' ? getFileTypeSet : getFileType
    const alias = read(parsed.program, key, formatTreePath(place))
    this.#table.aliases.set(key, alias)
    return alias
  }

  /**
   * Finds a definition in a folder of the environment itself. The name has no namespace, or the namespace
   * `environment`. Puppet: module_loaders.rb, `Environment`.
   */
  #own<Definition>(
    folder: 'functions' | 'types',
    name: string,
    definitionOf: (program: Program, name: string, file: string) => Definition,
    table: Map<string, Definition>,
  ): Definition | undefined {
    if (name.includes('::') && !name.startsWith('environment::')) return undefined
    const path = `${folder}/${name.replaceAll('::', '/')}.pp`
    if (this.#loaded.has(path)) return undefined
    this.#loaded.add(path)
    const place = this.#files.ownFile(path)
    const parsed = place && this.#parse(() => parseFile(place.tree, place.path, this.#options))
    if (!place || !parsed) return undefined
    this.#warn(parsed)
    const definition = definitionOf(parsed.program, name, formatTreePath(place))
    table.set(name, definition)
    return definition
  }

  #parse<Result>(parse: () => Result): Result {
    return measurePhase(this.#top.host, 'parse', parse)
  }

  #load(module: string, path: string): void {
    const key = `${module}/${path}`
    if (this.#loaded.has(key)) return
    this.#loaded.add(key)
    const parsed = this.#parse(() => this.#files.program(module, path, this.#options))
    if (!parsed) return
    this.#warn(parsed)
    for (const definition of this.#table.add(parsed.program, module)) this.parameterTypes(definition)
  }
}

/**
 * Returns the site manifests in order of evaluation. For a watched tree, only the list of files is recorded as read,
 * not their content.
 */
export function listSiteManifests({ tree: own, manifest }: CompileEnvironment, options: CodeOptions): ParseResult[] {
  if (!manifest) return []
  if ('text' in manifest) return [parseText(manifest.text, undefined, options)]
  const { tree = own } = manifest
  return listManifests(tree, manifest.path).map((path) => parseFile(getUnwatchedTree(tree), path, options)!)
}

function getModuleName(name: string): string {
  return normalizeName(name).split('::')[0]!
}
