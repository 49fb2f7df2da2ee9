import { formatSetting, type SettingName, type Settings } from './settings.ts'

/**
 * Settings with secret values: a password, or the URL of a database, which may contain one. Code cannot read them, because
 * anyone with push access can write code.
 */
const secrets: ReadonlySet<SettingName> = new Set(['ldappassword', 'store', 'store_replicas', 'ca_store'])

/** Returns the settings without the secret ones. */
export function omitSecretSettings(settings: Settings): Partial<Settings> {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !secrets.has(name as SettingName)))
}

/**
 * Variables in the namespace `$settings::`: each setting as text in the format of puppet.conf;
 * booleans and numbers keep their type. `storeconfigs_backend` is never `json`, a value that Puppet
 * does not have: manifests see Puppet's default instead. Puppet: defaults.rb.
 */
export function formatPublicSettings(settings: Settings): Readonly<Record<string, string | number | boolean>> {
  const names = Object.keys(omitSecretSettings(settings)) as SettingName[]
  const printed = Object.fromEntries(
    names.map((name) => {
      const value: unknown = settings[name]
      return [name, typeof value === 'boolean' || typeof value === 'number' ? value : formatSetting(settings, name)]
    }),
  )
  return settings.storeconfigs_backend === 'json' ? { ...printed, storeconfigs_backend: 'puppetdb' } : printed
}
