import type { CodeTree } from '../../code/environments/code-tree.ts'
import type { GlobalHiera } from '../../code/environments/compile-environment.ts'
import { type HierarchyEntry, type LayerKind, readHieraConfig } from './config.ts'
import type { LookupStep } from './explainer.ts'
import type { LookupNestedKey } from './interpolation.ts'
import { Level, type LevelPlace } from './level.ts'

/** The parts of `CompileEnvironment` from which Hiera reads data. */
export interface HieraCode {
  readonly name: string
  readonly tree: CodeTree
  readonly modulepath: readonly { readonly tree: CodeTree; readonly path: string }[]
  readonly globalHiera: GlobalHiera | undefined
}

/** The hierarchy of a layer, and the layer's name in explanations. */
export interface Layer {
  readonly step: LookupStep
  readonly levels: readonly Level[]
  /** Levels of the `default_hierarchy` of a module; `undefined` in other layers. */
  readonly defaults: readonly Level[] | undefined
}

/** The layers of one compilation, each opened on first use. */
export class Layers {
  readonly #code: HieraCode
  readonly #keyFolders: readonly string[]
  readonly #lookup: LookupNestedKey
  readonly #deprecated: (file: string) => void
  readonly #modules = new Map<string, Layer | undefined>()
  #global: Layer | undefined
  #environment: { readonly layer: Layer | undefined } | undefined

  /** `deprecated` is called for each hiera.yaml that has version 4. */
  constructor(
    code: HieraCode,
    keyFolders: readonly string[],
    lookup: LookupNestedKey,
    deprecated: (file: string) => void,
  ) {
    this.#code = code
    this.#keyFolders = keyFolders
    this.#lookup = lookup
    this.#deprecated = deprecated
  }

  /** Returns the global layer; an empty layer without a hiera.yaml. */
  global(): Layer {
    const { globalHiera: place, tree } = this.#code
    this.#global ??= (place &&
      this.#open('global', place.tree, place.path, undefined, [place.tree, tree, ...(place.data ?? [])])) ?? {
      step: createLayerStep('Global', undefined, undefined),
      levels: [],
      defaults: undefined,
    }
    return this.#global
  }

  /** Returns the layer of the environment; `undefined` without a hiera.yaml. */
  environment(): Layer | undefined {
    const { tree } = this.#code
    this.#environment ??= { layer: this.#open('environment', tree, 'hiera.yaml', undefined, [tree]) }
    return this.#environment.layer
  }

  /** Returns the layer of a module; `undefined` without a hiera.yaml. */
  module(name: string): Layer | undefined {
    if (!this.#modules.has(name)) this.#modules.set(name, this.#openModule(name))
    return this.#modules.get(name)
  }

  hasModule(name: string): boolean {
    return this.#findModule(name) !== undefined
  }

  #openModule(name: string): Layer | undefined {
    const found = this.#findModule(name)
    return found && this.#open('module', found.tree, `${found.folder}/hiera.yaml`, name, [found.tree])
  }

  #findModule(name: string): { readonly tree: CodeTree; readonly folder: string } | undefined {
    if (!/^[a-z]\w*$/.test(name)) return undefined
    for (const { tree, path } of this.#code.modulepath) {
      const folder = path === '' ? name : `${path}/${name}`
      if (tree.entry(folder)?.kind === 'directory') return { tree, folder }
    }
    return undefined
  }

  #open(
    kind: LayerKind,
    tree: CodeTree,
    path: string,
    module: string | undefined,
    trees: readonly CodeTree[],
  ): Layer | undefined {
    const config = readHieraConfig(tree, path, kind)
    if (!config) return undefined
    const folder = path.includes('/') ? `/${path.slice(0, path.lastIndexOf('/'))}` : ''
    const file = `${tree.root}/${path}`
    if (config.version === 4) this.#deprecated(file)
    const place: LevelPlace = {
      layer: module === undefined ? titles[kind] : `Module ${module}`,
      ground: { root: `${tree.root}${folder}`, file, trees },
      module,
      environment: this.#code.name,
      keyFolders: this.#keyFolders,
    }
    const createLevel = (entry: HierarchyEntry): Level => new Level(entry, place, this.#lookup)
    return {
      step: createLayerStep(titles[kind], file, module, config.version),
      levels: config.hierarchy.map(createLevel),
      defaults: config.defaultHierarchy?.map(createLevel),
    }
  }
}

const titles: Readonly<Record<LayerKind, string>> = { global: 'Global', environment: 'Environment', module: 'Module' }

function createLayerStep(
  title: string,
  configuration: string | undefined,
  module: string | undefined,
  version = 5,
): LookupStep {
  const named = module === undefined ? title : `${title} "${module}"`
  const name = `${named} Data Provider (hiera configuration version ${version})`
  return { kind: 'data_provider', name, configuration, module }
}
