import { fail } from '../../base/issue.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { issues } from '../../model/indirector/issues.ts'
import type { Log } from '../../node/agent/log.ts'
import { type StoreBeside, withStoreBeside } from '../../store/beside.ts'
import { Recorder } from '../../store/recording/recorder.ts'

/** Calls `work` with a recorder for the configured store. Throws TERMINUS_WITHOUT_STORE, and errors from the store. */
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

/** A PuppetDB store that logs the UUIDs of commands, like PuppetDB's terminus. */
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
