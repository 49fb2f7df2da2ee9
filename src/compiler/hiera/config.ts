import { LRUCache } from 'lru-cache'
import { PuppetError, throwIssue } from '../../base/issue.ts'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import { getUnwatchedTree, WatchedTree } from '../../code/environments/watched-tree.ts'
import { YamlError } from '../../language/ruby-semantics/yaml/yaml-error.ts'
import { parseType } from '../../language/types/from-code/type-parser.ts'
import { toText } from '../../language/types/printing/text.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Type } from '../../language/values/type.ts'
import { isTruthy, type Value } from '../../language/values/value.ts'
import { VerbatimError } from '../../language/values/verbatim-error.ts'
import { parseYaml } from '../../language/values/yaml.ts'
import { yamlData } from './backends/yaml-data.ts'
import {
  assertConfigType,
  type ConfigPlace,
  failAtConfigNode,
  fillConfigDefaults,
  getChildPlace,
} from './config-location.ts'
import { parseVersion4Hierarchy } from './config-version-4.ts'
import { hieraIssues } from './issues.ts'

/** The three layers of Hiera data, from the highest priority to the lowest. */
export type LayerKind = 'global' | 'environment' | 'module'

/** Keys of hiera.yaml that name the function of a backend. */
export const functionKinds = ['data_hash', 'lookup_key', 'data_dig'] as const
/** A key of hiera.yaml that names the function of a backend. */
export type FunctionKind = (typeof functionKinds)[number]

/** The validated content of a hiera.yaml. */
export interface HieraConfig {
  readonly version: 4 | 5
  readonly hierarchy: readonly HierarchyEntry[]
  /** Levels that are searched if the hierarchy has no value for a key; only modules may have such levels. */
  readonly defaultHierarchy: readonly HierarchyEntry[] | undefined
}

/** One level of a hierarchy, with defaults filled in; texts are not interpolated yet. */
export interface HierarchyEntry {
  readonly name: string
  readonly kind: FunctionKind
  readonly functionName: string
  readonly datadir: string
  readonly locations: Locations
  readonly options: Hash
}

/**
 * Locations of a level's data. With `none`, the level has no locations, and the backend function finds the data itself.
 */
export type Locations =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'paths' | 'globs' | 'uris'
      readonly values: readonly string[]
      /** Extension of the paths; added to a path that does not end with it. */
      readonly ending?: string
    }
  | { readonly kind: 'mapped'; readonly variable: string; readonly name: string; readonly template: string }

/** Configuration of a layer without a hiera.yaml. */
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

/** Reads the hiera.yaml of a layer; `undefined` if the file is missing. Throws LOOKUP_HIERA_…. */
export function readHieraConfig(given: CodeTree, path: string, layer: LayerKind): HieraConfig | undefined {
  // The configuration file is recorded as data: the result depends on all its keys.
  if (given instanceof WatchedTree) given.watcher.readsAllData(path, yamlData.name)
  const tree = getUnwatchedTree(given)
  const entry = tree.entry(path)
  if (entry?.kind !== 'file') return undefined
  const key = `${layer}:${entry.oid}`
  const known = cache.get(key)
  if (known) return known
  const file = `${tree.root}/${path}`
  const config = addFileToErrors(file, () => parseHieraConfig(tree.readText(path) ?? '', file, layer))
  cache.set(key, config)
  return config
}

/**
 * Runs `work` and adds the name of the file to its error messages. The location of such an error is the location of the
 * lookup.
 */
export function addFileToErrors<Result>(file: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const diagnostic = { ...error.diagnostic, span: undefined }
    const { message } = diagnostic
    // Puppet reports a wrong type at the location of the lookup, without the name of the file.
    if (!(error instanceof VerbatimError)) throw new PuppetError(diagnostic, { cause: error })
    if (message.includes(file)) throw error
    throw new VerbatimError({ ...diagnostic, message: `${message} (file: ${file})` })
  }
}

