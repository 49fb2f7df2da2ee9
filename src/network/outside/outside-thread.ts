import { offerBridge } from '../../base/threads/bridge-thread.ts'
import { OutsideRequests } from './outside-requests.ts'
import type { OutsideSettings } from './rules.ts'

// Sends DNS and HTTP requests for the parent thread.
void offerBridge((settings: OutsideSettings) => new OutsideRequests(settings).bridge())
