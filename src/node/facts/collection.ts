import { homedir } from 'node:os'
import { type ExactJson, isExactObject } from '../../base/json/exact-json.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { System } from '../../machine/system/system.ts'
import { isWindows, toSlashes } from '../../machine/windows/machine-path.ts'
import { isPrivileged } from '../../machine/windows/privilege.ts'
import { readEnvironmentFacts } from './environment-facts.ts'
import { type ExternalFact, readExternalFacts } from './external.ts'
import type { FactSource, FactValues } from './fact.ts'
import { type FactCache, openFactCache } from './fact-cache.ts'
import { type FacterConf, isBlocked, listBlockedNames, noConf } from './facter-conf.ts'
import { collectLegacyFacts, getStructuredPath, isLegacyName } from './legacy.ts'
import type { FactLog } from './log.ts'
import { createMachine, type Machine } from './machine.ts'
import {
  collectRubyFacts,
  hasRubyFacts,
  type RubyFactOptions,
  selectHeaviestFacts,
  type WeightedFact,
  weights,
} from './ruby-facts.ts'
import { sources } from './sources.ts'
import { listWindowsFactFolders } from './windows-folders.ts'

/** Options for collecting facts. */
export interface CollectOptions {
  /**
   * Folders of external facts in addition to the standard folders. Facts in the standard folders
   * take precedence.
   */
  readonly factDirectories: readonly string[]
  readonly legacy: boolean
  readonly log: FactLog
  readonly conf?: FacterConf
  /** The folder of the fact cache, used if facter.conf sets a time to live. */
  readonly cacheFolder?: string
  /**
   * Folders that replace the standard folders. If empty, neither external facts nor facts from the
   * environment are collected.
   */
  readonly externalDirectories?: readonly string[]
  /** Names and paths of the requested facts; empty or undefined for all facts. */
  readonly queries?: readonly string[]
  /** Called with the time in seconds that each fact took. */
  readonly timing?: (name: string, seconds: number) => void
  /** Facts added by the caller; external facts override them. */
  readonly added?: FactValues
  /** Ruby code of modules with facts; undefined for no Ruby facts. */
  readonly ruby?: RubyFactOptions | undefined
  /** Sources of core facts. Default: all sources for the kernel of the machine. */
  readonly sources?: readonly FactSource[]
  /** All core facts, if their collection was started before. */
  readonly core?: Promise<CoreFacts>
}

/** Core facts by dotted name. */
export type CoreFacts = ReadonlyMap<string, ExactJson>

/** All facts of this machine by name. External facts override core facts; environment facts override both. */
export async function collectFacts(system: System, options: CollectOptions): Promise<FactValues> {
  return (await collectAllFacts(createMachine(system), options)).values
}

/** The facts of a machine, with the names that can be queried. */
export interface Collection {
  readonly values: FactValues
  statusOf(query: string): QueryStatus
}

/** The result of a query: `empty` if the fact exists but has no value here, `unknown` if no fact has this name. */
export type QueryStatus = 'found' | 'empty' | 'unknown'

/** Collects the facts of a machine. */
export async function collectAllFacts(machine: Machine, options: CollectOptions): Promise<Collection> {
  const { conf = noConf, log, queries = [] } = options
  const blocked = listBlockedNames(conf)
  const cache = selectFactCache(machine, options)
  if (conf.blocklist.length > 0) log('debug', `blocking collection of ${conf.blocklist.join(' ')} facts`)
  const own = options.sources ?? sources[machine.kernel] ?? []
  const names = own.flatMap((source) => source.names)
  const ruby = options.ruby && (await hasRubyFacts(machine.files, options.ruby)) ? options.ruby : undefined
  const isAll =
    ruby !== undefined ||
    queries.length === 0 ||
    !queries.every((query) => names.some((name) => isQueryPart(query, name)))
  const wanted = isAll
    ? own
    : own.filter((source) => queries.some((query) => source.names.some((name) => isQueryPart(query, name))))
  const given = await collectAddedFacts(machine, { ...options, blocked, cache })
  const core = await (options.core ?? collectSourceFacts(machine, wanted, { ...options, blocked, cache }))
  const structured = toFactTree(core)
  const isLegacyWanted = options.legacy || (isAll && (ruby !== undefined || queries.length > 0))
  const legacy =
    isLegacyWanted && !conf.blocklist.includes('legacy')
      ? removeBlockedFacts(await collectLegacyFacts(machine, structured), blocked)
      : {}
  const facts = given.facts.filter(([name]) => !isBlocked(name, blocked))
  const order = { core: { ...structured, ...legacy }, given: facts, blocked, queries, log }
  const named = ruby ? await collectRubyFacts(ruby, order) : { values: selectHeaviestFacts(facts), seconds: {} }
  for (const [name, seconds] of Object.entries(named.seconds)) options.timing?.(name, seconds)
  const values: Record<string, ExactJson> = { ...structured, ...(options.legacy || queries.length > 0 ? legacy : {}) }
  for (const [name, value] of Object.entries(named.values))
    if (value !== null) addFact(values, name, value, conf.dotted, log)
  await cache?.write(listCacheEntries(cache, core, legacy, given.files))
  const loaded = new Set([...names.filter((name) => !isBlocked(name, blocked)), ...Object.keys(named.values)])
  const isLegacyLoaded = (name: string) =>
    isLegacyName(name) && !isBlocked(name, blocked) && !isBlocked(getStructuredPath(name) ?? name, blocked)
  const hasValue = (name: string) => core.has(name) || Object.hasOwn(values, name) || Object.hasOwn(named.values, name)
  return { values, statusOf: (query) => getQueryStatus(query, loaded, isLegacyLoaded, hasValue) }
}

