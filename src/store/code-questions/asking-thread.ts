import { offerBridge } from '../../base/bridge-from-thread.ts'
import { type StoreSettings, storeToAsk } from '../from-settings.ts'
import { openStoreBridge } from './store-bridge.ts'

// Opens a store, and answers the questions of the thread that started this one.
await offerBridge(async (settings: StoreSettings) => {
  const store = await storeToAsk(settings, (message) => void process.stderr.write(`Warning: ${message}\n`))
  return openStoreBridge(store!)
})