const layerNames: Readonly<Record<LayerKind, string>> = {
  global: 'the global layer',
  environment: 'an environment',
  module: 'a module',
}

function rejectVersion3(place: ConfigPlace, layer: LayerKind): never {
  failAtConfigNode(getChildPlace(place, 'version'), hieraIssues.LOOKUP_HIERA_VERSION_3_NOT_GLOBAL, {
    layer: layerNames[layer],
  })
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

/** Parses the text of a hiera.yaml; `path` is for messages. Throws LOOKUP_HIERA_…. */
export function parseHieraConfig(text: string, path: string, layer: LayerKind): HieraConfig {
  const given = parseConfigYaml(text, path)
  const place: ConfigPlace = { source: { file: path, text }, path: [] }
  // Puppet treats a text that is not a hash as the default configuration of version 3.
  if (!(given instanceof Hash)) return rejectVersion3(place, layer)
  const version = given.get('version')
  if (!isTruthy(version) || toText(version) === '3') rejectVersion3(place, layer)
  // Like Ruby's `to_i`, the conversion gives 0 for a text without a number.
  const number = Number.parseInt(toText(version), 10) || 0
  if (number === 4) return parseVersion4Config(given, place, layer)
  if (number !== 5)
    failAtConfigNode(getChildPlace(place, 'version'), hieraIssues.LOOKUP_HIERA_UNSUPPORTED_VERSION, {
      version: String(number),
    })
  configType ??= parseType(configText)
  const config = fillConfigDefaults(given, version5Defaults)
  assertConfigType(place, configType, config)
  return parseHierarchies(config, place, layer)
}

const version5Defaults: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['defaults', Hash.from({ datadir: 'data', data_hash: 'yaml_data' })],
  ['hierarchy', [Hash.from({ name: 'Common', path: 'common.yaml' })]],
])

function parseVersion4Config(given: Hash, place: ConfigPlace, layer: LayerKind): HieraConfig {
  if (layer === 'global')
    failAtConfigNode(getChildPlace(place, 'version'), hieraIssues.LOOKUP_HIERA_UNSUPPORTED_VERSION_IN_GLOBAL, {})
  const hierarchy = parseVersion4Hierarchy(given, place)
  checkUniqueNames(hierarchy, getChildPlace(place, 'hierarchy'))
  return { version: 4, hierarchy, defaultHierarchy: undefined }
}

function parseConfigYaml(text: string, path: string): Value {
  try {
    return parseYaml(text)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    return throwIssue(hieraIssues.LOOKUP_UNPARSABLE_CONFIG, { path, detail: error.message })
  }
}

function parseHierarchies(config: Hash, place: ConfigPlace, layer: LayerKind): HieraConfig {
  const defaults = config.get('defaults') as Hash
  checkDefaults(defaults, getChildPlace(place, 'defaults'))
  const parseLevels = (name: string): HierarchyEntry[] | undefined => {
    const entries = config.get(name) as readonly Hash[] | undefined
    return entries?.map((entry, index) => parseLevel(entry, defaults, getChildPlace(place, name, index)))
  }
  const hierarchy = parseLevels('hierarchy')!
  // The key is validated as in Puppet, then ignored: only plans use it, and Plumb does not run plans.
  parseLevels('plan_hierarchy')
  if (config.has('default_hierarchy') && layer !== 'module')
    failAtConfigNode(
      getChildPlace(place, 'default_hierarchy'),
      hieraIssues.LOOKUP_HIERA_DEFAULT_HIERARCHY_NOT_IN_MODULE,
      {},
    )
  const defaultHierarchy = parseLevels('default_hierarchy')
  checkUniqueNames(hierarchy, getChildPlace(place, 'hierarchy'))
  if (defaultHierarchy) checkUniqueNames(defaultHierarchy, getChildPlace(place, 'default_hierarchy'))
  return { version: 5, hierarchy, defaultHierarchy }
}

