import { settingDefinitions } from './definitions/index.ts'
import type { SettingDefinition } from './kinds.ts'
import { formatSetting, type SettingName, type Settings } from './settings.ts'

/** Settings of a process that can apply some new values while running. */
export interface LiveSettings {
  /** The current values. Settings that are not live keep the values from the start. */
  readonly settings: Settings
  /** Applies the new values of live settings; returns the names of all settings that changed. */
  take(next: Settings): SettingsChange
}

/** Settings whose values changed. */
export interface SettingsChange {
  /** Settings whose new values are in effect. */
  readonly taken: readonly SettingName[]
  /** Settings whose new values require a restart. */
  readonly waiting: readonly SettingName[]
}

const names = Object.keys(settingDefinitions) as SettingName[]
const live: ReadonlySet<SettingName> = new Set(
  names.filter((name) => (settingDefinitions[name] as SettingDefinition<unknown>).live),
)

/** Creates live settings with initial values. */
export function createLiveSettings(start: Settings): LiveSettings {
  let current = start
  const read = (name: SettingName) => ({ enumerable: true, get: () => (live.has(name) ? current[name] : start[name]) })
  const properties = Object.fromEntries(names.map((name) => [name, read(name)]))
  return {
    settings: Object.freeze(Object.defineProperties({}, properties)) as Settings,
    take(next) {
      const isChanged = (from: Settings) => (name: SettingName) =>
        formatSetting(from, name) !== formatSetting(next, name)
      const taken = names.filter((name) => live.has(name)).filter(isChanged(current))
      const waiting = names.filter((name) => !live.has(name)).filter(isChanged(start))
      current = next
      return { taken, waiting }
    },
  }
}