function selectFactCache(
  machine: Machine,
  { cacheFolder, conf = noConf, log }: Pick<CollectOptions, 'cacheFolder' | 'conf' | 'log'>,
): FactCache | undefined {
  return cacheFolder === undefined || Object.keys(conf.ttls).length === 0
    ? undefined
    : openFactCache(machine, cacheFolder, conf, log)
}

/**
 * The result of a query. Facter uses the longest prefix of the path that names a fact:
 * parsers/query_parser.rb
 */
function getQueryStatus(
  query: string,
  loaded: ReadonlySet<string>,
  isLegacyLoaded: (name: string) => boolean,
  hasValue: (name: string) => boolean,
): QueryStatus {
  const words = query.split('.')
  for (let length = words.length; length > 0; length--) {
    const path = words.slice(0, length).join('.')
    const matching = [...loaded].filter((name) => name === path || name.startsWith(`${path}.`))
    if (isLegacyLoaded(path)) matching.push(path)
    if (matching.length > 0) return matching.some(hasValue) ? 'found' : 'empty'
  }
  return 'unknown'
}

/** True if a query is a fact's name, a path inside the fact, or the name of a structure that contains the fact. */
const isQueryPart = (query: string, name: string): boolean =>
  query === name || name.startsWith(`${query}.`) || query.startsWith(`${name}.`)

interface CoreOptions extends CollectOptions {
  readonly blocked: readonly string[]
  readonly cache: FactCache | undefined
}

/** All core facts of a machine. */
export function collectCoreFacts(
  machine: Machine,
  options: Pick<CollectOptions, 'conf' | 'cacheFolder' | 'log' | 'timing'>,
): Promise<CoreFacts> {
  const blocked = listBlockedNames(options.conf ?? noConf)
  return collectSourceFacts(machine, sources[machine.kernel] ?? [], {
    ...options,
    blocked,
    cache: selectFactCache(machine, options),
  })
}

/** Facts of several sources, collected in parallel. */
async function collectSourceFacts(
  machine: Machine,
  own: readonly FactSource[],
  options: Pick<CoreOptions, 'blocked' | 'cache' | 'log' | 'timing'>,
): Promise<CoreFacts> {
  const { blocked, cache, log, timing } = options
  const found = new Map<string, ExactJson>()
  const answers = await Promise.all(
    own.map(async (source) => {
      const wanted = source.names.filter((name) => !isBlocked(name, blocked))
      if (wanted.length === 0) return {}
      const started = performance.now()
      const fresh = await readFreshFacts(wanted, cache)
      const all = wanted.every((name) => fresh.has(name)) ? {} : await findSourceFacts(source, machine, log)
      for (const [index, name] of wanted.entries())
        timing?.(name, index === 0 ? (performance.now() - started) / 1000 : 0)
      return Object.fromEntries(wanted.map((name) => [name, fresh.get(name) ?? all[name]]))
    }),
  )
  for (const answer of answers)
    for (const [name, value] of Object.entries(answer)) if (value !== undefined) found.set(name, value)
  return found
}

