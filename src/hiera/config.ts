import { LRUCache } from 'lru-cache'
import { fail } from '../base/issue.ts'
import type { CodeTree } from '../environments/code-tree.ts'
import { plainTree, WatchedTree } from '../environments/watched-tree.ts'
import { assertInstance } from '../language/functions/definition/assert-instance.ts'
import { parseType } from '../language/types/from-code/parse.ts'
import { toText } from '../language/types/printing/text.ts'
import { Hash } from '../language/values/hash.ts'
import type { Type } from '../language/values/type.ts'
import type { Value } from '../language/values/value.ts'
import { failVerbatim, VerbatimError } from '../language/values/verbatim-error.ts'
import { parseYaml } from '../language/values/yaml.ts'
import { YamlError } from '../ruby-semantics/yaml/yaml-error.ts'
import { yamlData } from './backends/yaml-data.ts'
import { hierarchyOfVersion4 } from './config-version-4.ts'
import { hieraIssues } from './issues.ts'

/** The three layers of data, from the highest. */
export type LayerKind = 'global' | 'environment' | 'module'

/** Keys of hiera.yaml that name the function of a backend. */
export const functionKinds = ['data_hash', 'lookup_key', 'data_dig'] as const
/** A key of hiera.yaml that names the function of a backend. */
export type FunctionKind = (typeof functionKinds)[number]

/** A hiera.yaml, checked. */
export interface HieraConfig {
  readonly version: 4 | 5
  readonly hierarchy: readonly HierarchyEntry[]
  /** Only in modules: asked when nothing else has a value; `undefined` where there is none. */
  readonly defaultHierarchy: readonly HierarchyEntry[] | undefined
}

/** One level of a hierarchy, its defaults filled in; texts are not interpolated yet. */
export interface HierarchyEntry {
  readonly name: string
  readonly kind: FunctionKind
  readonly functionName: string
  readonly datadir: string
  readonly locations: Locations
  readonly options: Hash
}

/** Locations of the data of a level. `none`: the function knows by itself. */
export type Locations =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'paths' | 'globs' | 'uris'
      readonly values: readonly string[]
      /** The extension of each path, written or not. */
      readonly ending?: string
    }
  | { readonly kind: 'mapped'; readonly variable: string; readonly name: string; readonly template: string }

/** The configuration where there is no hiera.yaml. */
export const defaultConfig: HieraConfig = Object.freeze({
  version: 5,
  hierarchy: [
    {
      name: 'Common',
      kind: 'data_hash',
      functionName: 'yaml_data',
      datadir: 'data',
      locations: { kind: 'paths', values: ['common.yaml'] },
      options: Hash.empty,
    } as const,
  ],
  defaultHierarchy: undefined,
})

const cache = new LRUCache<string, HieraConfig>({ max: 500 })

/** Reads the hiera.yaml of a layer; `undefined` when there is none. Throws LOOKUP_HIERA_… */
export function readConfig(given: CodeTree, path: string, layer: LayerKind): HieraConfig | undefined {
  // It is data like others, and all of it counts.
  if (given instanceof WatchedTree) given.watcher.readsAllData(path, yamlData.name)
  const tree = plainTree(given)
  const entry = tree.entry(path)
  if (entry?.kind !== 'file') return undefined
  const key = `${layer}:${entry.oid}`
  const known = cache.get(key)
  if (known) return known
  const file = `${tree.root}/${path}`
  const config = inFile(file, () => configFrom(tree.readText(path) ?? '', file, layer))
  cache.set(key, config)
  return config
}

/** Does `work`; the errors that `work` throws name the file. */
export function inFile<Result>(file: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof VerbatimError) || error.diagnostic.message.includes(file)) throw error
    throw new VerbatimError({ ...error.diagnostic, message: `${error.diagnostic.message} (file: ${file})` })
  }
}

const layerNames: Readonly<Record<LayerKind, string>> = {
  global: 'the global layer',
  environment: 'an environment',
  module: 'a module',
}

function refuseVersion3(layer: LayerKind): never {
  failVerbatim(hieraIssues.LOOKUP_HIERA_VERSION_3_NOT_GLOBAL, { layer: layerNames[layer] })
}

const hierarchyType = `Array[Struct[{
  name => String[1], Optional[options] => Hash[Pattern[/\\A[A-Za-z](:?[0-9A-Za-z_-]*[0-9A-Za-z])?\\z/], Data],
  Optional[data_hash] => String[1], Optional[lookup_key] => String[1], Optional[hiera3_backend] => String[1],
  Optional[data_dig] => String[1], Optional[path] => String[1], Optional[paths] => Array[String[1], 1],
  Optional[glob] => String[1], Optional[globs] => Array[String[1], 1], Optional[uri] => String[1],
  Optional[uris] => Array[String[1], 1], Optional[mapped_paths] => Array[String[1], 3, 3],
  Optional[datadir] => String[1] }]]`

const configText = `Struct[{
  version => Integer[5, 5],
  Optional[defaults] => Struct[{
    Optional[data_hash] => String[1], Optional[lookup_key] => String[1], Optional[data_dig] => String[1],
    Optional[datadir] => String[1],
    Optional[options] => Hash[Pattern[/\\A[A-Za-z](:?[0-9A-Za-z_-]*[0-9A-Za-z])?\\z/], Data] }],
  Optional[hierarchy] => ${hierarchyType},
  Optional[plan_hierarchy] => ${hierarchyType},
  Optional[default_hierarchy] => ${hierarchyType} }]`

let configType: Type | undefined

