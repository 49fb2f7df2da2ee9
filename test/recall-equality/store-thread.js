// The script of the thread that keeps exported resources: the server's own store, in SQLite, with a writer of its own.
import { parentPort, workerData } from 'node:worker_threads'
import { openThreadBridge } from '#built/base/threads/thread-bridge.js'
import { loadSettings } from '#built/machine/settings/settings.js'
import { StoredExports } from '#built/store/exports/stored-exports.js'
import { StoreRecorder } from '#built/store/recording/recorder.js'
import { openServerStore } from '#built/store/store-settings.js'

const say = (_, message) => console.error(message)
const { folder: vardir, environment } = workerData
const settings = loadSettings({ given: { confdir: '/nonexistent', vardir, store: 'sqlite' } })
const store = await openServerStore(settings, say)
const recorder = new StoreRecorder({ store, producer: 'equality', now: Date.now, say })
const exports = new StoredExports({ store, recorder, environment })

const bridge = openThreadBridge(async ({ search, certname, resources }) => {
  if (search) return exports.search(search)
  if (certname !== undefined) return exports.replace(certname, resources)
  await store.close()
  return undefined
})
parentPort?.postMessage(bridge, [bridge.port])
