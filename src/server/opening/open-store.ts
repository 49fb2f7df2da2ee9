import type { Logger } from 'pino'
import type { Settings } from '../../machine/settings/settings.ts'
import type { System } from '../../machine/system/system.ts'
import type { ServerStore } from '../../store/exports/from-settings.ts'
import { storeFrom } from '../../store/from-settings.ts'
import { Recorder } from '../../store/recording/recorder.ts'

/** Parts of a server that its store needs. */
export interface StoreParts {
  readonly settings: Settings
  readonly system: Pick<System, 'now'>
  readonly log: Logger
}

/** The store of the settings and its writer; none without one. `hostcrl` is the file of revocation lists that counts. */
export async function openStore(
  { settings, system, log }: StoreParts,
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
