import { join } from 'node:path'
import { type ExactJson, isExactObject } from '../../base/json/exact-json.ts'
import { parseJson, printJson } from '../../base/json/json-text.ts'
import type { Json } from '../../base/json/wire.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import type { Files } from '../../machine/system/system.ts'
import { NodeRuby } from '../../ruby/node/node-ruby.ts'
import type { RubyAhead } from '../../ruby/node/ruby-ahead.ts'
import { ownVariables } from '../../ruby/node/variables.ts'
import type { FactValues } from './fact.ts'
import type { FactLevel, FactLog } from './log.ts'

/** The Ruby that a node's modules bring, and what its facts may ask of us. */
export interface RubyOfFacts {
  /** Folders like `lib` of a module: their `facter/*.rb` are facts, all else may be required. */
  readonly loadPath: readonly string[]
  /** Folders whose files are facts. */
  readonly folders: readonly string[]
  /** The values of `Puppet[:…]`. */
  readonly settings: Readonly<Record<string, Json>>
  readonly debug: boolean
  readonly trace: boolean
  /** The end of the time that it has: the moment, in milliseconds of Unix time, and that it has come. */
  readonly end?: { readonly at: number; readonly signal: AbortSignal } | undefined
  /** A thread that was begun ahead. */
  readonly ahead?: RubyAhead | undefined
  /** Default providers by type, which stdlib has facts of. */
  providers?(core: FactValues): Promise<Readonly<Record<string, string>>>
}

/** A fact of a file or of the environment, to Ruby: a heavier one wins. */
export type GivenFact = readonly [name: string, value: ExactJson, weight: number]

/** Weights of facts that are not core ones, as Facter has them. */
export const weights = { added: 0, file: 10_000, environment: 1_000_000 } as const

/** Facts that those in Ruby are collected beside, and the listener to their messages. */
export interface RubyOrder {
  readonly core: FactValues
  readonly given: readonly GivenFact[]
  readonly blocked: readonly string[]
  readonly queries: readonly string[]
  readonly log: FactLog
}

/** Facts by name, `null` of those without a value, and the seconds that each took. */
export interface RubyFacts {
  readonly values: FactValues
  readonly seconds: Readonly<Record<string, number>>
}

/** True where there is a file of facts in Ruby. */
export async function hasRubyFacts(
  files: Pick<Files, 'list'>,
  { loadPath, folders }: Pick<RubyOfFacts, 'loadPath' | 'folders'>,
): Promise<boolean> {
  const byVariable = (process.env['FACTERLIB'] ?? '').split(':').filter(Boolean)
  for (const folder of [...loadPath.map((path) => join(path, 'facter')), ...folders, ...byVariable])
    if ((await files.list(folder))?.some((name) => name.endsWith('.rb')) === true) return true
  return false
}

/** The facts in Ruby, together with those that are given. Where Ruby itself fails, only those. Throws at its end. */
export async function rubyFacts(
  ruby: RubyOfFacts,
  { core, given, blocked, queries, log }: RubyOrder,
): Promise<RubyFacts> {
  const { loadPath, folders, settings, debug, trace, end } = ruby
  const options = {
    root: '',
    settings,
    facts: {},
    loadPath,
    env: ownVariables(),
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
    const order = printJson({ core, given, blocked, queries, folders, trace, providers })
    const answer = parseJson(String(await machine.call('collect_facts', [order])))
    if (isExactObject(answer) && !(answer instanceof Map)) return answer as unknown as RubyFacts
    throw new Error('it answers no facts')
  } catch (error) {
    if (end?.signal.aborted) throw error
    log('error', `Could not find the facts in Ruby: ${errorText(error)}`)
    return { values: heaviest(given), seconds: {} }
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

/** Of facts of the same name, the first of the heaviest. */
export function heaviest(given: readonly GivenFact[]): FactValues {
  const found = new Map<string, GivenFact>()
  for (const fact of given) {
    const [name, value, weight] = fact
    if (value !== null && weight > (found.get(name)?.[2] ?? Number.NEGATIVE_INFINITY)) found.set(name, fact)
  }
  return Object.fromEntries(Array.from(found.values(), ([name, value]) => [name, value]))
}