function checkDefaults(defaults: Hash, place: ConfigPlace): void {
  const [, second] = functionKinds.filter((kind) => defaults.has(kind))
  if (second !== undefined)
    failAtConfigNode(
      getChildPlace(place, second),
      hieraIssues.LOOKUP_HIERA_MULTIPLE_DATA_PROVIDER_FUNCTIONS_IN_DEFAULT,
      {},
    )
  const key = findReservedOption(defaults)
  if (key !== undefined)
    failAtConfigNode(getChildPlace(place, 'options', key), hieraIssues.LOOKUP_HIERA_DEFAULT_OPTION_RESERVED_BY_PUPPET, {
      key,
    })
}

function checkUniqueNames(levels: readonly HierarchyEntry[], place: ConfigPlace): void {
  const names = new Set<string>()
  for (const [index, { name }] of levels.entries()) {
    if (names.has(name))
      failAtConfigNode(getChildPlace(place, index), hieraIssues.LOOKUP_HIERA_HIERARCHY_NAME_MULTIPLY_DEFINED, { name })
    names.add(name)
  }
}

function findReservedOption(entry: Hash): string | undefined {
  const options = entry.get('options') as Hash | undefined
  return ['path', 'uri'].find((key) => options?.has(key))
}

function parseLevel(entry: Hash, defaults: Hash, place: ConfigPlace): HierarchyEntry {
  const name = entry.get('name') as string
  const own = functionKinds.filter((kind) => entry.has(kind))
  const [, second] = [...own, ...['hiera3_backend'].filter((key) => entry.has(key))]
  if (second !== undefined)
    failAtConfigNode(getChildPlace(place, second), hieraIssues.LOOKUP_HIERA_MULTIPLE_DATA_PROVIDER_FUNCTIONS, { name })
  if (entry.has('hiera3_backend'))
    failAtConfigNode(getChildPlace(place, 'hiera3_backend'), hieraIssues.LOOKUP_HIERA_V3_BACKEND_NOT_SUPPORTED, {
      name,
    })
  const kind = own[0] ?? functionKinds.find((each) => defaults.has(each))
  if (!kind) return failAtConfigNode(place, hieraIssues.LOOKUP_HIERA_MISSING_DATA_PROVIDER_FUNCTION, { name })
  const key = findReservedOption(entry)
  if (key !== undefined)
    failAtConfigNode(getChildPlace(place, 'options', key), hieraIssues.LOOKUP_HIERA_OPTION_RESERVED_BY_PUPPET, {
      key,
      name,
    })
  return {
    name,
    kind,
    functionName: ((own[0] ? entry : defaults).get(kind) ?? '') as string,
    datadir: (entry.get('datadir') ?? defaults.get('datadir') ?? 'data') as string,
    locations: parseLocations(entry, name, place),
    options: ((entry.get('options') ?? defaults.get('options')) as Hash | undefined) ?? Hash.empty,
  }
}

const locationKeys = ['path', 'paths', 'glob', 'globs', 'uri', 'uris', 'mapped_paths']

function parseLocations(entry: Hash, name: string, place: ConfigPlace): Locations {
  const [key, second] = locationKeys.filter((each) => entry.has(each))
  if (key === undefined) return { kind: 'none' }
  if (second !== undefined)
    failAtConfigNode(getChildPlace(place, second), hieraIssues.LOOKUP_HIERA_MULTIPLE_LOCATION_SPECS, { name })
  const given = entry.get(key) as string | readonly string[]
  const values = typeof given === 'string' ? [given] : given
  if (key === 'mapped_paths') {
    const [variable = '', variableName = '', template = ''] = values
    return { kind: 'mapped', variable, name: variableName, template }
  }
  return { kind: `${key.replace(/s$/, '')}s` as 'paths' | 'globs' | 'uris', values }
}
