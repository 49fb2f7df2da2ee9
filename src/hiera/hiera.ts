import { PuppetError } from '../base/issue.ts'
import type { CodeTree } from '../environments/code-tree.ts'
import { failVerbatim } from '../language/evaluator/evaluation-error.ts'
import type { Scope } from '../language/evaluator/scope.ts'
import { newFunction } from '../language/functions/new.ts'
import type { CallContext, Host, LookupQuery } from '../language/host.ts'
import { parseType } from '../language/types/parse.ts'
import type { Type } from '../language/types/type.ts'
import { Hash } from '../language/values/hash.ts'
import type { Value } from '../language/values/value.ts'
import { type HierarchyEntry, type LayerKind, readConfig } from './config.ts'
import type { Found } from './found.ts'
import { type Invocation, within } from './invocation.ts'
import { hieraIssues } from './issues.ts'
import { Level } from './level.ts'
import type { Ground } from './locations.ts'
import { digTo, type LookupKey, lookupKey } from './lookup-key.ts'
import { LookupOptions, validOptions } from './lookup-options.ts'
import { mergeStrategy } from './merge-strategy.ts'

/** Where data is: of the code that is compiled, `CompileEnvironment` has all of it. */
export interface HieraCode {
  readonly name: string
  readonly tree: CodeTree
  readonly modulepath: readonly { readonly tree: CodeTree; readonly path: string }[]
  readonly globalHiera: { readonly tree: CodeTree; readonly path: string } | undefined
}

/** Data for one catalog. */
export interface Hiera {
  /** What the layers have for a key, merged and converted as the question or `lookup_options` say. */
  lookup(query: LookupQuery, scope: Scope): { found: true; value: Value } | { found: false }
}

/** Hiera 5 over the global layer, the environment and the modules. What it remembers is one catalog's. */
export function createHiera(code: HieraCode, host: Host): Hiera {
  const lookups = new Lookups(code)
  return {
    lookup({ key, merge, override, defaultValues }, scope) {
      const context: CallContext = { host, scope, span: undefined }
      const found = lookups.find(lookupKey(key), merge, { context, override, defaultValues, names: [] })
      return found ? { found: true, value: found.value } : { found: false }
    },
  }
}

/** A layer that has data. */
interface Layer {
  readonly levels: readonly Level[]
  readonly defaults: readonly Level[] | undefined
}

const optionsKey = lookupKey('lookup_options')
const hashMerge = mergeStrategy('hash')

class Lookups {
  readonly #code: HieraCode
  readonly #modules = new Map<string, Layer | undefined>()
  readonly #options = new Map<string | undefined, LookupOptions>()
  readonly #defaultOptions = new Map<string, LookupOptions>()
  #global: { readonly layer: Layer | undefined } | undefined
  #environment: { readonly layer: Layer | undefined } | undefined

  constructor(code: HieraCode) {
    this.#code = code
  }

  find(key: LookupKey, merge: Value, invocation: Invocation): Found {
    if (key.root === 'lookup_options') return undefined
    const options = this.#optionsFor(key.module, invocation).of(key.root)
    const strategy = merge ?? options?.get('merge')
    const found = this.#findData(key, strategy, invocation)
    const conversion = options?.get('convert_to')
    return found && conversion !== undefined ? this.#converted(key, found.value, conversion, invocation) : found
  }

