import { offerBridge } from '../../base/threads/bridge-from-thread.ts'
import { OutsideWorld } from './outside-world.ts'
import type { OutsideSettings } from './rules.ts'

// Asks DNS and HTTP for the thread that started this one.
await offerBridge((settings: OutsideSettings) => new OutsideWorld(settings).bridge())
