import { printSetting, type SettingName, type Settings } from './settings.ts'

/** Secret settings, hidden from code, because anyone with push access can write code. */
const secrets: ReadonlySet<SettingName> = new Set(['ldappassword'])

/** The settings without secrets. */
export function withoutSecrets(settings: Settings): Partial<Settings> {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !secrets.has(name as SettingName)))
}

/**
 * Variables of `$settings::`: every setting as text of puppet.conf; booleans and numbers keep their
 * type. `storeconfigs_backend` never shows `json`, which Puppet does not have: manifests see Puppet's
 * default. Puppet: defaults.rb.
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
