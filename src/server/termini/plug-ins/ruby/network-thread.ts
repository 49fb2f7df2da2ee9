import { offerBridge } from '../../../../base/threads/bridge-thread.ts'
import { openThreadBridge } from '../../../../base/threads/thread-bridge.ts'
import { runNetworkRequest } from './network.ts'

// Performs DNS and HTTP requests for the plug-in thread, which blocks meanwhile.
void offerBridge(() => openThreadBridge((question: string) => runNetworkRequest(question)))
