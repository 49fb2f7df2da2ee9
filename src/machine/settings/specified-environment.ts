import { type Settings, type SettingsSource, settingOrigins } from './settings.ts'

/** The environment that the command line or puppet.conf names; undefined if the default applies. */
export function specifiedEnvironment(
  { environment }: Pick<Settings, 'environment'>,
  source: SettingsSource,
): string | undefined {
  return settingOrigins(source).environment === 'default' ? undefined : environment
}
