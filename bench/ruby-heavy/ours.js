// Our server, asked for catalogs by agents over HTTPS.
import { writeFileSync } from 'node:fs'
import { freePort } from '../free-port.js'
import { agentOf, catalogRequest } from '../server/client.js'
import { startPlumbline } from '../server/plumbline.js'

/** Starts it, with every setting as it is by default but for what the site needs. */
export async function startOurs(folder, code, identity, { compiled, lenient }) {
  const settings = [
    ...(code.generators ? ['--generators', code.generators] : []),
    ...(compiled ? ['--no-catalog_traces'] : []),
    ...(lenient ? ['--strict', 'warning', '--no-strict_variables'] : []),
  ]
  const server = await startPlumbline(folder, { repository: code, port: await freePort(), settings })
  const agents = new Map(Array.from(code.nodes.keys(), (name) => [name, agentOf(identity(name))]))
  return {
    name: server.name,
    pid: server.pid,
    deploy: () => server.deploy(),
    async catalog(facts, save) {
      const agent = agents.get(facts.name)
      if (!agent) throw new Error(`${facts.name} is no node of the site`)
      const { bytes } = await agent.call(server, catalogRequest(facts))
      if (save) writeFileSync(save, bytes)
    },
    async stop() {
      for (const agent of agents.values()) agent.close()
      await server.stop()
    },
  }
}
