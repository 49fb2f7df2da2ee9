import { offerBridge } from '../../../../base/threads/bridge-from-thread.ts'
import { openThreadBridge } from '../../../../base/threads/thread-bridge.ts'
import { askNetwork } from './network.ts'

// Asks DNS and pages for the thread of plug-ins, which stands still meanwhile.
await offerBridge(() => openThreadBridge((question: string) => askNetwork(question)))
