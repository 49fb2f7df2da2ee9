import { loadSettings, type Settings } from '../../../src/machine/settings/settings.ts'

/** Settings of a test's own; nothing of this machine's configuration. */
export function testSettings(given: Readonly<Record<string, string>> = {}): Settings {
  return loadSettings({
    given: { environmentpath: '/etc/plumb/code/environments', basemodulepath: '/no-such-folder', ...given },
    env: { PLUMB_CONFDIR: '/no-such-folder/plumb', PLUMB_VARDIR: '/no-such-folder/plumb', HOME: '/no-such-folder' },
  })
}
