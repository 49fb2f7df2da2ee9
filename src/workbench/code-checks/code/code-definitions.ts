import { join } from 'node:path'
import { budgets } from '../../../base/budgets/budgets.ts'
import { normalizeName } from '../../../compiler/code/code-definition.ts'
import { bundledTypes, type NativeType, nativeTypes } from '../../../compiler/code/native-types.ts'
import { builtinFunctions } from '../../../language/functions/table.ts'
import type { Definition } from '../../../language/syntax/tree/nodes.ts'
import type { Callable } from '../../../language/values/callable.ts'
import type { CodeFile } from '../../code-index/code-file.ts'
import type { CodeWorkspace } from '../../code-index/code-workspace.ts'
import { hasAllDependencies } from './dependencies.ts'
import { findDefinitionIn } from './file-names.ts'

/** A definition with its file. */
export interface FoundDefinition<Kind extends Definition['kind']> {
  readonly node: Extract<Definition, { kind: Kind }>
  readonly file: CodeFile
}

/** A function: built-in, in Puppet code, or in a Ruby file of a module. */
export type FoundFunction =
  | { readonly kind: 'built-in'; readonly callable: Callable }
  | { readonly kind: 'code'; readonly definition: FoundDefinition<'FunctionDefinition'> }
  | { readonly kind: 'ruby' }

type NamedKind = 'HostClassDefinition' | 'ResourceTypeDefinition' | 'FunctionDefinition' | 'TypeAlias'

/** Functions that the compiler adds to the built-in ones. */
const compilerFunctions: ReadonlySet<string> = new Set([
  ...['template', 'inline_template', 'puppetdb_query', 'eyaml_lookup_key', 'hocon_data', 'json_data', 'yaml_data'],
])

/** Definitions of classes, types and functions, found by the rules of Puppet's autoloader. */
export class CodeDefinitions {
  readonly #workspace: CodeWorkspace
  readonly #known = new Map<string, FoundDefinition<NamedKind> | undefined>()
  readonly #complete = new Map<string, boolean>()

  constructor(workspace: CodeWorkspace) {
    this.#workspace = workspace
  }

  findClass(name: string, from?: CodeFile): FoundDefinition<'HostClassDefinition'> | undefined {
    return this.#find('HostClassDefinition', 'manifests', name, from)
  }

  findDefinedType(name: string, from?: CodeFile): FoundDefinition<'ResourceTypeDefinition'> | undefined {
    return this.#find('ResourceTypeDefinition', 'manifests', name, from)
  }

  findAlias(name: string, from?: CodeFile): FoundDefinition<'TypeAlias'> | undefined {
    return this.#find('TypeAlias', 'types', name, from)
  }

  /** A built-in resource type, or one of a module that Puppet bundles if no module of the workspace defines it. */
  findNativeType(name: string): NativeType | undefined {
    return nativeTypes.get(name) ?? (this.hasRubyType(name) ? undefined : bundledTypes.get(name))
  }

  hasRubyType(name: string): boolean {
    return this.#workspace.index.names.rubyTypes.has(name)
  }

  findFunction(name: string, from?: CodeFile): FoundFunction | undefined {
    const callable = builtinFunctions.get(name)
    if (callable) return { kind: 'built-in', callable }
    const definition = this.#find('FunctionDefinition', 'functions', name, from)
    if (definition) return { kind: 'code', definition }
    return compilerFunctions.has(name) || this.#workspace.index.names.rubyFunctions.has(name)
      ? { kind: 'ruby' }
      : undefined
  }

  /** True if a type is a resource type, a defined type or a data type. */
  isTypeKnown(name: string, from?: CodeFile): boolean {
    return (
      this.findNativeType(name) !== undefined ||
      this.hasRubyType(name) ||
      this.#workspace.index.names.rubyDataTypes.has(name) ||
      this.findDefinedType(name, from) !== undefined ||
      this.findAlias(name, from) !== undefined
    )
  }

  /**
   * True if a missing definition is an error: the module of the name is present, or, for a name of any module, all
   * dependencies of the file's module are.
   */
  canJudge(name: string, path: string): boolean {
    const [module = ''] = name.split('::', 1)
    if (name.includes('::') || this.#workspace.modules.has(module)) return this.#workspace.modules.has(module)
    return this.isComplete(path)
  }

  /** True if all modules that the metadata of the file's module names are present, and their own dependencies too. */
  isComplete(path: string): boolean {
    const module = this.#workspace.moduleOf(path)
    const key = module?.folder ?? ''
    const known = this.#complete.get(key)
    if (known !== undefined) return known
    const complete = hasAllDependencies(this.#workspace, module)
    this.#complete.set(key, complete)
    return complete
  }

  #find<Kind extends NamedKind>(
    kind: Kind,
    folder: string,
    given: string,
    from: CodeFile | undefined,
  ): FoundDefinition<Kind> | undefined {
    const name = normalizeName(given)
    const own = from && findIn(from, kind, name)
    if (own) return own
    const key = `${kind} ${name}`
    if (!this.#known.has(key)) this.#known.set(key, this.#search(kind, folder, name))
    return this.#known.get(key) as FoundDefinition<Kind> | undefined
  }

  #search(kind: NamedKind, folder: string, name: string): FoundDefinition<NamedKind> | undefined {
    for (const path of this.#listPaths(folder, name)) {
      const file = this.#workspace.file(path)
      const found = file && findIn(file, kind, name)
      if (found) return found
    }
    return undefined
  }

  /** Files that may define a name: of its module, as in the compiler's search, and of the control repository. */
  #listPaths(folder: string, name: string): readonly string[] {
    const [first = '', ...rest] = name.split('::')
    const module = this.#workspace.modules.get(first)
    const paths: string[] = []
    if (module) {
      const inner = folder === 'manifests' ? rest.map((_, index) => rest.slice(0, rest.length - index).join('/')) : []
      const names = folder === 'manifests' ? ['init', ...inner] : [rest.join('/')]
      paths.push(...names.map((each) => join(module.folder, folder, `${each}.pp`)))
    }
    if (folder !== 'manifests' && (rest.length === 0 || first === 'environment'))
      paths.push(join(this.#workspace.root, folder, `${name.replaceAll('::', '/')}.pp`))
    return [...paths, ...this.#listSiteManifests()]
  }

  #listSiteManifests(): readonly string[] {
    const { root, manifests, modules } = this.#workspace
    if ([...modules.values()].some(({ folder }) => folder === root)) return []
    this.#site ??= manifests.filter((path) => path.startsWith(`${root}/manifests/`))
    return this.#site.slice(0, budgets.workbench.siteManifests.bound)
  }
  #site: readonly string[] | undefined
}

function findIn<Kind extends NamedKind>(file: CodeFile, kind: Kind, name: string): FoundDefinition<Kind> | undefined {
  const node = findDefinitionIn(file, kind, name)
  return node && { node: node as FoundDefinition<Kind>['node'], file }
}