/** The configuration of the text of a hiera.yaml; `path` is for messages. Throws LOOKUP_HIERA_… */
export function configFrom(text: string, path: string, layer: LayerKind): HieraConfig {
  const given = parsed(text, path)
  // Puppet: what is no hash is taken for version 3's standard configuration.
  if (!(given instanceof Hash)) return refuseVersion3(layer)
  const version = given.get('version')
  if (version === undefined || toText(version) === '3') refuseVersion3(layer)
  const number = Number.parseInt(toText(version), 10)
  if (number === 4) return configOfVersion4(given, path, layer)
  if (number !== 5) failVerbatim(hieraIssues.LOOKUP_HIERA_UNSUPPORTED_VERSION, { version: toText(version) })
  configType ??= parseType(configText)
  assertInstance(`The Lookup Configuration at '${path}'`, configType, given)
  if (given.has('default_hierarchy') && layer !== 'module')
    failVerbatim(hieraIssues.LOOKUP_HIERA_DEFAULT_HIERARCHY_NOT_IN_MODULE, {})
  return hierarchiesFrom(given)
}

function configOfVersion4(given: Hash, path: string, layer: LayerKind): HieraConfig {
  if (layer === 'global') failVerbatim(hieraIssues.LOOKUP_HIERA_UNSUPPORTED_VERSION_IN_GLOBAL, {})
  return { version: 4, hierarchy: differentlyNamed(hierarchyOfVersion4(given, path)), defaultHierarchy: undefined }
}

function parsed(text: string, path: string): Value {
  try {
    return parseYaml(text)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    return fail(hieraIssues.LOOKUP_UNPARSABLE_CONFIG, { path, detail: error.message })
  }
}

function hierarchiesFrom(given: Hash): HieraConfig {
  const defaults = (given.get('defaults') as Hash | undefined) ?? Hash.from({ datadir: 'data', data_hash: 'yaml_data' })
  const kinds = functionKinds.filter((kind) => defaults.has(kind))
  if (kinds.length > 1) failVerbatim(hieraIssues.LOOKUP_HIERA_MULTIPLE_DATA_PROVIDER_FUNCTIONS_IN_DEFAULT, {})
  for (const key of reservedOptions)
    if ((defaults.get('options') as Hash | undefined)?.has(key))
      failVerbatim(hieraIssues.LOOKUP_HIERA_DEFAULT_OPTION_RESERVED_BY_PUPPET, { key })
  const levels = (name: string): HierarchyEntry[] | undefined => {
    const entries = given.get(name) as readonly Hash[] | undefined
    return entries && levelsFrom(entries, defaults)
  }
  return {
    version: 5,
    hierarchy: levels('hierarchy') ?? defaultConfig.hierarchy,
    defaultHierarchy: levels('default_hierarchy'),
  }
}

function levelsFrom(entries: readonly Hash[], defaults: Hash): HierarchyEntry[] {
  return differentlyNamed(entries.map((entry) => levelFrom(entry, defaults)))
}

function differentlyNamed(levels: HierarchyEntry[]): HierarchyEntry[] {
  const names = new Set<string>()
  for (const { name } of levels) {
    if (names.has(name)) failVerbatim(hieraIssues.LOOKUP_HIERA_HIERARCHY_NAME_MULTIPLY_DEFINED, { name })
    names.add(name)
  }
  return levels
}

const reservedOptions = ['path', 'uri']

function levelFrom(entry: Hash, defaults: Hash): HierarchyEntry {
  const name = entry.get('name') as string
  if (entry.has('hiera3_backend')) failVerbatim(hieraIssues.LOOKUP_HIERA_V3_BACKEND_NOT_SUPPORTED, { name })
  const own = functionKinds.filter((kind) => entry.has(kind))
  if (own.length > 1) failVerbatim(hieraIssues.LOOKUP_HIERA_MULTIPLE_DATA_PROVIDER_FUNCTIONS, { name })
  const kind = own[0] ?? functionKinds.find((each) => defaults.has(each))
  if (!kind) return failVerbatim(hieraIssues.LOOKUP_HIERA_MISSING_DATA_PROVIDER_FUNCTION, { name })
  const given = entry.get('options') as Hash | undefined
  for (const key of reservedOptions)
    if (given?.has(key)) failVerbatim(hieraIssues.LOOKUP_HIERA_OPTION_RESERVED_BY_PUPPET, { key, name })
  return {
    name,
    kind,
    functionName: ((own[0] ? entry : defaults).get(kind) ?? '') as string,
    datadir: (entry.get('datadir') ?? defaults.get('datadir') ?? 'data') as string,
    locations: locationsFrom(entry, name),
    options: given ?? (defaults.get('options') as Hash | undefined) ?? Hash.empty,
  }
}

const locationKeys = ['path', 'paths', 'glob', 'globs', 'uri', 'uris', 'mapped_paths']

function locationsFrom(entry: Hash, name: string): Locations {
  const [key, ...more] = locationKeys.filter((each) => entry.has(each))
  if (key === undefined) return { kind: 'none' }
  if (more.length > 0) failVerbatim(hieraIssues.LOOKUP_HIERA_MULTIPLE_LOCATION_SPECS, { name })
  const given = entry.get(key) as string | readonly string[]
  const values = typeof given === 'string' ? [given] : given
  if (key === 'mapped_paths') {
    const [variable = '', variableName = '', template = ''] = values
    return { kind: 'mapped', variable, name: variableName, template }
  }
  return { kind: `${key.replace(/s$/, '')}s` as 'paths' | 'globs' | 'uris', values }
}
