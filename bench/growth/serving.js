// A server on a repository of a given size, and the costs of what is done with it.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../free-port.js'
import { agentOf, catalogRequest, factsNow } from '../server/client.js'
import { makeAuthority, startPlumbline } from '../server/plumbline.js'
import { memoryByShare, processorTime } from '../server/process.js'
import { median } from './fit.js'
import { createRepository } from './repository.js'

const certname = 'node1.example.test'

/**
 * Measures repositories of several sizes, each with a server of its own. `commits` returns the commits of a size.
 * @param {{ folder: string, sizes: readonly number[] }} options
 * @param {{ name: string, commits: (size: number) => readonly any[], measure: (server: any, repository: any) => Promise<any> }} site
 */
export async function measureSizes({ folder, sizes }, { name, commits, measure }) {
  const start = prepareServers(folder)
  const results = []
  for (const size of sizes) {
    const repository = createRepository(join(folder, `${name}${size}.git`), join(folder, 'environments'))
    await repository.commit(commits(size))
    const server = await start(repository)
    try {
      results.push({ size, ...(await measure(server, repository)) })
    } finally {
      await server.stop()
    }
  }
  return results
}

/** The costs of pushes that change the manifest of the class c0, and of the first catalogs after them. */
export async function measurePushes(server, repository, { branch, path, manifest, rounds }) {
  /** @type {number[][]} */
  const [pushes, catalogs] = [[], []]
  for (let round = 1; round <= rounds * 3; round++) {
    await repository.commit([{ branch, files: [[path, manifest(0, round)]] }])
    pushes.push(await server.cost(() => server.deploy()))
    let catalog
    catalogs.push(await server.cost(async () => (catalog = await server.catalog(branch))))
    if (!catalog.resources.some(({ title }) => title === `c0 at ${round}`))
      throw new Error('the catalog is not of the last push')
  }
  return { push: median(pushes), after: median(catalogs) }
}

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
