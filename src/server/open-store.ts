import type { ServerStore } from '../store/exports/from-settings.ts'
import { storeFrom } from '../store/from-settings.ts'
import { Recorder } from '../store/recording/recorder.ts'
import type { CodeServerParts } from './code-server.ts'

/** The store of the settings and its writer; none without one. */
export async function openStore(
  { settings, system, log }: Pick<CodeServerParts, 'settings' | 'system' | 'log'>,
  hostcrl: string,
): Promise<ServerStore | undefined> {
  const store = await storeFrom({ ...settings, hostcrl }, (level, message) => log[level](message))
  if (!store) return undefined
  const recorder = new Recorder({
    store,
    producer: settings.certname,
    shared: settings.store !== 'sqlite',
    failing: settings.store === 'puppetdb',
    now: () => system.now(),
    say: (level, message) => log[level](message),
  })
  return { store, recorder }
}
