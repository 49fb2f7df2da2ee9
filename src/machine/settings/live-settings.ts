import { definitions } from './definitions/index.ts'
import type { Definition } from './kinds.ts'
import { printSetting, type SettingName, type Settings } from './settings.ts'

/** Settings of a process that takes some of them anew while it runs. */
export interface LiveSettings {
  /** The values that hold at the moment of reading: of those that are not live the ones of the start. */
  readonly settings: Settings
  /** Takes what can be taken of other values, and tells of it. */
  take(next: Settings): SettingsChange
}

/** Settings whose value has changed. */
export interface SettingsChange {
  /** Those whose new value holds from now on. */
  readonly taken: readonly SettingName[]
  /** Those whose new value wants a restart. */
  readonly waiting: readonly SettingName[]
}

const names = Object.keys(definitions) as SettingName[]
const live: ReadonlySet<SettingName> = new Set(names.filter((name) => (definitions[name] as Definition<unknown>).live))

/** The settings of a start, and a way to take others. */
export function liveSettings(start: Settings): LiveSettings {
  let current = start
  const read = (name: SettingName) => ({ enumerable: true, get: () => (live.has(name) ? current[name] : start[name]) })
  const properties = Object.fromEntries(names.map((name) => [name, read(name)]))
  return {
    settings: Object.freeze(Object.defineProperties({}, properties)) as Settings,
    take(next) {
      const differs = (from: Settings) => (name: SettingName) => printSetting(from, name) !== printSetting(next, name)
      const taken = names.filter((name) => live.has(name)).filter(differs(current))
      const waiting = names.filter((name) => !live.has(name)).filter(differs(start))
      current = next
      return { taken, waiting }
    },
  }
}
