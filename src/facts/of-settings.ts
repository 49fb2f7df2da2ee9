import { join } from 'node:path'
import { puppetVersion } from '../base/puppet-version.ts'
import type { Settings } from '../settings/settings.ts'
import type { System } from '../system/system.ts'
import { collectFacts } from './collect.ts'
import type { FactValues } from './fact.ts'
import { readFacterConf } from './facter-conf.ts'
import type { FactLog } from './log.ts'

/** The facts that Puppet adds to those of the machine. */
export const puppetFacts: FactValues = { puppetversion: puppetVersion }

/** The folder in which facts are kept for a time, where facter.conf says so. */
export const cacheFolderOf = ({ vardir }: Pick<Settings, 'vardir'>): string => join(vardir, 'cached_facts')

/** All facts of this machine for a run, with the plug-ins' external ones, as facter.conf and the settings say. */
export async function factsOfNode(
  system: System,
  settings: Settings,
  { legacy, log }: { readonly legacy: boolean; readonly log: FactLog },
): Promise<FactValues> {
  const conf = await readFacterConf(system.files, undefined, log)
  return collectFacts(system, {
    factDirectories: [settings.pluginfactdest],
    ...(conf.externalDirectories.length > 0 && { externalDirectories: conf.externalDirectories }),
    legacy,
    log,
    conf,
    cacheFolder: cacheFolderOf(settings),
    added: puppetFacts,
  })
}
