import { createSettingsReload } from '../reload/settings.ts'
import { definePart } from './part.ts'

/** Settings that can change while the server runs. */
export const liveSettingsPart = definePart('liveSettings', [], ({ live, log }) => ({
  reload: createSettingsReload(live, log),
}))
