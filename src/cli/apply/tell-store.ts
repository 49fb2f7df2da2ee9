import { fail } from '../../base/issue.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { issues } from '../../model/indirector/issues.ts'
import type { Log } from '../../node/agent/log.ts'
import { type StoreBeside, withStoreBeside } from '../../store/beside.ts'
import { Recorder } from '../../store/recording/recorder.ts'

/** Tells the store that the settings name. Throws TERMINUS_WITHOUT_STORE, and why the store did not take it. */
export async function tellStore(
  what: string,
  { settings, log }: { readonly settings: Settings; readonly log: Log },
  work: (recorder: Recorder) => Promise<void>,
): Promise<void> {
  const tell = async (store: StoreBeside): Promise<true> => {
    const recorder = new Recorder({
      store: settings.store === 'puppetdb' ? saying(store, log) : store,
      producer: settings.node_name_value,
      failing: true,
      now: Date.now,
      say: (level, message) => log[level === 'warn' ? 'warning' : level](message),
    })
    await work(recorder)
    return true
  }
  const isTold = await withStoreBeside(settings, 'tell', tell, (message) => log.warning(message))
  if (!isTold) fail(issues.TERMINUS_WITHOUT_STORE, { what })
}

/** A PuppetDB whose UUIDs are logged, as its terminus does. */
function saying(store: StoreBeside, log: Log): Pick<StoreBeside, 'submit' | 'includesUnchanged'> {
  return {
    includesUnchanged: store.includesUnchanged ?? false,
    async submit(command, processed) {
      const uuid = await store.submit(command, processed)
      const name = command.name.replaceAll(' ', '_')
      if (uuid !== undefined)
        log.info(`'${name}' command for ${command.certname} submitted to PuppetDB with UUID ${uuid}`)
      return uuid
    },
  }
}
