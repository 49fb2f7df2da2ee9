import { WatchedTree } from '../../code/environments/watched-tree.ts'
import type { ParseResult } from '../../language/syntax/parser/parser.ts'
import { ModuleFiles, type Place } from '../code/module-files.ts'
import { type CodeOptions, parseFile } from '../code/source-cache.ts'
import { listEnvironmentTrees, type Reads } from './compilation-reads.ts'

/**
 * Module files for one compilation. Records the lookups of the compilation; the results of lookups are cached for all
 * compilations.
 */
export class WatchedModuleFiles extends ModuleFiles {
  readonly #files: ModuleFiles
  readonly #reads: Reads
  /** Recording trees, by the tree that each of them wraps. */
  readonly #trees: ReadonlyMap<unknown, WatchedTree>

  constructor(files: ModuleFiles, reads: Reads) {
    super(reads.environment)
    this.#files = files
    this.#reads = reads
    const watched = listEnvironmentTrees(reads.environment).filter((tree) => tree instanceof WatchedTree)
    this.#trees = new Map(watched.map((tree) => [tree.plain, tree]))
  }

  override module(name: string): Place | undefined {
    this.#reads.note('module', name)
    return this.#watched(this.#files.module(name))
  }

  override names(): readonly string[] {
    this.#reads.note('modules')
    return this.#files.names()
  }

  override file(module: string, path: string): Place | undefined {
    this.#reads.note('module-file', module, path)
    return this.#watched(this.#files.file(module, path))
  }

  override fileOrFolder(module: string, path: string): Place | undefined {
    this.#reads.note('module-entry', module, path)
    return this.#watched(this.#files.fileOrFolder(module, path))
  }

  override fileInAny(path: string): Place | undefined {
    this.#reads.note('file-in-any', path)
    return this.#watched(this.#files.fileInAny(path))
  }

  override findDisplayedFile(shown: string): Place | undefined {
    this.#reads.note('shown', shown)
    return this.#watched(this.#files.findDisplayedFile(shown))
  }

  override hasProviders(type: string): boolean {
    this.#reads.note('providers', type)
    return this.#files.hasProviders(type)
  }

  override program(module: string, path: string, options: CodeOptions): ParseResult | undefined {
    const place = this.file(module, path)
    return place && parseFile(place.tree, place.path, { ...options, moduleFile: `${module}/${path}` })
  }

  #watched(place: Place | undefined): Place | undefined {
    return place && { tree: this.#trees.get(place.tree) ?? place.tree, path: place.path }
  }
}
