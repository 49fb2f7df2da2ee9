import { printSetting, type SettingName, type Settings } from './settings.ts'

/** Settings that are secrets: code may be anybody's who may push. */
const secrets: ReadonlySet<SettingName> = new Set(['ldappassword'])

/** Settings without those that are secrets. */
export function withoutSecrets(settings: Settings): Partial<Settings> {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !secrets.has(name as SettingName)))
}

/**
 * Variables of `$settings::`: every setting, as puppet.conf would say it; flags and numbers as such. The files that keep what
 * nodes export are ours; manifests see what Puppet has by default. Puppet: defaults.rb.
 */
export function publicSettings(settings: Settings): Readonly<Record<string, string | number | boolean>> {
  const names = Object.keys(withoutSecrets(settings)) as SettingName[]
  const printed = Object.fromEntries(
    names.map((name) => {
      const value: unknown = settings[name]
      return [name, typeof value === 'boolean' || typeof value === 'number' ? value : printSetting(settings, name)]
    }),
  )
  return settings.storeconfigs_backend === 'json' ? { ...printed, storeconfigs_backend: 'puppetdb' } : printed
}
