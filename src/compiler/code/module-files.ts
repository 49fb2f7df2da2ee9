import { LRUCache } from 'lru-cache'
import { createGrowingLru } from '../../base/lru-cache.ts'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { walkFiles } from '../../code/environments/tree-walk.ts'
import type { ParseResult } from '../../language/syntax/parser/parser.ts'
import { type CodeOptions, parseFile } from './source-cache.ts'

/** A path in one of an environment's trees. */
export interface Place {
  readonly tree: CodeTree
  readonly path: string
}

/** Maximum number of cached lookups for an environment; failed lookups are cached, too. */
const most = 20_000

const open = new WeakMap<CompileEnvironment, ModuleFiles>()

/** Returns the files of an environment's modules. The result is cached for the lifetime of the environment object. */
export function getModuleFiles(environment: CompileEnvironment): ModuleFiles {
  const files = open.get(environment) ?? new ModuleFiles(environment)
  open.set(environment, files)
  return files
}

/** Files of an environment's modules, found by the autoload rules. */
export class ModuleFiles {
  readonly #environment: CompileEnvironment
  readonly #modules = new Map<string, Place | undefined>()
  readonly #files = createGrowingLru<Looked>(most)
  readonly #anywhere = createGrowingLru<Looked>(most)
  readonly #providers = new LRUCache<string, boolean>({ max: 1000 })
  #names: readonly string[] | undefined

  constructor(environment: CompileEnvironment) {
    this.#environment = environment
  }

  /** Returns the folder of a module, from the first directory of the modulepath that contains the module. */
  module(name: string): Place | undefined {
    if (!this.#modules.has(name)) this.#modules.set(name, this.#find(name))
    return this.#modules.get(name)
  }

  /** Returns the names of all modules. */
  names(): readonly string[] {
    this.#names ??= this.#allNames()
    return this.#names
  }

  #allNames(): readonly string[] {
    const names = this.#environment.modulepath.flatMap(({ tree, path }) => tree.list(path))
    return [...new Set(names)].filter((name) => /^[a-z]\w*$/.test(name) && this.module(name)).sort()
  }

  /** Returns the names that files in a code folder of a module define, according to their file names. */
  definedIn(module: string, folder: string): string[] {
    const found = this.module(module)
    if (!found) return []
    const start = `${found.path}/${folder}`
    if (found.tree.entry(start)?.kind !== 'directory') return []
    return [...walkFiles(found.tree, start)].flatMap(({ path }) => {
      if (!path.endsWith('.pp')) return []
      const names = path.slice(start.length + 1, -'.pp'.length).split('/')
      return [names.join('::') === 'init' ? module : [module, ...names].join('::')]
    })
  }

  /** Returns a file of a module. */
  file(module: string, path: string): Place | undefined {
    return findCachedPlace(this.#files, `${module}/${path}`, () => {
      const place = this.fileOrFolder(module, path)
      return place?.tree.entry(place.path)?.kind === 'file' ? place : undefined
    })
  }

  /** Returns a file or folder of a module. */
  fileOrFolder(module: string, path: string): Place | undefined {
    const found = this.module(module)
    if (!found) return undefined
    const place = { tree: found.tree, path: `${found.path}/${path}` }
    return place.tree.entry(place.path) ? place : undefined
  }

  /** Finds a file below a folder of any module, or of the environment itself. */
  fileInAny(path: string): Place | undefined {
    return findCachedPlace(this.#anywhere, path, () => {
      for (const name of this.names()) {
        const { tree, path: folder } = this.module(name)!
        const place = { tree, path: `${folder}/${path}` }
        if (tree.entry(place.path)?.kind === 'file') return place
      }
      return this.ownFile(path)
    })
  }

  /** Returns a file of the environment itself, outside its modules. */
  ownFile(path: string): Place | undefined {
    const { tree } = this.#environment
    return tree.entry(path)?.kind === 'file' ? { tree, path } : undefined
  }

  /** Returns the location of a file with this displayed path; `undefined` outside the environment's trees. */
  findDisplayedFile(shown: string): Place | undefined {
    const { tree, modulepath } = this.#environment
    for (const each of [tree, ...modulepath.map((directory) => directory.tree)]) {
      const path = shown.startsWith(`${each.root}/`) ? shown.slice(each.root.length + 1) : undefined
      if (path !== undefined && each.entry(path)) return { tree: each, path }
    }
    return undefined
  }

  /** True if a module has providers for the type. */
  hasProviders(type: string): boolean {
    const known = this.#providers.get(type) ?? this.names().some((name) => this.#hasProviders(this.module(name)!, type))
    this.#providers.set(type, known)
    return known
  }

  #hasProviders({ tree, path }: Place, type: string): boolean {
    return tree.list(`${path}/lib/puppet/provider/${type}`).some((file) => file.endsWith('.rb'))
  }

  /** Returns a parsed file of a module. */
  program(module: string, path: string, options: CodeOptions): ParseResult | undefined {
    const place = this.file(module, path)
    return place && parseFile(place.tree, place.path, { ...options, moduleFile: `${module}/${path}` })
  }

  #find(name: string): Place | undefined {
    if (!/^[a-z]\w*$/.test(name)) return undefined
    for (const { tree, path } of this.#environment.modulepath) {
      const place = { tree, path: path === '' ? name : `${path}/${name}` }
      if (tree.entry(place.path)?.kind === 'directory') return place
    }
    return undefined
  }
}

/** Cached result of a lookup; `place` is undefined if nothing was found. */
interface Looked {
  readonly place: Place | undefined
}

function findCachedPlace(
  places: LRUCache<string, Looked>,
  key: string,
  find: () => Place | undefined,
): Place | undefined {
  const found = places.get(key)
  if (found) return found.place
  const place = find()
  places.set(key, { place })
  return place
}

/** Returns the path that messages and catalogs display. */
export function formatTreePath({ tree, path }: Place): string {
  return `${tree.root}/${path}`
}