  #findData(key: LookupKey, merge: Value, invocation: Invocation): Found {
    const strategy = mergeStrategy(merge)
    const found = strategy.lookup(this.#layersFor(key), (layer) => {
      const levels = layer()?.levels ?? []
      if (levels.length === 0) return undefined
      return within(invocation, key.text, () =>
        strategy.lookup(levels, (level) => level.find(key, strategy, invocation)),
      )
    })
    const dug = found && digTo(key.text, key.segments, found.value)
    return dug ?? this.#findDefault(key, invocation)
  }

  /** The `default_hierarchy` of the key's module, when nothing else had anything. */
  #findDefault(key: LookupKey, invocation: Invocation): Found {
    const { module } = key
    const defaults = module === undefined ? undefined : this.#moduleLayer(module)?.defaults
    if (!defaults || module === undefined) return undefined
    let options = this.#defaultOptions.get(module)
    if (!options) {
      const found = hashMerge.lookup(defaults, (level) => level.find(optionsKey, hashMerge, unasked(invocation)))
      options = new LookupOptions(validOptions(found?.value, module) ?? Hash.empty)
      this.#defaultOptions.set(module, options)
    }
    const strategy = mergeStrategy(options.of(key.root)?.get('merge'))
    const found = within(invocation, key.text, () =>
      strategy.lookup(defaults, (level) => level.find(key, strategy, invocation)),
    )
    return found && digTo(key.text, key.segments, found.value)
  }

  /** What `lookup_options` say for keys of a module, or for keys of none; read once. */
  #optionsFor(module: string | undefined, invocation: Invocation): LookupOptions {
    const known = this.#options.get(module)
    if (known) return known
    const asker = unasked(invocation)
    const inLayer = (layer: Layer | undefined, owner: string | undefined): Hash | undefined => {
      const levels = layer?.levels ?? []
      const found = hashMerge.lookup(levels, (level) => level.find(optionsKey, hashMerge, asker))
      return validOptions(found?.value, owner)
    }
    const layers = [
      inLayer(this.#globalLayer(), undefined),
      inLayer(this.#environmentLayer(), undefined),
      module === undefined ? undefined : inLayer(this.#moduleLayer(module), module),
    ]
    const merged = layers.reduceRight<Hash>((lower, higher) => (higher ? lower.merge(higher) : lower), Hash.empty)
    const options = new LookupOptions(merged)
    this.#options.set(module, options)
    return options
  }

  #converted(key: LookupKey, value: Value, conversion: Value, { context }: Invocation): Found {
    const [target, ...more] = Array.isArray(conversion) ? (conversion as readonly Value[]) : [conversion]
    const { host, scope } = context
    const type = typeof target === 'string' ? typeNamed(target, key, context) : target
    try {
      return { value: (host.findFunction('new', scope) ?? newFunction).call(context, [type, value, ...more]) }
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error
      return failVerbatim(hieraIssues.LOOKUP_CONVERT_TO, { key: key.text, detail: error.diagnostic.message })
    }
  }

  /** Layers are opened when they are asked. */
  #layersFor({ module }: LookupKey): (() => Layer | undefined)[] {
    const layers = [() => this.#globalLayer(), () => this.#environmentLayer()]
    return module === undefined ? layers : [...layers, () => this.#moduleLayer(module)]
  }

  #globalLayer(): Layer | undefined {
    const { globalHiera: place, tree } = this.#code
    this.#global ??= { layer: place && this.#open('global', place.tree, place.path, undefined, [place.tree, tree]) }
    return this.#global.layer
  }

  #environmentLayer(): Layer | undefined {
    const { tree } = this.#code
    this.#environment ??= { layer: this.#open('environment', tree, 'hiera.yaml', undefined, [tree]) }
    return this.#environment.layer
  }

  #moduleLayer(module: string): Layer | undefined {
    if (!this.#modules.has(module)) this.#modules.set(module, this.#openModule(module))
    return this.#modules.get(module)
  }

  #openModule(module: string): Layer | undefined {
    if (!/^[a-z]\w*$/.test(module)) return undefined
    for (const { tree, path } of this.#code.modulepath) {
      const folder = path === '' ? module : `${path}/${module}`
      if (tree.entry(folder)?.kind !== 'directory') continue
      return this.#open('module', tree, `${folder}/hiera.yaml`, module, [tree])
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
    const config = readConfig(tree, path, kind)
    if (!config) return undefined
    const folder = path.includes('/') ? `/${path.slice(0, path.lastIndexOf('/'))}` : ''
    const ground: Ground = { root: `${tree.root}${folder}`, file: `${tree.root}/${path}`, trees }
    const another = (key: string, invocation: Invocation): Found => this.find(lookupKey(key), undefined, invocation)
    const level = (entry: HierarchyEntry): Level =>
      new Level(entry, { ground, module, environment: this.#code.name }, another)
    return { levels: config.hierarchy.map(level), defaults: config.defaultHierarchy?.map(level) }
  }
}

/** The same asker with a question of its own. */
function unasked(invocation: Invocation): Invocation {
  return { context: invocation.context, override: undefined, defaultValues: undefined, names: [] }
}

function typeNamed(text: string, key: LookupKey, { host, scope }: CallContext): Type {
  try {
    return parseType(text, (name) => host.findType(name, scope))
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return failVerbatim(hieraIssues.LOOKUP_CONVERT_TO_TYPE, {
      key: key.text,
      type: text,
      detail: error.diagnostic.message,
    })
  }
}
