import { localFiles } from '../system/files.ts'
import type { SettingName } from './settings.ts'

/**
 * Settings whose default Puppet 8 changed, with the default of Puppet 7, from `defaults.rb` of both. Left out is
 * `crl_refresh_interval`: Puppet 7 never fetches a revocation list again, and no code depends on that.
 */
export const puppet7Defaults: ReadonlyMap<SettingName, string> = new Map([
  ['strict', 'warning'],
  ['strict_variables', 'false'],
  ['include_legacy_facts', 'true'],
  ['exclude_unchanged_resources', 'false'],
  ['preprocess_deferred', 'true'],
  ['number_of_facts_soft_limit', '2048'],
])

/** The files with the version of Puppet: of the packages of Puppet and OpenVox, and of Debian's package. */
const versionFiles = {
  vendor: '/opt/puppetlabs/puppet/lib/ruby/vendor_ruby/puppet/version.rb',
  debian: '/usr/lib/ruby/vendor_ruby/puppet/version.rb',
} as const

/** The version of the Puppet that belongs to a Puppet Server's conf.d; `undefined` if none is found. */
export async function installedPuppetVersion(confD: string): Promise<string | undefined> {
  const { vendor, debian } = versionFiles
  for (const file of confD.startsWith('/etc/puppetlabs/') ? [vendor, debian] : [debian, vendor]) {
    const [, version] = /PUPPETVERSION = '(\d+\.[\d.]+)'/.exec((await localFiles.readText(file)) ?? '') ?? []
    if (version !== undefined) return version
  }
  return undefined
}

/** True for a version before 8 or an unknown version: code is assumed to depend on the defaults of Puppet 7. */
export function hasPuppet7Defaults(version: string | undefined): boolean {
  return version === undefined || Number.parseInt(version, 10) < 8
}
