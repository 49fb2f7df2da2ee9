// A server on a repository of a given size, and the costs of what is done with it.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../free-port.js'
import { agentOf, catalogRequest, factsNow } from '../server/client.js'
import { makeAuthority, startPlumbline } from '../server/plumbline.js'
import { memoryByShare, processorTime } from '../server/process.js'

const certname = 'node1.example.test'

/** Creates the certificates of a folder, and returns a function that starts servers with them. */
export function prepareServers(folder) {
  const { identity } = makeAuthority(folder, [certname])
  return async (repository, settings = []) => {
    rmSync(join(folder, 'plumbline/var'), { recursive: true, force: true })
    const server = await startPlumbline(folder, {
      repository,
      port: await freePort(),
      // Catalogs that are compiled ahead would add to the costs of a push.
      settings: ['--compile_ahead_workers', '0', ...settings],
    })
    const agent = agentOf(identity(certname))
    return {
      deploy: server.deploy,
      /** The catalog of the node in an environment. */
      async catalog(environment = 'production') {
        const { bytes } = await agent.call(server, catalogRequest(factsNow(certname), environment))
        return JSON.parse(bytes)
      },
      processor: () => processorTime(server.pid),
      /** Processor time of the server, in milliseconds, while something is done. */
      async cost(work) {
        const before = processorTime(server.pid)
        await work()
        return processorTime(server.pid) - before
      },
      memory: () => memoryByShare(server.pid).own / 2 ** 20,
      async stop() {
        agent.close()
        await server.stop()
      },
    }
  }
}
