import { type Settings, type SettingsSource, settingOrigins } from './settings.ts'

/** The environment set on the command line or in puppet.conf; undefined if the default applies. */
export function specifiedEnvironment(
  { environment }: Pick<Settings, 'environment'>,
  source: SettingsSource,
): string | undefined {
  return settingOrigins(source).environment === 'default' ? undefined : environment
}
