import { delimiter, join } from 'node:path'
import { type ExactJson, isExactObject } from '../../base/json/exact-json.ts'
import type { Json } from '../../base/json/json-checks.ts'
import { formatExactJson, parseJson } from '../../base/json/json-text.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Files } from '../../machine/system/system.ts'
import { isWindows, toSlashes } from '../../machine/windows/machine-path.ts'
import { socketScript } from '../../network/sockets/socket-script.ts'
import { findNativeRuby } from '../../ruby/native/native-ruby-settings.ts'
import { getProcessEnvironment } from '../../ruby/node/environment-variables.ts'
import { NodeRuby } from '../../ruby/node/node-ruby.ts'
import type { RubyPreload } from '../../ruby/node/ruby-preload.ts'
import type { FactValues } from './fact.ts'
import type { FactLevel, FactLog } from './log.ts'

/** Ruby facts of a node's modules, and the data that they can read. */
export interface RubyFactOptions {
  /** Folders like a module's `lib`: `facter/*.rb` are facts; other files can be required. */
  readonly loadPath: readonly string[]
  /** Folders whose files are all facts. */
  readonly folders: readonly string[]
  /** Settings that Ruby code reads as `Puppet[:NAME]`. */
  readonly settings: Readonly<Record<string, Json>>
  readonly debug: boolean
  readonly trace: boolean
  /** The deadline in Unix milliseconds, and a signal aborted at that time. */
  readonly end?: { readonly at: number; readonly signal: AbortSignal } | undefined
  /** A Ruby thread that was started in advance. */
  readonly ahead?: RubyPreload | undefined
  /** Default providers by type, for facts of stdlib. */
  providers?(core: FactValues): Promise<Readonly<Record<string, string>>>
}

/** A fact from a file or the environment, passed to Ruby; the highest weight wins. */
export type WeightedFact = readonly [name: string, value: ExactJson, weight: number]

/** Weights of added and external facts, as in Facter. */
export const weights = { added: 0, file: 10_000, environment: 1_000_000 } as const

/** Existing facts for the collection in Ruby, and the listener for messages. */
export interface RubyOrder {
  readonly core: FactValues
  readonly given: readonly WeightedFact[]
  readonly blocked: readonly string[]
  readonly queries: readonly string[]
  readonly log: FactLog
}

/** Facts by name (`null` for facts without a value), and the seconds that each took. */
export interface RubyFacts {
  readonly values: FactValues
  readonly seconds: Readonly<Record<string, number>>
}

/** True if the folders contain a Ruby file with facts. */
export async function hasRubyFacts(
  files: Pick<Files, 'list'>,
  { loadPath, folders }: Pick<RubyFactOptions, 'loadPath' | 'folders'>,
): Promise<boolean> {
  for (const folder of [...loadPath.map((path) => join(path, 'facter')), ...folders, ...listVariableFolders()])
    if ((await files.list(folder))?.some((name) => name.endsWith('.rb')) === true) return true
  return false
}

/** Folders in the variable FACTERLIB. */
const listVariableFolders = (): readonly string[] => (process.env['FACTERLIB'] ?? '').split(delimiter).filter(Boolean)

/** Folders as Ruby sees them, which splits FACTERLIB only by colons and has no backslashes in paths. */
const toRubyFolders = (folders: readonly string[]): readonly string[] =>
  isWindows ? [...listVariableFolders(), ...folders].map(toSlashes) : folders

/** The Ruby facts together with the given facts. If Ruby itself fails, only the given facts. Throws at the deadline. */
export async function collectRubyFacts(
  ruby: RubyFactOptions,
  { core, given, blocked, queries, log }: RubyOrder,
): Promise<RubyFacts> {
  const { loadPath, folders, settings, debug, trace, end } = ruby
  const options = {
    root: '',
    settings,
    facts: {},
    loadPath,
    socketScript,
    nativeRuby: findNativeRuby(settings),
    env: getProcessEnvironment(),
    cwd: process.cwd(),
    debug,
    ...(end && { deadline: end.at }),
  }
  const machine = new NodeRuby(
    options,
    ({ level, message, source }) => log(levels[level] ?? 'info', message, source),
    undefined,
    end?.signal,
    ruby.ahead,
  )
  try {
    const providers = (await ruby.providers?.(core)) ?? {}
    const order = formatExactJson({ core, given, blocked, queries, folders: toRubyFolders(folders), trace, providers })
    const answer = parseJson(String(await machine.call('collect_facts', [order])))
    if (isExactObject(answer) && !(answer instanceof Map)) return answer as unknown as RubyFacts
    throw new Error('it returns no facts')
  } catch (error) {
    if (end?.signal.aborted) throw error
    log('error', `Could not collect custom facts in Ruby: ${formatError(error)}`)
    return { values: selectHeaviestFacts(given), seconds: {} }
  } finally {
    await machine.close()
  }
}

const levels: Readonly<Record<string, FactLevel>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warn: 'warn',
  warning: 'warn',
  error: 'error',
  err: 'error',
}

/** The fact with the highest weight for each name; among facts of equal weight, the first. */
export function selectHeaviestFacts(given: readonly WeightedFact[]): FactValues {
  const found = new Map<string, WeightedFact>()
  for (const fact of given) {
    const [name, value, weight] = fact
    if (value !== null && weight > (found.get(name)?.[2] ?? Number.NEGATIVE_INFINITY)) found.set(name, fact)
  }
  return Object.fromEntries(Array.from(found.values(), ([name, value]) => [name, value]))
}
