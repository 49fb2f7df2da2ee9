import { positionOf, type Span } from '../../base/source.ts'
import type { CompileEnvironment } from '../../environments/compile-environment.ts'
import { manifestPaths } from '../../environments/manifest-paths.ts'
import { contextOf } from '../../language/evaluator/evaluate.ts'
import type { CallContext } from '../../language/host.ts'
import type { Parsed } from '../../language/syntax/parser/parser.ts'
import type { Expression, FunctionDefinition, NodeDefinition, TypeAlias } from '../../language/syntax/tree/nodes.ts'
import { builtinType } from '../../language/types/names.ts'
import { Regexp } from '../../language/values/regexp.ts'
import type { Type } from '../../language/values/type.ts'
import { failVerbatim } from '../../language/values/verbatim-error.ts'
import { isMatch } from '../../ruby-semantics/regexp/match.ts'
import { issues } from '../request/issues.ts'
import { withPlace } from '../request/places.ts'
import {
  type CodeDefinition,
  codeDefinition,
  defaultNode,
  nodeDefinition,
  plainName,
  settingsClass,
} from './code-definition.ts'
import { type ModuleFiles, shownPath } from './module-files.ts'
import { bundledTypes, type ModuleTypes, type NativeType, nativeTypes } from './native-types.ts'
import { type CodeOptions, parseFile, parseText } from './source-cache.ts'
import { typeOfFile, typeSetOfFile } from './type-file.ts'

/** The classes, defined types, nodes, functions and types that an environment's code defines, loaded when asked for. */
export class KnownTypes {
  readonly #files: ModuleFiles
  readonly #options: CodeOptions
  readonly #classes = new Map<string, CodeDefinition>()
  readonly #defines = new Map<string, CodeDefinition>()
  readonly #nodes = new Map<string, CodeDefinition>()
  readonly #functions = new Map<string, FunctionDefinition>()
  readonly #aliases = new Map<string, TypeAlias>()
  #redefined: { readonly name: string; readonly origin: string } | undefined
  readonly #natives = new Map<string, NativeType | undefined>()
  readonly #loaded = new Set<string>()
  readonly #parameterTypes = new Map<CodeDefinition, ReadonlyMap<string, Type>>()
  readonly #moduleTypes: ModuleTypes
  readonly #top: CallContext

  /** The host is told what is odd in code when it is loaded; types at parameters are evaluated at the top scope. */
  constructor(files: ModuleFiles, options: CodeOptions, moduleTypes: ModuleTypes, top: CallContext) {
    this.#files = files
    this.#options = options
    this.#moduleTypes = moduleTypes
    this.#top = top
  }

  class(name: string): CodeDefinition | undefined {
    const plain = plainName(name)
    return plain === settingsClass.name ? settingsClass : this.#find(this.#classes, plain)
  }

  define(name: string): CodeDefinition | undefined {
    return this.#find(this.#defines, plainName(name))
  }

  /** A type that is not written in Puppet's language. */
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

  /** A type of resources, of either sort. */
  resourceType(name: string): NativeType | CodeDefinition | undefined {
    return this.native(name) ?? this.define(name)
  }

  /** A function that is written in Puppet's language. */
  function(name: string): FunctionDefinition | undefined {
    const known = this.#functions.get(name)
    if (known || !name.includes('::')) return known
    const [module, ...rest] = name.split('::')
    this.#load(module!, `functions/${rest.join('/')}.pp`)
    return this.#functions.get(name)
  }

