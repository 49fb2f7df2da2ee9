import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createBridgeCaller } from '#built/base/threads/thread-bridge.js'

/** What nodes export, in a store of its own thread, which is asked and told at once. */
export class Exported {
  #worker
  #ask
  /** Of each node, the same as the store has. */
  #known = new Map()

  async open(folder, environment) {
    this.#worker = new Worker(new URL('./store-thread.js', import.meta.url), { workerData: { folder, environment } })
    const [bridge] = await once(this.#worker, 'message')
    this.#ask = createBridgeCaller(bridge)
    return this
  }

  search(search) {
    return this.#ask({ search })
  }

  /** What a node exports. */
  of(certname) {
    return this.#known.get(certname) ?? []
  }

  replace(certname, resources) {
    if (JSON.stringify(this.of(certname)) === JSON.stringify(resources)) return
    this.#known.set(certname, resources)
    this.#ask({ certname, resources })
  }

  async close() {
    this.#ask({})
    await this.#worker.terminate()
  }
}