async function findSourceFacts(source: FactSource, machine: Machine, log: FactLog) {
  try {
    return await source.find(machine)
  } catch (error) {
    log('error', formatError(error), 'Facter::InternalFactManager')
    return {}
  }
}

/** Cached facts that have not expired. */
async function readFreshFacts(
  wanted: readonly string[],
  cache: FactCache | undefined,
): Promise<ReadonlyMap<string, ExactJson>> {
  const found = new Map<string, ExactJson>()
  for (const name of wanted) {
    const group = cache?.groupOf(name)
    const value = group === undefined ? undefined : (await cache?.read(group))?.[name]
    if (value !== undefined) found.set(name, value)
  }
  return found
}

function* listCacheEntries(
  cache: FactCache,
  core: ReadonlyMap<string, ExactJson>,
  legacy: FactValues,
  files: readonly ExternalFact[],
) {
  for (const [name, value] of [...core, ...Object.entries(legacy)]) {
    const group = cache.groupOf(name)
    if (group !== undefined) yield [group, name, value] as const
  }
  for (const { name, value, file } of files) {
    const group = cache.groupOf(file)
    if (group !== undefined) yield [group, name, value] as const
  }
}

/** Facts from three sources: the caller, fact files, and environment variables. */
async function collectAddedFacts(machine: Machine, options: CoreOptions) {
  const {
    factDirectories,
    externalDirectories = listStandardDirectories(),
    blocked,
    cache,
    log,
    timing,
    added = {},
  } = options
  const directories = [...new Set([...externalDirectories, ...factDirectories])]
  const files = await readExternalFacts(machine, {
    directories,
    blocked,
    log,
    ...(cache && { cache }),
    ...(timing && { timing }),
  })
  const fromEnvironment = Object.entries(readEnvironmentFacts(machine.variables, log))
  const facts: readonly WeightedFact[] = [
    ...Object.entries(added).map(([name, value]) => [name, value, weights.added] as const),
    ...files.map(({ name, value }) => [name, value, weights.file] as const),
    ...fromEnvironment.map(([name, value]) => [name, value, weights.environment] as const),
  ]
  return { files, facts }
}

/** Folders of external facts of root. */
export const standardDirectories: readonly string[] = [
  ...['/etc/puppetlabs/facter/facts.d', '/etc/facter/facts.d', '/opt/puppetlabs/facter/facts.d'],
  '/etc/plumb/facts.d',
]

/** Default folders of external facts of the current user. */
export function listStandardDirectories(): readonly string[] {
  if (isPrivileged()) return isWindows ? [listWindowsFactFolders(process.env).facts] : standardDirectories
  const home = isWindows ? toSlashes(homedir()) : homedir()
  return [`${home}/.facter/facts.d`, `${home}/.puppetlabs/opt/facter/facts.d`, `${home}/.plumb/facts.d`]
}

/** Converts facts with dotted names to nested hashes. */
function toFactTree(facts: ReadonlyMap<string, ExactJson>): Record<string, ExactJson> {
  const tree: Record<string, ExactJson> = {}
  for (const [name, value] of facts) setAtPath(tree, name.split('.'), value)
  return tree
}

type Tree = Record<string, ExactJson>

/** Sets a value at a path. False if a part of the path is not a hash. */
function setAtPath(tree: Tree, [first = '', ...rest]: readonly string[], value: ExactJson): boolean {
  if (rest.length === 0) {
    tree[first] = value
    return true
  }
  const inner = tree[first]
  if (inner !== undefined && (!isExactObject(inner) || inner instanceof Map)) return false
  const copy = { ...inner } as Tree
  if (!setAtPath(copy, rest, value)) return false
  tree[first] = copy
  return true
}

/**
 * Adds a custom or external fact, which replaces a core fact. With `dotted`, a name with dots sets
 * a member of a hash.
 */
function addFact(values: Tree, name: string, value: ExactJson, dotted: boolean, log: FactLog): void {
  if (!dotted || !name.includes('.')) values[name] = value
  else if (!setAtPath(values, name.split('.'), value)) {
    const root = name.split('.')[0]
    const why = `The format of this fact is incompatible with other facts that belong to \`${root}\` group`
    log('error', `Custom fact \`${name}\` cannot be added to collection. ${why}`, 'Facter::FactCollection')
  }
}

const removeBlockedFacts = (legacy: FactValues, blocked: readonly string[]): FactValues =>
  Object.fromEntries(Object.entries(legacy).filter(([name]) => !blocked.some((each) => name.startsWith(each))))
