import { defineIssues, throwIssue } from '../../base/issue.ts'
import { offerBridge } from '../../base/threads/bridge-thread.ts'
import { openQueryStore, type StoreSettings } from '../store-settings.ts'
import { openStoreBridge } from './store-bridge.ts'

const issues = defineIssues({
  STORE_NOT_WRITTEN: {
    text: () => 'The store does not exist yet: no server with these settings has created it',
    hint: () => "Start the server, or set 'store' and 'server_datadir' to another store.",
  },
})

// Opens a store and runs the queries of the parent thread.
void offerBridge(async (settings: StoreSettings) => {
  const store = await openQueryStore(settings, (message) => void process.stderr.write(`Warning: ${message}\n`))
  return openStoreBridge(store ?? throwIssue(issues.STORE_NOT_WRITTEN, {}))
})
