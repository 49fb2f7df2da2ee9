import { join } from 'node:path'
import { puppetVersion } from '../base/puppet-version.ts'
import { publicSettings } from '../settings/public-settings.ts'
import type { Settings } from '../settings/settings.ts'
import type { System } from '../system/system.ts'
import { collectFacts } from './collect.ts'
import type { FactValues } from './fact.ts'
import { type FacterConf, readFacterConf } from './facter-conf.ts'
import type { FactLog } from './log.ts'
import type { RubyOfFacts } from './ruby-facts.ts'

/** The facts that Puppet adds to those of the machine. */
export const puppetFacts: FactValues = { puppetversion: puppetVersion }

/** The folder in which facts are kept for a time, where facter.conf says so. */
export const cacheFolderOf = ({ vardir }: Pick<Settings, 'vardir'>): string => join(vardir, 'cached_facts')

/** Options of the facts of a node. */
export interface NodeFactsOptions {
  readonly legacy: boolean
  readonly log: FactLog
  readonly debug?: boolean
  /** Folders `lib` of modules, besides that of the plug-ins. */
  readonly libraries?: readonly string[]
  /** Default providers by type, of which modules have facts. */
  readonly providers?: RubyOfFacts['providers']
  /** The end of the time that Ruby has. */
  readonly end?: RubyOfFacts['end']
}

/** Facts of the client that Puppet itself knows. Puppet: node/facts.rb, `add_local_facts` */
export function clientFacts({ certname: clientcert, noop: clientnoop }: Settings): FactValues {
  return { clientcert, clientversion: puppetVersion, clientnoop }
}

/** All facts of this machine for a run, with those of plug-ins, as facter.conf and the settings say. */
export async function factsOfNode(system: System, settings: Settings, options: NodeFactsOptions): Promise<FactValues> {
  const { legacy, log, debug = false } = options
  const conf = await readFacterConf(system.files, undefined, log)
  const { externalDirectories, externalFacts, customFacts } = conf
  const collected = await collectFacts(system, {
    factDirectories: externalFacts === false ? [] : [settings.pluginfactdest],
    ...(externalFacts === false && { externalDirectories: [] }),
    ...(externalFacts !== false && externalDirectories.length > 0 && { externalDirectories }),
    legacy,
    log,
    conf,
    cacheFolder: cacheFolderOf(settings),
    added: puppetFacts,
    ...(customFacts !== false && { ruby: rubyOf(settings, conf, { ...options, debug, trace: settings.trace }) }),
  })
  return { ...collected, ...clientFacts(settings) }
}

/** The Ruby of the plug-ins and of some modules. */
export function rubyOf(
  settings: Settings,
  { customDirectories }: Pick<FacterConf, 'customDirectories'>,
  {
    libraries = [],
    providers,
    debug,
    trace,
    end,
  }: Omit<NodeFactsOptions, 'legacy' | 'log' | 'debug'> & { debug: boolean; trace: boolean },
): RubyOfFacts {
  const loadPath = [settings.plugindest, ...libraries]
  return {
    loadPath,
    folders: customDirectories,
    settings: publicSettings(settings),
    debug,
    trace,
    ...(providers && { providers }),
    ...(end && { end }),
  }
}
