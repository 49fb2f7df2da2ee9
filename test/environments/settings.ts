import { loadSettings, type Settings } from '../../src/settings/settings.ts'

/** Settings of a test's own; nothing of this machine's configuration. */
export function testSettings(given: Readonly<Record<string, string>> = {}): Settings {
  return loadSettings({
    given: { environmentpath: '/etc/plumb/code/environments', basemodulepath: '/nonexistent', ...given },
    env: { PLUMB_CONFDIR: '/nonexistent/plumb', PLUMB_VARDIR: '/nonexistent/plumb', HOME: '/nonexistent' },
  })
}
