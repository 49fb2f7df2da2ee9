import type { ExactJson } from '../../base/json/exact-json.ts'
import { puppetVersion } from '../../base/puppet-version.ts'
import { createImplementationFact } from '../../machine/settings/compatibility.ts'
import { formatPublicSettings } from '../../machine/settings/public-settings.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { System } from '../../machine/system/system.ts'
import { collectAllFacts } from './collection.ts'
import { type EarlyFacts, startEarlyFacts } from './early-facts.ts'
import type { FactValues } from './fact.ts'
import { getCacheFolder } from './fact-cache.ts'
import type { FacterConf } from './facter-conf.ts'
import type { FactLog } from './log.ts'
import type { RubyFactOptions } from './ruby-facts.ts'

/** The facts that Puppet adds on every machine. */
export const puppetFacts: FactValues = { puppetversion: puppetVersion }

/** The fact with the environment set on the command line or in puppet.conf. Puppet: puppet.rb, `initialize_facts` */
function getEnvironmentFact(environment: string | undefined): FactValues {
  return environment === undefined ? {} : { agent_specified_environment: environment }
}

/** Options for the facts of a node. */
export interface NodeFactsOptions {
  /** The environment set on the command line or in puppet.conf. */
  readonly specifiedEnvironment?: string | undefined
  readonly legacy: boolean
  readonly log: FactLog
  readonly debug?: boolean
  /** Folders `lib` of modules, in addition to the folder of pluginsync. */
  readonly libraries?: readonly string[]
  /** Folders `facts.d` of modules, in addition to the folder of pluginsync. */
  readonly factFolders?: readonly string[]
  /** Default providers by type, for facts of modules. */
  readonly providers?: RubyFactOptions['providers']
  /** Returns a Ruby thread that was started in advance. */
  readonly ahead?: RubyFactOptions['ahead']
  /** The deadline for the facts in Ruby. */
  readonly end?: RubyFactOptions['end']
  /** Core facts whose collection was started early. */
  readonly begun?: EarlyFacts | undefined
}

/** Facts from Puppet's own data about the client. Puppet: node/facts.rb, `add_local_facts` */
export function getClientFacts({ certname: clientcert, noop: clientnoop, compatibility }: Settings): FactValues {
  return {
    ...createImplementationFact(compatibility, 'implementation'),
    clientcert,
    clientversion: puppetVersion,
    clientnoop,
  }
}

/** All facts of this machine for a run, including facts of plug-ins, as set by facter.conf and the settings. */
export async function collectNodeFacts(
  system: System,
  settings: Settings,
  options: NodeFactsOptions,
): Promise<FactValues> {
  const { legacy, log, debug = false, factFolders = [] } = options
  const { conf, machine, core, held } = options.begun ?? (await startEarlyFacts(settings, system))
  held.tell(log)
  const { externalDirectories, externalFacts, customFacts } = conf
  const { values } = await collectAllFacts(machine, {
    factDirectories: externalFacts === false ? [] : [...factFolders, settings.pluginfactdest],
    ...(externalFacts === false && { externalDirectories: [] }),
    ...(externalFacts !== false && externalDirectories.length > 0 && { externalDirectories }),
    legacy,
    log,
    conf,
    core,
    cacheFolder: getCacheFolder(settings),
    added: { ...puppetFacts, ...getEnvironmentFact(options.specifiedEnvironment) },
    ...(customFacts !== false && {
      ruby: createRubyFactOptions(settings, conf, { ...options, debug, trace: settings.trace }),
    }),
  })
  return { ...sanitizeFacts(values), ...getClientFacts(settings) }
}

/** Replaces null and undefined in facts by an empty string. Puppet: node/facts.rb, `sanitize` */
export function sanitizeFacts(values: Readonly<Record<string, ExactJson | undefined>>): FactValues {
  return replaceNull(values) as FactValues
}

function replaceNull(value: ExactJson | undefined): ExactJson {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object' || value instanceof Number) return value
  if (Array.isArray(value)) return (value as readonly ExactJson[]).map(replaceNull)
  if (value instanceof Map) return new Map(Array.from(value, ([key, each]) => [key, replaceNull(each)]))
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaceNull(each)]))
}

/** The Ruby options for facts in plug-ins and in `libraries`. */
export function createRubyFactOptions(
  settings: Settings,
  { customDirectories }: Pick<FacterConf, 'customDirectories'>,
  {
    libraries = [],
    providers,
    debug,
    trace,
    end,
    ahead,
  }: Omit<NodeFactsOptions, 'specifiedEnvironment' | 'legacy' | 'log' | 'debug' | 'begun'> & {
    debug: boolean
    trace: boolean
  },
): RubyFactOptions {
  const loadPath = [settings.plugindest, ...libraries]
  return {
    loadPath,
    folders: customDirectories,
    settings: formatPublicSettings(settings),
    debug,
    trace,
    ...(providers && { providers }),
    ...(end && { end }),
    ...(ahead && { ahead }),
  }
}
