import { getSettingOrigins, type Settings, type SettingsSource } from './settings.ts'

/** The environment set on the command line or in puppet.conf; undefined if the default applies. */
export function getSpecifiedEnvironment(
  { environment }: Pick<Settings, 'environment'>,
  source: SettingsSource,
): string | undefined {
  return getSettingOrigins(source).environment === 'default' ? undefined : environment
}
