import { settingsReload } from '../reload/settings.ts'
import { part } from './part.ts'

/** Settings that can change while the server runs. */
export const liveSettings = part('liveSettings', [], ({ live, log }) => ({ reload: settingsReload(live, log) }))
