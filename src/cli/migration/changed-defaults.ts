import type { Sections } from '../../machine/settings/puppet-conf.ts'
import { hasPuppet7Defaults, puppet7Defaults } from '../../machine/settings/puppet7.ts'
import type { MovedSetting } from './moved-settings.ts'

/**
 * Settings with the defaults of Puppet 7, for a Puppet Server before version 8 or of an unknown version. Leaves out
 * settings in `[main]` of its puppet.conf or ours.
 */
export function keptDefaults(version: string | undefined, theirs: Sections, ours: Sections): readonly MovedSetting[] {
  if (!hasPuppet7Defaults(version)) return []
  const isSet = (name: string) => theirs.get('main')?.has(name) || ours.get('main')?.has(name)
  return [...puppet7Defaults]
    .filter(([name]) => !isSet(name))
    .map(([name, value]) => ({ section: 'main', name, value, from: `default of Puppet ${version ?? 7}` }))
}

/** A note about the kept defaults; empty without any. */
export function remarkOnDefaults(version: string | undefined, kept: readonly MovedSetting[]): readonly string[] {
  if (kept.length === 0) return []
  const source =
    version === undefined ? 'The version of the Puppet Server is unknown; it is taken for 7' : `Puppet ${version}`
  const settings = kept.map(({ name, value }) => `${name} = ${value}`).join(', ')
  return [
    `${source} has other defaults than Puppet 8, and its code may depend on them. They are written to puppet.conf: ${settings}. Remove each line when the code is ready: 'plumb config delete strict --section main'.`,
  ]
}
