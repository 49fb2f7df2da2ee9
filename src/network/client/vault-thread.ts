import { offerBridge } from '../../base/threads/bridge-thread.ts'
import { type VaultRequestSettings, VaultRequests } from './vault-requests.ts'

// Sends requests to Vault for the parent thread, which waits for each response.
void offerBridge((settings: VaultRequestSettings) => new VaultRequests(settings).bridge())
