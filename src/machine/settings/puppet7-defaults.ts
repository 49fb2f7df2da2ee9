import { localFiles } from '../system/files.ts'
import { settingDefinitions } from './definitions/index.ts'
import type { SettingDefinition } from './kinds.ts'
import type { SettingName } from './settings.ts'

/** Settings whose default changed in Puppet 8, with the default of Puppet 7. */
export const puppet7Defaults: ReadonlyMap<SettingName, string> = new Map(
  Object.entries(settingDefinitions as Readonly<Record<string, SettingDefinition<unknown>>>).flatMap(
    ([name, { inVersion }]) =>
      inVersion?.puppet7 === undefined ? [] : [[name as SettingName, inVersion.puppet7] as const],
  ),
)

/** The files that contain the version of Puppet, in the packages of Puppet and OpenVox, and in Debian's package. */
const versionFiles = {
  vendor: '/opt/puppetlabs/puppet/lib/ruby/vendor_ruby/puppet/version.rb',
  debian: '/usr/lib/ruby/vendor_ruby/puppet/version.rb',
} as const

/**
 * The version of Puppet installed with a Puppet Server, given the server's conf.d; `undefined` if
 * no version is found.
 */
export async function findInstalledPuppetVersion(confD: string): Promise<string | undefined> {
  const { vendor, debian } = versionFiles
  for (const file of confD.startsWith('/etc/puppetlabs/') ? [vendor, debian] : [debian, vendor]) {
    const [, version] = /PUPPETVERSION = '(\d+\.[\d.]+)'/.exec((await localFiles.readText(file)) ?? '') ?? []
    if (version !== undefined) return version
  }
  return undefined
}

/** True if the version is below 8 or unknown: such code is assumed to depend on the defaults of Puppet 7. */
export function hasPuppet7Defaults(version: string | undefined): boolean {
  return version === undefined || Number.parseInt(version, 10) < 8
}
