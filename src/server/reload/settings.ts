import type { Logger } from 'pino'
import type { LiveSettings } from '../../machine/settings/live-settings.ts'
import { formatSetting } from '../../machine/settings/settings.ts'
import { toPinoLevel } from '../logger.ts'
import type { Reloadable } from '../reloader.ts'

/** Applies settings that can change at runtime, and logs those that need a restart. */
export function createSettingsReload(live: LiveSettings, log: Logger): Reloadable {
  return {
    prepare: async (next) => () => {
      const { taken, waiting } = live.take(next)
      log.level = toPinoLevel(live.settings.log_level)
      for (const name of taken) log.info(`The setting ${name} is now '${formatSetting(live.settings, name)}'`)
      for (const name of waiting)
        log.warn(
          `The setting ${name} has changed to '${formatSetting(next, name)}'; restart the server to apply it (current value: '${formatSetting(live.settings, name)}')`,
        )
    },
  }
}
