import type { Sections } from '../../machine/settings/puppet-conf.ts'
import { hasPuppet7Defaults, puppet7Defaults } from '../../machine/settings/puppet7-defaults.ts'
import type { MovedSetting } from './setting-migration.ts'

/**
 * Settings with the defaults of Puppet 7, for a Puppet Server before version 8 or of an unknown version. Omits settings
 * that are set in `[main]` of the old or new puppet.conf.
 */
export function listKeptDefaults(
  version: string | undefined,
  theirs: Sections,
  ours: Sections,
): readonly MovedSetting[] {
  if (!hasPuppet7Defaults(version)) return []
  const isSet = (name: string) => theirs.get('main')?.has(name) || ours.get('main')?.has(name)
  return [...puppet7Defaults]
    .filter(([name]) => !isSet(name))
    .map(([name, value]) => ({ section: 'main', name, value, from: `default of Puppet ${version ?? 7}` }))
}

/** A note about the kept defaults; empty if there are none. */
export function describeKeptDefaults(version: string | undefined, kept: readonly MovedSetting[]): readonly string[] {
  if (kept.length === 0) return []
  const source =
    version === undefined ? 'The version of the Puppet Server is unknown and assumed to be 7. It' : `Puppet ${version}`
  const settings = kept.map(({ name, value }) => `${name} = ${value}`).join(', ')
  return [
    `${source} has different defaults than Puppet 8, on which its code may depend. They are written to puppet.conf: ${settings}. Remove each line when the code is ready: 'plumb config delete strict --section main'.`,
  ]
}
