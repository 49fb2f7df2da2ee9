import { throwIssue } from '../../base/issue.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { indirectorIssues } from '../../model/indirector/issues.ts'
import type { Log } from '../../node/agent/log.ts'
import { type DirectStore, withDirectStore } from '../../store/direct-store.ts'
import { StoreRecorder } from '../../store/recording/recorder.ts'

/** Calls `work` with a recorder for the configured store. Throws TERMINUS_WITHOUT_STORE, and errors from the store. */
export async function withStoreRecorder(
  what: string,
  { settings, log }: { readonly settings: Settings; readonly log: Log },
  work: (recorder: StoreRecorder) => Promise<void>,
): Promise<void> {
  const recordInStore = async (store: DirectStore): Promise<true> => {
    const recorder = new StoreRecorder({
      store: settings.store === 'puppetdb' ? createLoggingStore(store, log) : store,
      producer: settings.node_name_value,
      failing: true,
      now: Date.now,
      say: (level, message) => log[level === 'warn' ? 'warning' : level](message),
    })
    await work(recorder)
    return true
  }
  const isTold = await withDirectStore(settings, 'tell', recordInStore, (message) => log.warning(message))
  if (!isTold) throwIssue(indirectorIssues.TERMINUS_WITHOUT_STORE, { what })
}

/** A PuppetDB store that logs the UUIDs of commands, like PuppetDB's terminus. */
function createLoggingStore(store: DirectStore, log: Log): Pick<DirectStore, 'submit' | 'includesUnchanged'> {
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