  /** The file of a Puppet 4 function written in Ruby. */
  rubyFunction(name: string): string | undefined {
    const [module, ...rest] = name.split('::')
    const path = `lib/puppet/functions/${[module, ...rest].join('/')}.rb`
    const place = (rest.length > 0 && this.#files.file(module!, path)) || this.#files.fileInAny(path)
    return place && shownPath(place)
  }

  /** The file of a Puppet 3 function. */
  legacyRubyFunction(name: string): string | undefined {
    const place = name.includes('::') ? undefined : this.#files.fileInAny(`lib/puppet/parser/functions/${name}.rb`)
    return place && shownPath(place)
  }

  /** The file of a resource type written in Ruby. */
  rubyTypeFile(name: string): string | undefined {
    const place = /^\w+$/.test(name) ? this.#files.fileInAny(`lib/puppet/type/${name}.rb`) : undefined
    return place && shownPath(place)
  }

  /** True for a type with providers in a module: such a type takes the parameter `provider`. */
  hasProviders(type: string): boolean {
    if (!/^\w+$/.test(type)) return false
    return this.#files.names().some((name) => {
      const { tree, path } = this.#files.module(name)!
      return tree.list(`${path}/lib/puppet/provider/${type}`).some((file) => file.endsWith('.rb'))
    })
  }

  /** The type alias of a full name, in any case. */
  alias(name: string): TypeAlias | undefined {
    const key = plainName(name)
    const [module, ...rest] = key.split('::')
    return this.#aliases.get(key) ?? this.#aliasInFile(module!, rest.join('/') || 'init_typeset', key)
  }

  /** The origin of a type alias, in Puppet's form. */
  originOf(name: string): string | undefined {
    const alias = this.#aliases.get(plainName(name))
    return alias && originOf(alias.span)
  }

  /** The names of classes and defined types that were loaded, of modules, and of all that the named one's module has; for hints. */
  definitionNames(near: string): Set<string> {
    const loaded = [...this.#classes.keys(), ...this.#defines.keys()]
    return new Set([...loaded, ...this.#files.names(), ...this.#files.definedIn(moduleOf(near), 'manifests')])
  }

  /** The names of types of resources and of aliases, as far as they are known so; for hints. */
  typeNames(near: string): Set<string> {
    const loaded = [...nativeTypes.keys(), ...this.#defines.keys(), ...this.#aliases.keys()]
    const inModule = ['manifests', 'types'].flatMap((folder) => this.#files.definedIn(moduleOf(near), folder))
    return new Set([...loaded, ...inModule])
  }

  get hasNodes(): boolean {
    return this.#nodes.size > 0
  }

  /** The node's definition: by its name, by the first pattern, else the default, or what a pattern matches in that word. */
  node(name: string): CodeDefinition | undefined {
    return this.#nodeNamed(name.toLowerCase()) ?? this.#nodeNamed(defaultNode)
  }

  #nodeNamed(name: string): CodeDefinition | undefined {
    const named = this.#nodes.get(name)
    if (named) return named
    for (const node of this.#nodes.values()) if (node.pattern && isMatch(node.pattern, name)) return node
    return undefined
  }

  /** The types of a definition's parameters, of those that have one. They have to be right as soon as a file is loaded. */
  parameterTypes(definition: CodeDefinition): ReadonlyMap<string, Type> {
    const known = this.#parameterTypes.get(definition)
    if (known) return known
    const { host, scope } = this.#top
    const typed = definition.parameters.flatMap(({ name, type }) =>
      type ? [[name, contextOf(host, scope).evaluate(type) as Type] as const] : [],
    )
    const types = new Map(typed)
    this.#parameterTypes.set(definition, types)
    return types
  }

  /** Takes in all that a file defines; its classes and defined types. */
  add({ program, warnings }: Parsed, moduleName: string): CodeDefinition[] {
    const added: CodeDefinition[] = []
    for (const warning of warnings) this.#top.host.warn(warning)
    for (const definition of program.definitions) {
      if (definition.kind === 'HostClassDefinition') added.push(this.#addClass(codeDefinition(definition, moduleName)))
      else if (definition.kind === 'ResourceTypeDefinition')
        added.push(this.#addDefine(codeDefinition(definition, moduleName)))
      else if (definition.kind === 'NodeDefinition') this.#addNodes(definition, moduleName)
      else if (definition.kind === 'FunctionDefinition') this.#functions.set(plainName(definition.name), definition)
      else if (definition.kind === 'TypeAlias') this.#addAlias(definition)
    }
    return added
  }

  /** The first one counts; that there is another is an error that has no place. */
  #addAlias(definition: TypeAlias): void {
    const name = plainName(definition.name)
    const known = this.#aliases.get(name)
    if (known) this.#redefined ??= { name, origin: `Originally set at ${originOf(known.span)}.` }
    else if (builtinType(name)) this.#redefined ??= { name, origin: originOfBuiltin }
    else if (nativeTypes.has(name)) this.#redefined ??= { name, origin: 'Set at unknown location' }
    else this.#aliases.set(name, definition)
  }

  /** Throws REDEFINED_TYPE for a type that has been defined before. */
  checkAliases(): void {
    if (this.#redefined) failVerbatim(issues.REDEFINED_TYPE, this.#redefined)
  }

  #find(known: ReadonlyMap<string, CodeDefinition>, name: string): CodeDefinition | undefined {
    const found = known.get(name)
    if (found || name === '') return found
    const [module, ...rest] = name.split('::')
    // Before any other file of a module comes its init.pp. Puppet: module.rb, `match_manifests`.
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
    const { program, warnings } = this.#files.program(module, `types/${name}.pp`, this.#options)!
    for (const warning of warnings) this.#top.host.warn(warning)
    const read = name === 'init_typeset' ? typeSetOfFile : typeOfFile
    const alias = read(program, key, shownPath(place))
    this.#aliases.set(key, alias)
    return alias
  }

  #load(module: string, path: string): void {
    const key = `${module}/${path}`
    if (this.#loaded.has(key)) return
    this.#loaded.add(key)
    const parsed = this.#files.program(module, path, this.#options)
    if (!parsed) return
    for (const definition of this.add(parsed, module)) this.parameterTypes(definition)
  }

  #addClass(definition: CodeDefinition): CodeDefinition {
    const { name } = definition
    refuse(definition, this.#classes.get(name), (at) => `Class '${name}' is already defined${at}; cannot redefine`)
    refuse(
      definition,
      this.#nodes.get(name),
      (at) => `Node '${name}' is already defined${at}; cannot be redefined as a class`,
    )
    refuse(
      definition,
      this.#defines.get(name),
      (at) => `Definition '${name}' is already defined${at}; cannot be redefined as a class`,
    )
    this.#classes.set(name, definition)
    return definition
  }

  #addDefine(definition: CodeDefinition): CodeDefinition {
    const { name } = definition
    refuse(
      definition,
      this.#classes.get(name),
      (at) => `'${name}' is already defined${at} as a class; cannot redefine as a definition`,
    )
    const known = this.#defines.get(name)
    if (known) failVerbatim(issues.REDEFINED_TYPE, { name, origin: `Originally set at ${originOf(known.span!)}.` })
    this.#defines.set(name, definition)
    return definition
  }

  #addNodes(node: NodeDefinition, moduleName: string): void {
    for (const { name, pattern } of node.hostMatches.map(hostName)) {
      const definition = nodeDefinition(node, name, pattern, moduleName)
      refuse(definition, this.#nodes.get(name), (at) => `Node '${name}' is already defined${at}; cannot redefine`)
      refuse(
        definition,
        this.#classes.get(name),
        (at) => `Class '${name}' is already defined${at}; cannot be redefined as a node`,
      )
      this.#nodes.set(name, definition)
    }
  }
}

/** The site's manifests, in the order in which they count. */
export function siteManifests({ tree: own, manifest }: CompileEnvironment, options: CodeOptions): Parsed[] {
  if (!manifest) return []
  if ('text' in manifest) return [parseText(manifest.text, undefined, options)]
  const { tree = own } = manifest
  return manifestPaths(tree, manifest.path).map((path) => parseFile(tree, path, options)!)
}

const originOfBuiltin = 'Originally set by Puppet-Type-System/Static-Loader.'

/** As Puppet says where something was defined (Puppet: locator.rb, `to_uri`). */
function originOf({ source, start }: Span): string {
  const { line, column } = positionOf(source, start)
  const file = source.file === undefined ? 'string:' : `file:${source.file}`
  return `${file}?line=${line}&pos=${column}`
}

function moduleOf(name: string): string {
  return plainName(name).split('::')[0]!
}

function refuse(definition: CodeDefinition, known: CodeDefinition | undefined, message: (at: string) => string): void {
  if (!known) return
  const said = message(withPlace('', known.span))
  failVerbatim(issues.DUPLICATE_DEFINITION, { message: withPlace(said, definition.span) })
}

/** A node that a pattern names goes by a name made of it. Puppet: Resource::Type#name. */
function hostName(host: Expression): { name: string; pattern: Regexp | undefined } {
  if (host.kind === 'LiteralRegexp') {
    const name = host.pattern
      .toLowerCase()
      .replace(/[^-\w:.]/g, '')
      .replace(/^\.+/, '')
    return { name: `__node_regexp__${name}`, pattern: new Regexp(host.pattern) }
  }
  if (host.kind === 'LiteralDefault') return { name: defaultNode, pattern: undefined }
  const text = 'value' in host ? String(host.value) : ''
  return { name: text.toLowerCase(), pattern: undefined }
}
